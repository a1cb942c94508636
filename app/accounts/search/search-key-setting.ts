/** The consultant's search in everything. */
export const SEARCH_PATH = "/search";

const STORAGE_KEY = "no-search-key";

/** Whether the key `/` is turned off in this browser. Throws where the browser denies storage. */
export function hasNoSearchKey(): boolean {
  return STORAGE_KEY in localStorage;
}

export function turnSearchKey(isOn: boolean): void {
  if (isOn) localStorage.removeItem(STORAGE_KEY);
  else localStorage.setItem(STORAGE_KEY, "1");
}
