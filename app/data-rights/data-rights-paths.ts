export const YOUR_DATA_PATH = "/dashboard/settings/data";
export const DELETE_ACCOUNT_PATH = "/dashboard/settings/delete-account";
export const ACCOUNT_DELETED_PATH = "/account-deleted";
export const OWN_EXPORT_PATH = "/everything-about-us.zip";

/**
 * Path of the page where the administrator deletes a family's account. `cancelFamilyErasurePath` cancels the deletion.
 */
export function deleteFamilyPath(id: number): string {
  return `/families/${id}/delete`;
}
export function cancelFamilyErasurePath(id: number): string {
  return `/families/${id}/keep`;
}

/** Path where the administrator downloads everything that is held about the sender of a request without an account. */
export function requestExportPath(requestId: number): string {
  return `/requests/${requestId}/everything.json`;
}

/** Path where the administrator downloads everything that is held about a family. */
export function familyExportPath(id: number): string {
  return `/families/${id}/everything.zip`;
}
