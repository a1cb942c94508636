export const YOUR_DATA_PATH = "/dashboard/settings/data";
export const DELETE_ACCOUNT_PATH = "/dashboard/settings/delete-account";
export const ACCOUNT_DELETED_PATH = "/account-deleted";
export const OWN_EXPORT_PATH = "/everything-about-us.zip";

/** Where the administrator downloads everything that is held about a family. */
export function familyExportPath(id: number): string {
  return `/families/${id}/everything.zip`;
}
