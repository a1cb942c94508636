/** Path of the consultant's search across all records. */
export const SEARCH_PATH = "/search";

const STORAGE_KEY = "no-search-key";

/** Checks whether the key `/` is turned on in this browser. Throws if the browser denies access to storage. */
export function isSearchShortcutEnabled(): boolean {
  return !(STORAGE_KEY in localStorage);
}

export function setSearchShortcutEnabled(isOn: boolean): void {
  if (isOn) localStorage.removeItem(STORAGE_KEY);
  else localStorage.setItem(STORAGE_KEY, "1");
}
