import { createCharacterBudget, truncateWithEllipsis } from "../excerpt.ts";

const MAX_LISTED_NAME_LENGTH = 80;
const NAME_END_LENGTH = 20;
const MAX_LISTED_DESCRIPTION_LENGTH = 200;
/**
 * Maximum total number of characters of the full descriptions on one page. Each character can take ten bytes of the
 * page.
 */
const MAX_FULL_DESCRIPTION_CHARACTERS = 8_000;

/** Shortens a long file name for lists by removing its middle, so that its extension stays. */
export function truncateFileName(fileName: string): string {
  const characters = [...fileName];
  if (characters.length <= MAX_LISTED_NAME_LENGTH) return fileName;
  return `${characters.slice(0, MAX_LISTED_NAME_LENGTH - NAME_END_LENGTH).join("")}…${characters.slice(-NAME_END_LENGTH).join("")}`;
}

export type ListedDescription = {
  /** The first 200 characters of the description. */
  description: string | null;
  /**
   * The full description if it is longer; null if `description` is complete, or if the page's 8,000 characters for full
   * descriptions are used up.
   */
  wholeDescription: string | null;
};

/** Returns a function that shortens the descriptions of one page, called in the order of its rows. */
export function createDescriptionShortener(): (description: string | null) => ListedDescription {
  const fitsBudget = createCharacterBudget(MAX_FULL_DESCRIPTION_CHARACTERS);
  return (whole) => {
    const description = whole && truncateWithEllipsis(whole, MAX_LISTED_DESCRIPTION_LENGTH);
    if (!whole || description === whole || !fitsBudget(whole)) return { description, wholeDescription: null };
    return { description, wholeDescription: whole };
  };
}
