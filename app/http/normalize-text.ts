import { normalizeUnicode } from "../normalize-unicode.ts";

/** All characters that some programs treat as line breaks. */
// oxlint-disable-next-line no-control-regex
const LINE_BREAKS = /\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]/g;
const OTHER_CONTROL_CHARACTERS = /[^\P{Cc}\n\t]/gu;
const CONTROLS_AND_BREAKS = /[\p{Cc}\u2028\u2029]+/gu;

/** Zero-width characters: direction marks and overrides, zero-width spaces, byte order marks, annotations. */
const INVISIBLE_CHARACTERS =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]/gu;
/** Joiners that are not part of an emoji or of a script that shapes its letters. They would only hide text. */
const MISPLACED_JOINERS =
  /(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f\u20e3])(?<![\p{L}\p{M}\u200c\u200d])[\u200c\u200d]|(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}])[\u200c\u200d]+/gu;
/** Tag characters that are not part of a flag. They are invisible everywhere else. */
const MISPLACED_TAGS = /(?<![\u{1f3f4}\u{e0020}-\u{e007f}])[\u{e0001}\u{e0020}-\u{e007f}]+/gu;

/**
 * Normalizes a single line, such as a name or title: composes it to NFC, replaces control characters and line breaks
 * with a space, and removes invisible characters and direction marks. Keeps joiners in emoji and in scripts such as
 * Persian.
 */
export function normalizeSingleLine(text: string): string {
  const visible = text
    .replace(CONTROLS_AND_BREAKS, " ")
    .replace(INVISIBLE_CHARACTERS, "")
    .replace(MISPLACED_TAGS, "")
    .replace(MISPLACED_JOINERS, "")
    .trim();
  return normalizeUnicode(visible, "NFC");
}

/**
 * Normalizes multi-line text: composes it to NFC, replaces every line break with \n, and removes all control characters
 * except \n and \t.
 */
export function normalizeMultiLine(text: string): string {
  return normalizeUnicode(text.replace(LINE_BREAKS, "\n").replace(OTHER_CONTROL_CHARACTERS, "").trim(), "NFC");
}
