/** The first `maxLength` characters of a text, with "…" where it goes on. */
export function excerpt(text: string, maxLength: number): string {
  const start = [...text].slice(0, maxLength).join("");
  return start === text ? text : `${start.trimEnd()}…`;
}
