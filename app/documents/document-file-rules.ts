import { normalizeUnicode } from "../normalize-unicode.ts";

const MIB_BYTES = 1024 * 1024;

export const MAX_FILE_MB = 50;
export const MAX_FILE_BYTES = MAX_FILE_MB * MIB_BYTES;

export const MAX_FAMILY_GB = 2;
export const MAX_FAMILY_BYTES = MAX_FAMILY_GB * 1024 * MIB_BYTES;
/** Maximum storage of a family before its first visit (docs/decisions/0017-what-a-new-account-may-take.md). */
export const MAX_NEW_FAMILY_MB = 100;
export const MAX_NEW_ACCOUNT_BYTES = MAX_NEW_FAMILY_MB * MIB_BYTES;
export const MAX_FAMILY_DOCUMENTS = 2000;

export const MAX_DOCUMENT_NAME_LENGTH = 500;
export const MAX_DESCRIPTION_LENGTH = 5000;

/** Accepted file extensions; the last two are photo formats of phones. */
export const ACCEPTED_EXTENSIONS = [
  ..."pdf doc docx txt jpg jpeg png gif bmp tiff mp4 mov avi mkv webm mp3 wav zip rar".split(" "),
  "heic",
  "heif",
] as const;

/** Value of the file input's `accept` attribute. */
export const ACCEPTED_FILE_TYPES = ACCEPTED_EXTENSIONS.map((extension) => `.${extension}`).join(",");

export const UPLOAD_MESSAGES = {
  noFile: "Please select a file to upload.",
  noName: "Please provide a name for your document.",
  empty: "This file is empty. Please choose another one.",
  tooLarge: `This file is larger than ${MAX_FILE_MB} MB. Please send it in parts, or call us.`,
  type: "We can't take this kind of file. Please send a PDF, Word, text, picture, audio, video, ZIP or RAR file.",
} as const;

/** Returns the characters after the last dot, in their original case; empty without a dot. */
export function fileExtension(fileName: string): string {
  return /\.([^./\\]*)$/.exec(fileName)?.[1] ?? "";
}

export function hasAcceptedExtension(fileName: string): boolean {
  return ACCEPTED_EXTENSIONS.some((extension) => extension === fileExtension(fileName).toLowerCase());
}

/** Returns the suggested document name for a chosen file. */
export function nameWithoutExtension(fileName: string): string {
  const name = fileName.split(/[/\\]/).at(-1) ?? "";
  const extension = fileExtension(name);
  return (extension ? name.slice(0, -extension.length - 1) : name).trim();
}

/**
 * Returns the stored name: the typed name with the file's extension, which is not repeated if the name ends with it.
 */
export function storedDocumentName(customName: string, extension: string): string {
  const name = normalizeUnicode(customName, "NFC");
  return name.toLowerCase().endsWith(`.${extension.toLowerCase()}`) ? name : `${name}.${extension}`;
}

export type FileCategory = "document" | "image" | "other";

/** Categories that the documents page counts, in display order. */
export const FILE_CATEGORIES: readonly { kind: FileCategory; label: string }[] = [
  { kind: "document", label: "Documents & PDFs" },
  { kind: "image", label: "Images" },
  { kind: "other", label: "Other Files" },
];

export function fileCategory(fileType: string): FileCategory {
  if (fileType.startsWith("image/")) return "image";
  return /^(application\/(pdf|msword|vnd\.openxmlformats)|text\/)/.test(fileType) ? "document" : "other";
}

/** Formats a size in bytes, such as "less than 1 KB", "14 KB" or "3.2 MB". */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return "less than 1 KB";
  if (bytes < MIB_BYTES) return `${Math.round(bytes / 1024)} KB`;
  const megabytes = bytes / MIB_BYTES;
  return `${megabytes < 10 ? (Math.floor(megabytes * 10) / 10).toFixed(1) : Math.floor(megabytes)} MB`;
}
