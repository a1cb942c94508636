import { normalizeText } from "../normalize-text.ts";

/** What some program takes for the end of a line. */
// oxlint-disable-next-line no-control-regex
const LINE_BREAKS = /\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]/g;
const OTHER_CONTROLS = /[^\P{Cc}\n\t]/gu;
const CONTROLS_AND_BREAKS = /[\p{Cc}\u2028\u2029]+/gu;

/** Characters without width of their own: direction marks and overrides, zero-width spaces, byte order marks, annotations. */
const INVISIBLE = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]/gu;
/** Joiners belong into emoji and into scripts that shape their letters; between other characters they only hide. */
const MISPLACED_JOINERS =
  /(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f\u20e3])(?<![\p{L}\p{M}\u200c\u200d])[\u200c\u200d]|(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}])[\u200c\u200d]+/gu;
/** Tag characters are part of some flags, and invisible anywhere else. */
const MISPLACED_TAGS = /(?<![\u{1f3f4}\u{e0020}-\u{e007f}])[\u{e0001}\u{e0020}-\u{e007f}]+/gu;

/**
 * A name, title or other single line as it is stored and shown: NFC, control characters and line breaks collapsed into
 * a space, invisible and direction marks removed. Joiners of emoji and of scripts such as Persian stay.
 */
export function singleLine(text: string): string {
  const visible = text
    .replace(CONTROLS_AND_BREAKS, " ")
    .replace(INVISIBLE, "")
    .replace(MISPLACED_TAGS, "")
    .replace(MISPLACED_JOINERS, "")
    .trim();
  return normalizeText(visible, "NFC");
}

/** A text of several lines: NFC, every line break as \n, no control character but \n and \t. */
export function multiLine(text: string): string {
  return normalizeText(text.replace(LINE_BREAKS, "\n").replace(OTHER_CONTROLS, "").trim(), "NFC");
}
