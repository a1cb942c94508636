import { createCharacterBudget, excerpt } from "../excerpt.ts";

const MAX_NAME = 80;
const NAME_END = 20;
const MAX_DESCRIPTION = 200;
/** The characters of all descriptions of one page. Each can take ten bytes of it. */
const MAX_WHOLE_DESCRIPTIONS = 8_000;

/** A file name as lists show it: a long one without its middle, so that its extension stays. */
export function truncateFileName(fileName: string): string {
  const characters = [...fileName];
  if (characters.length <= MAX_NAME) return fileName;
  return `${characters.slice(0, MAX_NAME - NAME_END).join("")}…${characters.slice(-NAME_END).join("")}`;
}

export type ListedDescription = {
  /** Its first 200 characters. */
  description: string | null;
  /** A longer one in full; null where nothing is missing, and after 8,000 characters of such on one page. */
  wholeDescription: string | null;
};

/** Returns a function that shortens the descriptions of one page, called in the order of its rows. */
export function createDescriptionShortener(): (description: string | null) => ListedDescription {
  const fitsInFull = createCharacterBudget(MAX_WHOLE_DESCRIPTIONS);
  return (whole) => {
    const description = whole && excerpt(whole, MAX_DESCRIPTION);
    if (!whole || description === whole || !fitsInFull(whole)) return { description, wholeDescription: null };
    return { description, wholeDescription: whole };
  };
}
