/** The characters of all full texts on one page, and as many of all excerpts. Each character can take ten bytes of a page. */
const MAX_LISTED_CHARACTERS = 20_000;
const MAX_EXCERPT = 400;
const MAX_SHORT_EXCERPT = 40;

/** The first `maxLength` characters of a text, with "…" where it goes on. */
export function excerpt(text: string, maxLength: number): string {
  const start = [...text].slice(0, maxLength).join("");
  return start === text ? text : `${start.trimEnd()}…`;
}

/** Returns a function that says whether a text fits into what earlier ones have left of `maxCharacters`. */
export function createCharacterBudget(maxCharacters: number): (text: string) => boolean {
  let charactersLeft = maxCharacters;
  return ({ length }) => {
    if (length > charactersLeft) return false;
    charactersLeft -= length;
    return true;
  };
}

/**
 * Returns a function that shortens the texts of one page, called in the order of its rows: texts are in full up to 20,000
 * characters, then 400 characters of each, and 40 when 20,000 more are used.
 */
export function createTextShortener(): (text: string) => string {
  const [fitsInFull, fitsAsExcerpt] = [MAX_LISTED_CHARACTERS, MAX_LISTED_CHARACTERS].map(createCharacterBudget);
  return (text) => {
    if (fitsInFull?.(text)) return text;
    const shown = excerpt(text, MAX_EXCERPT);
    return fitsAsExcerpt?.(shown) ? shown : excerpt(text, MAX_SHORT_EXCERPT);
  };
}
