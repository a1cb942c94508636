/**
 * Maximum characters of all full texts on one page, and of all excerpts. Each character can take ten bytes of a page.
 */
const MAX_PAGE_TEXT_CHARACTERS = 20_000;
const MAX_EXCERPT_LENGTH = 400;
const MAX_SHORT_EXCERPT_LENGTH = 40;

/** Returns the first `maxLength` characters of a text, followed by "…" if it is longer. */
export function truncateWithEllipsis(text: string, maxLength: number): string {
  const start = [...text].slice(0, maxLength).join("");
  return start === text ? text : `${start.trimEnd()}…`;
}

const MAX_SEARCH_EXCERPT_LENGTH = 160;
/** Characters before the word that was found. */
const EXCERPT_LEAD_LENGTH = 50;

/** Returns a part of a text that begins shortly before the first of `words` in it, with "…" where it is cut. */
export function excerptAround(text: string, words: readonly string[]): string {
  const lowercase = text.toLowerCase();
  const positions = words.map((word) => lowercase.indexOf(word.toLowerCase())).filter((position) => position >= 0);
  const excerptStart = Math.min(...positions) - EXCERPT_LEAD_LENGTH;
  if (positions.length === 0 || excerptStart <= 0) return truncateWithEllipsis(text, MAX_SEARCH_EXCERPT_LENGTH);
  const isWithinSurrogatePair = /[\uDC00-\uDFFF]/.test(text.charAt(excerptStart));
  return `…${truncateWithEllipsis(text.slice(isWithinSurrogatePair ? excerptStart + 1 : excerptStart).trimStart(), MAX_SEARCH_EXCERPT_LENGTH)}`;
}

/**
 * Returns a function that says whether a text fits into the rest of `maxCharacters`, and subtracts its length if it
 * does.
 */
export function createCharacterBudget(maxCharacters: number): (text: string) => boolean {
  let charactersLeft = maxCharacters;
  return ({ length }) => {
    if (length > charactersLeft) return false;
    charactersLeft -= length;
    return true;
  };
}

/**
 * Returns a function that shortens the texts of one page. Call it in the order of the rows. Texts are complete up to a
 * total of 20,000 characters, then each is cut to 400 characters, and to 40 after another 20,000 characters.
 */
export function createTextShortener(): (text: string) => string {
  const [fitsInFull, fitsAsExcerpt] = [MAX_PAGE_TEXT_CHARACTERS, MAX_PAGE_TEXT_CHARACTERS].map(createCharacterBudget);
  return (text) => {
    if (fitsInFull?.(text)) return text;
    const shortenedText = truncateWithEllipsis(text, MAX_EXCERPT_LENGTH);
    return fitsAsExcerpt?.(shortenedText) ? shortenedText : truncateWithEllipsis(text, MAX_SHORT_EXCERPT_LENGTH);
  };
}
