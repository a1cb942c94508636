export const DOCUMENTS_PATH = "/documents";
export const NEW_DOCUMENT_PATH = "/documents/new";
export const INTAKE_DIALOG_PATH = "/documents/intake-form";
export const INTAKE_DOWNLOAD_PATH = "/documents/intake-form/download";
export const ZIP_PATH = "/documents/archive.zip";

const FROM_FAMILY_PARAMETER = "from=family";
const fromFamilyQuery = (isFromFamily: boolean) => (isFromFamily ? `?${FROM_FAMILY_PARAMETER}` : "");
/** With `isFromFamily`, the administrator comes from the family's page and returns there. */
export const deleteDocumentPath = (id: number, isFromFamily = false) =>
  `/documents/${id}/delete${fromFamilyQuery(isFromFamily)}`;
export const setDocumentSharingPath = (id: number, isFromFamily = false) =>
  `/documents/${id}/sharing${fromFamilyQuery(isFromFamily)}`;
/**
 * Returns the page to open after changing a document of the family `userId`. `search` is the query string of the
 * current URL.
 */
export const documentReturnPath = (search: string, userId: number) =>
  search === `?${FROM_FAMILY_PARAMETER}` ? `/families/${userId}` : DOCUMENTS_PATH;
export const viewDocumentPath = (id: number) => `/api/documents/${id}`;
export const downloadDocumentPath = (id: number) => `/api/documents/${id}/download`;
/** Path of the upload form on top of a family's page, for the administrator. */
export const uploadForFamilyPath = (familyId: number) => `/families/${familyId}/documents/new`;
/** Path of the upload form with an appointment preselected. */
export const uploadForAppointmentPath = (appointmentId: number) => `/documents/new?appointmentId=${appointmentId}`;
