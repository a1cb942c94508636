import { singleLine } from "../http/text-hygiene.ts";
import { fileExtension } from "./rules.ts";
import { normalizeText } from "../normalize-text.ts";

/** File systems take 255 bytes for one name; what is left is for a number in front of the extension. */
const MAX_NAME_BYTES = 240;
/** Names that Windows gives to devices, whatever extension follows. */
const DEVICE_NAME = /^(con|prn|aux|nul|conin\$|conout\$|clock\$|(com|lpt)[0-9¹²³])(?=\s*(\.|$))/i;

/** A name as one step of a path in an archive, that leads nowhere else and can be written on every common system. */
export function archiveName(name: string): string {
  const step = singleLine(name.toWellFormed())
    .replace(/[/\\:*?"<>|]/g, "-")
    .replace(/\.{2,}(?=.)/g, (dots, at: number) => (at === 0 ? dots : "."))
    .replace(/^[.\s]+/, "_")
    .replace(/[.\s]+$/, "")
    .replace(DEVICE_NAME, "_$&");
  return shorten(step) || "_";
}

/** Names each file of one archive once: two that differ at most in case get a number. */
export function uniqueArchiveNames(): (fileName: string, folder?: string) => string {
  const taken = new Set<string>();
  return (fileName, folder = "") => {
    const { base, extension } = split(archiveName(fileName));
    for (let number = 1; ; number += 1) {
      const name = folder + (number === 1 ? base : `${base} (${number})`) + extension;
      const compared = normalizeText(name, "NFKC").toLowerCase();
      if (taken.has(compared)) continue;
      taken.add(compared);
      return name;
    }
  };
}

function split(name: string): { base: string; extension: string } {
  const extension = fileExtension(name);
  return extension
    ? { base: name.slice(0, -extension.length - 1), extension: `.${extension}` }
    : { base: name, extension: "" };
}

/** Cuts what stands before the extension, whole characters at a time. */
function shorten(name: string): string {
  const { base, extension } = split(name);
  const characters = [...base];
  const bytes = new TextEncoder();
  let left = MAX_NAME_BYTES - bytes.encode(extension).length;
  const end = characters.findIndex((character) => (left -= bytes.encode(character).length) < 0);
  return end === -1 ? name : characters.slice(0, end).join("").trimEnd() + extension;
}
