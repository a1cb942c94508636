import { normalizeSingleLine } from "../../http/normalize-text.ts";
import { fileExtension } from "../document-file-rules.ts";
import { normalizeUnicode } from "../../normalize-unicode.ts";

/**
 * Maximum size of an entry name. File systems allow 255 bytes per name; the rest is reserved for a number before the
 * extension.
 */
const MAX_NAME_BYTES = 240;
/** Device names of Windows, which are reserved with any extension. */
const RESERVED_DEVICE_NAME_PATTERN = /^(con|prn|aux|nul|conin\$|conout\$|clock\$|(com|lpt)[0-9¹²³])(?=\s*(\.|$))/i;

/**
 * Makes a file name safe as one path segment in an archive, on every common file system. Never returns an empty string.
 */
export function safeEntryName(name: string): string {
  const segment = normalizeSingleLine(name.toWellFormed())
    .replace(/[/\\:*?"<>|]/g, "-")
    .replace(/\.{2,}(?=.)/g, (dots, at: number) => (at === 0 ? dots : "."))
    .replace(/^[.\s]+/, "_")
    .replace(/[.\s]+$/, "")
    .replace(RESERVED_DEVICE_NAME_PATTERN, "_$&");
  return shortenBaseName(segment) || "_";
}

/** Returns a function that gives each file of one archive a unique path, case-insensitively, by adding a number. */
export function createEntryNamer(): (fileName: string, folder?: string) => string {
  const takenNames = new Set<string>();
  /** The next number to try for each comparable name; all lower numbers are taken. */
  const nextNumbers = new Map<string, number>();
  return (fileName, folder = "") => {
    const { base, extension } = splitExtension(safeEntryName(fileName));
    const unnumbered = toComparable(folder + base + extension);
    for (let number = nextNumbers.get(unnumbered) ?? 1; ; number += 1) {
      const name = folder + (number === 1 ? base : `${base} (${number})`) + extension;
      const comparable = toComparable(name);
      if (takenNames.has(comparable)) continue;
      takenNames.add(comparable);
      nextNumbers.set(unnumbered, number + 1);
      return name;
    }
  };
}

function toComparable(name: string): string {
  return normalizeUnicode(name, "NFKC").toLowerCase();
}

function splitExtension(name: string): { base: string; extension: string } {
  const extension = fileExtension(name);
  return extension
    ? { base: name.slice(0, -extension.length - 1), extension: `.${extension}` }
    : { base: name, extension: "" };
}

/** Shortens the part before the extension by whole characters, so that the name fits in 240 bytes. */
function shortenBaseName(name: string): string {
  const { base, extension } = splitExtension(name);
  const characters = [...base];
  const encoder = new TextEncoder();
  let bytesLeft = MAX_NAME_BYTES - encoder.encode(extension).length;
  const end = characters.findIndex((character) => (bytesLeft -= encoder.encode(character).length) < 0);
  return end === -1 ? name : characters.slice(0, end).join("").trimEnd() + extension;
}
