export const COMPLIANCE_PATH = "/compliance";
export const NEW_CASE_PATH = `${COMPLIANCE_PATH}/new`;
