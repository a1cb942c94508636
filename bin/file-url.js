/** @param {string} url */
export function fileOf(url) {
  return url.slice("file:".length);
}
