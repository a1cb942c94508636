import { accepted, type Outcome, refused } from "../http/outcome.ts";
import { extensionOf, SAYS } from "./rules.ts";

/** How much of a file's beginning tells what it is. */
export const SAMPLE_BYTES = 64 * 1024;

const MISMATCH = "What is in this file is not what its name says. Please save it anew in one of the accepted kinds.";

type FileKind = { type: string; found: readonly string[] };

// What an ISO media file calls itself depends on the telephone that made it.
const MOVIES = ["mp4", "m4v", "mov", "3gp", "3g2"];

/** Per extension: the type it is served as, and what its content may be found to be. */
const KINDS: Record<string, FileKind> = {
  pdf: { type: "application/pdf", found: ["pdf"] },
  doc: { type: "application/msword", found: ["cfb", "rtf"] },
  docx: { type: "application/vnd.openxmlformats-officedocument.wordprocessingml.document", found: ["docx"] },
  txt: { type: "text/plain", found: ["txt"] },
  jpg: { type: "image/jpeg", found: ["jpg"] },
  jpeg: { type: "image/jpeg", found: ["jpg"] },
  png: { type: "image/png", found: ["png", "apng"] },
  gif: { type: "image/gif", found: ["gif"] },
  bmp: { type: "image/bmp", found: ["bmp"] },
  tiff: { type: "image/tiff", found: ["tif"] },
  heic: { type: "image/heic", found: ["heic"] },
  heif: { type: "image/heif", found: ["heic"] },
  mp4: { type: "video/mp4", found: MOVIES },
  mov: { type: "video/quicktime", found: MOVIES },
  avi: { type: "video/x-msvideo", found: ["avi"] },
  mkv: { type: "video/x-matroska", found: ["mkv"] },
  webm: { type: "video/webm", found: ["webm"] },
  mp3: { type: "audio/mpeg", found: ["mp3"] },
  wav: { type: "audio/wav", found: ["wav"] },
  zip: { type: "application/zip", found: ["zip", "docx"] },
  rar: { type: "application/vnd.rar", found: ["rar"] },
};

/** Types that a browser may show by itself; everything else is only ever saved (decisions §5.14). */
export function isShownInline(type: string): boolean {
  return /^(image\/(?!hei[cf])|text\/plain$|application\/pdf$|audio\/|video\/)/.test(type);
}

/** Whether a file may have this name at all, before anything of it is read. */
export function typeOfName(fileName: string): Outcome<string> {
  const kind = kindOfName(fileName);
  return kind ? accepted(kind.type) : refused("unsupported", SAYS.type, { file: [SAYS.type] });
}

/** The type a file is stored as, when its name and its first `SAMPLE_BYTES` agree. Nothing is unpacked or decoded. */
export async function typeOfFile(fileName: string, sample: Uint8Array): Promise<Outcome<string>> {
  const kind = kindOfName(fileName);
  if (!kind) return typeOfName(fileName);
  if (kind.found.includes(await whatIsIn(sample))) return accepted(kind.type);
  return refused("unsupported", MISMATCH, { file: [MISMATCH] });
}

function kindOfName(fileName: string): FileKind | undefined {
  const extension = extensionOf(fileName).toLowerCase();
  return Object.hasOwn(KINDS, extension) ? KINDS[extension] : undefined;
}

async function whatIsIn(sample: Uint8Array): Promise<string> {
  const bytes = Buffer.from(sample.buffer, sample.byteOffset, sample.byteLength);
  if (isText(bytes)) return "txt";
  // Archives are told by the names in them, which lie open: the library would unpack a part of them.
  if (/^504b(0304|0506)/.test(bytes.toString("hex", 0, 4))) return isWordDocument(bytes) ? "docx" : "zip";
  const { fileTypeFromBuffer } = await import("file-type");
  return (await fileTypeFromBuffer(bytes).catch(() => undefined))?.ext ?? "";
}

function isWordDocument(bytes: Buffer): boolean {
  return bytes.includes("[Content_Types].xml") || bytes.includes("word/");
}

/** Text has no control characters but those of a typewriter; in UTF-16 it says so with its first two bytes. */
function isText(bytes: Buffer): boolean {
  if (/^(%PDF-|\{\\rtf)/.test(bytes.toString("latin1", 0, 5))) return false;
  const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  // oxlint-disable-next-line no-control-regex
  return isWide || !/[\x00-\x07\x0b\x0e-\x1a\x1c-\x1f]/.test(bytes.toString("latin1"));
}
