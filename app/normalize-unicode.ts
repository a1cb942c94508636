/** Higher than any script needs: pointed Hebrew with cantillation has five, Tibetan about ten. */
const MAX_COMBINING_MARKS = 30;
/** Includes the two halfwidth katakana marks, which are letters that NFKC converts to combining marks. */
const COMBINING_MARKS = /[\p{M}\uff9e\uff9f]+/gu;

/**
 * Whether a text has more consecutive combining marks than any script uses. Normalizing such a run takes quadratic time
 * (12 s for 120,000 marks), because each mark is sorted into its place.
 */
export function hasExcessiveCombiningMarks(text: string): boolean {
  if (text.length <= MAX_COMBINING_MARKS) return false;
  for (const [run] of text.matchAll(COMBINING_MARKS)) if (run.length > MAX_COMBINING_MARKS) return true;
  return false;
}

/**
 * Returns the Unicode normal form of a text in linear time. A text with excessive combining marks is returned
 * unchanged, so that two such texts never become equal. The whole application must use this function to normalize.
 */
export function normalizeUnicode(text: string, form: "NFC" | "NFD" | "NFKC"): string {
  return hasExcessiveCombiningMarks(text) ? text : text.normalize(form);
}

/** Replaces the apostrophe-like characters of keyboards by the ASCII apostrophe. */
export function normalizeApostrophes(text: string): string {
  return text.replace(/[\u2018\u2019\u02bc`\u00b4]/g, "'");
}
