import { accepted, type Outcome, refused } from "../http/outcome.ts";
import { fileExtension, UPLOAD_MESSAGES } from "./document-file-rules.ts";

/** Number of bytes at the beginning of a file from which its type is detected. */
export const SAMPLE_BYTES = 64 * 1024;

const TYPE_MISMATCH_MESSAGE = "This file doesn't match its type. Save it again as a PDF or another accepted type.";

type FileTypeRule = { type: string; detectedExtensions: readonly string[] };

// The brand inside an ISO media file depends on the phone that recorded it.
const ISO_MEDIA_EXTENSIONS = ["mp4", "m4v", "mov", "3gp", "3g2"];

/** The type that a file is served as, and the extensions that its content may be detected as, keyed by extension. */
const RULES_BY_EXTENSION: Record<string, FileTypeRule> = {
  pdf: { type: "application/pdf", detectedExtensions: ["pdf"] },
  doc: { type: "application/msword", detectedExtensions: ["cfb", "rtf"] },
  docx: {
    type: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    detectedExtensions: ["docx"],
  },
  txt: { type: "text/plain", detectedExtensions: ["txt"] },
  jpg: { type: "image/jpeg", detectedExtensions: ["jpg"] },
  jpeg: { type: "image/jpeg", detectedExtensions: ["jpg"] },
  png: { type: "image/png", detectedExtensions: ["png", "apng"] },
  gif: { type: "image/gif", detectedExtensions: ["gif"] },
  bmp: { type: "image/bmp", detectedExtensions: ["bmp"] },
  tiff: { type: "image/tiff", detectedExtensions: ["tif"] },
  heic: { type: "image/heic", detectedExtensions: ["heic"] },
  heif: { type: "image/heif", detectedExtensions: ["heic"] },
  mp4: { type: "video/mp4", detectedExtensions: ISO_MEDIA_EXTENSIONS },
  mov: { type: "video/quicktime", detectedExtensions: ISO_MEDIA_EXTENSIONS },
  avi: { type: "video/x-msvideo", detectedExtensions: ["avi"] },
  mkv: { type: "video/x-matroska", detectedExtensions: ["mkv"] },
  webm: { type: "video/webm", detectedExtensions: ["webm"] },
  mp3: { type: "audio/mpeg", detectedExtensions: ["mp3"] },
  wav: { type: "audio/wav", detectedExtensions: ["wav"] },
  zip: { type: "application/zip", detectedExtensions: ["zip", "docx"] },
  rar: { type: "application/vnd.rar", detectedExtensions: ["rar"] },
};

/**
 * Returns whether a browser may show the type itself. Every other type is always downloaded (docs/product.md, Files).
 */
export function canShowInline(type: string): boolean {
  return /^(image\/(?!hei[cf])|text\/plain$|application\/pdf$|audio\/|video\/)/.test(type);
}

/** Returns the type for the name's extension. Refuses an extension that is not accepted. */
export function contentTypeFromName(fileName: string): Outcome<string> {
  const rule = ruleForName(fileName);
  return rule ? accepted(rule.type) : refused("unsupported", UPLOAD_MESSAGES.type, { file: [UPLOAD_MESSAGES.type] });
}

/**
 * Returns the type to store a file as. Refuses a file whose name and first 64 KiB disagree. Unpacks and decodes
 * nothing.
 */
export async function resolveVerifiedContentType(fileName: string, sample: Uint8Array): Promise<Outcome<string>> {
  const rule = ruleForName(fileName);
  if (!rule) return contentTypeFromName(fileName);
  if (rule.detectedExtensions.includes(await detectExtension(sample))) return accepted(rule.type);
  return refused("unsupported", TYPE_MISMATCH_MESSAGE, { file: [TYPE_MISMATCH_MESSAGE] });
}

function ruleForName(fileName: string): FileTypeRule | undefined {
  const extension = fileExtension(fileName).toLowerCase();
  return Object.hasOwn(RULES_BY_EXTENSION, extension) ? RULES_BY_EXTENSION[extension] : undefined;
}

async function detectExtension(sample: Uint8Array): Promise<string> {
  const bytes = Buffer.from(sample.buffer, sample.byteOffset, sample.byteLength);
  if (looksLikeText(bytes)) return "txt";
  // Archives are identified by the uncompressed names in them: file-type would decompress part of the archive.
  if (/^504b(0304|0506)/.test(bytes.toString("hex", 0, 4))) return isWordDocument(bytes) ? "docx" : "zip";
  const { fileTypeFromBuffer } = await import("file-type");
  return (await fileTypeFromBuffer(bytes).catch(() => undefined))?.ext ?? "";
}

function isWordDocument(bytes: Buffer): boolean {
  return bytes.includes("[Content_Types].xml") || bytes.includes("word/");
}

/**
 * Returns whether the bytes look like text: no control characters except white space, backspace and escape, or a UTF-16
 * byte order mark at the beginning.
 */
function looksLikeText(bytes: Buffer): boolean {
  if (/^(%PDF-|\{\\rtf)/.test(bytes.toString("latin1", 0, 5))) return false;
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  // oxlint-disable-next-line no-control-regex
  return isUtf16 || !/[\x00-\x07\x0b\x0e-\x1a\x1c-\x1f]/.test(bytes.toString("latin1"));
}
