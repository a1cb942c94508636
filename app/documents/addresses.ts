/** The screen's own addresses; its dialogs stand below it. */
export const LIST = "/documents";
export const NEW = "/documents/new";
export const INTAKE_DIALOG = "/documents/intake-form";
export const INTAKE_DOWNLOAD = "/documents/intake-form/download";
export const ARCHIVE = "/documents/archive.zip";

export const deleteAddress = (id: number) => `/documents/${id}/delete`;
export const sharingAddress = (id: number) => `/documents/${id}/sharing`;
export const viewAddress = (id: number) => `/api/documents/${id}`;
export const downloadAddress = (id: number) => `/api/documents/${id}/download`;
/** The upload with its appointment chosen. */
export const uploadAddress = (appointmentId: number) => `/documents/new?appointmentId=${appointmentId}`;
