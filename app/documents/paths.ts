export const DOCUMENTS_PATH = "/documents";
export const NEW_DOCUMENT_PATH = "/documents/new";
export const INTAKE_DIALOG_PATH = "/documents/intake-form";
export const INTAKE_DOWNLOAD_PATH = "/documents/intake-form/download";
export const ZIP_PATH = "/documents/archive.zip";

export const deleteDocumentPath = (id: number) => `/documents/${id}/delete`;
export const sharingPath = (id: number) => `/documents/${id}/sharing`;
export const viewDocumentPath = (id: number) => `/api/documents/${id}`;
export const downloadDocumentPath = (id: number) => `/api/documents/${id}/download`;
/** The upload form over the page of a family, for the administrator. */
export const uploadForFamilyPath = (familyId: number) => `/families/${familyId}/documents/new`;
/** The upload form with an appointment preselected. */
export const uploadPathFor = (appointmentId: number) => `/documents/new?appointmentId=${appointmentId}`;
