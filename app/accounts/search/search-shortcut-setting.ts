/** The consultant's search in everything. */
export const SEARCH_PATH = "/search";

const STORAGE_KEY = "no-search-key";

/** Whether the key `/` is turned off in this browser. Throws where the browser denies storage. */
export function isSearchShortcutDisabled(): boolean {
  return STORAGE_KEY in localStorage;
}

export function setSearchShortcutEnabled(isOn: boolean): void {
  if (isOn) localStorage.removeItem(STORAGE_KEY);
  else localStorage.setItem(STORAGE_KEY, "1");
}
