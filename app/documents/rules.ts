const MIB = 1024 * 1024;

/** The most one file may weigh (specification §9). */
export const LARGEST_FILE_MB = 50;
export const LARGEST_FILE_BYTES = LARGEST_FILE_MB * MIB;

/** The most a family may keep in all (decisions §5.14). */
export const FAMILY_GB = 2;
export const FAMILY_BYTES = FAMILY_GB * 1024 * MIB;
/** The same until the family's first visit has taken place (decisions §5.23). */
export const NEW_FAMILY_MB = 100;
export const NEW_FAMILY_BYTES = NEW_FAMILY_MB * MIB;
export const FAMILY_DOCUMENTS = 2000;

export const LONGEST_NAME = 500;
export const LONGEST_DESCRIPTION = 5000;

/** The specification's list, and what phones make of a photograph. */
export const EXTENSIONS = [
  ..."pdf doc docx txt jpg jpeg png gif bmp tiff mp4 mov avi mkv webm mp3 wav zip rar".split(" "),
  "heic",
  "heif",
] as const;

/** What a file input offers to choose from. */
export const ACCEPT = EXTENSIONS.map((extension) => `.${extension}`).join(",");

export const SAYS = {
  noFile: "Please select a file to upload.",
  noName: "Please provide a name for your document.",
  empty: "This file is empty. Please choose another one.",
  tooLarge: `This file is larger than ${LARGEST_FILE_MB} MB. Please choose a smaller one.`,
  type: "We can't take this kind of file. Please send a PDF, Word, text, picture, audio, video, ZIP or RAR file.",
} as const;

/** The letters after the last dot, as they are written; empty when there are none. */
export function extensionOf(fileName: string): string {
  return /\.([^./\\]*)$/.exec(fileName)?.[1] ?? "";
}

export function isAcceptedName(fileName: string): boolean {
  return EXTENSIONS.some((extension) => extension === extensionOf(fileName).toLowerCase());
}

/** What a name field is pre-filled with. */
export function nameWithoutExtension(fileName: string): string {
  const name = fileName.split(/[/\\]/).at(-1) ?? "";
  const extension = extensionOf(name);
  return (extension ? name.slice(0, -extension.length - 1) : name).trim();
}

/** The stored name: what the person called it, and the file's own extension, once (decisions §5.14). */
export function documentName(customName: string, extension: string): string {
  const name = customName.normalize("NFC");
  return name.toLowerCase().endsWith(`.${extension.toLowerCase()}`) ? name : `${name}.${extension}`;
}

export type Kind = "document" | "image" | "other";

/** The three counts of the documents screen. */
export const KINDS: readonly { kind: Kind; label: string }[] = [
  { kind: "document", label: "Documents & PDFs" },
  { kind: "image", label: "Images" },
  { kind: "other", label: "Other Files" },
];

export function kindOf(fileType: string): Kind {
  if (fileType.startsWith("image/")) return "image";
  return /^(application\/(pdf|msword|vnd\.openxmlformats)|text\/)/.test(fileType) ? "document" : "other";
}

/** 820 bytes, 14 KB, 3.2 MB */
export function readableSize(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? "1 byte" : `${bytes} bytes`;
  if (bytes < MIB) return `${Math.round(bytes / 1024)} KB`;
  const megabytes = bytes / MIB;
  return `${megabytes < 10 ? (Math.floor(megabytes * 10) / 10).toFixed(1) : Math.floor(megabytes)} MB`;
}
