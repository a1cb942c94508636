export const YOUR_DATA_PATH = "/dashboard/settings/data";
export const DELETE_ACCOUNT_PATH = "/dashboard/settings/delete-account";
export const ACCOUNT_DELETED_PATH = "/account-deleted";
export const OWN_EXPORT_PATH = "/everything-about-us.zip";

/** Where the administrator deletes a family's account, and where she takes that back. */
export function deleteFamilyPath(id: number): string {
  return `/families/${id}/delete`;
}
export function cancelFamilyErasurePath(id: number): string {
  return `/families/${id}/keep`;
}

/** Where the administrator downloads everything that is held about a family. */
export function familyExportPath(id: number): string {
  return `/families/${id}/everything.zip`;
}
