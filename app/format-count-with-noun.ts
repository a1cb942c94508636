/** Returns "1 visit" or "3 visits". `plural` is the plural if it is not `singular` with an s. */
export function formatCountWithNoun(count: number, singular: string, plural = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`;
}
