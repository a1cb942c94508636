/** @param {string} url */
export function filePathFromUrl(url) {
  return url.slice("file:".length);
}
