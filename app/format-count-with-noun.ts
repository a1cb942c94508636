/** Returns "1 visit" or "3 visits". `many` is the plural if it is not `one` with an s. */
export function formatCountWithNoun(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
