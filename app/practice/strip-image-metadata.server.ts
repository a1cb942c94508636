import { crc32 } from "node:zlib";

/** The Exif orientation of an upright image. 2 to 8 are rotated or mirrored. */
const UPRIGHT_ORIENTATION = 1;
const ORIENTATION_TAG = 0x0112;
const EXIF_PREFIX = Buffer.from("Exif\0\0", "latin1");

/** Thrown when the bytes are not a complete image of the expected type. */
class MalformedImageError extends Error {}

const STRIP_FUNCTIONS_BY_TYPE: Record<string, (bytes: Buffer) => Buffer> = {
  "image/jpeg": stripJpegMetadata,
  "image/png": stripPngMetadata,
  "image/webp": stripWebpMetadata,
};

/**
 * Returns the image without location, time, camera, comments, thumbnails and the bytes after its end. Keeps only the
 * color profile and an orientation that is not upright. Null when the bytes are not a complete image of `type`
 * ("image/jpeg", "image/png", "image/webp"). The pixels are not decoded.
 */
export function stripImageMetadata(bytes: Buffer, type: string): Buffer | null {
  try {
    return STRIP_FUNCTIONS_BY_TYPE[type]?.(bytes) ?? null;
  } catch (error) {
    if (error instanceof MalformedImageError) return null;
    throw error;
  }
}

const JPEG_MARKERS = {
  end: 0xd9,
  scan: 0xda,
  app0: 0xe0,
  app1: 0xe1,
  app2: 0xe2,
  app14: 0xee,
  app15: 0xef,
  comment: 0xfe,
};
/** The application segments that a decoder needs, by marker and first bytes. */
const RENDERING_SEGMENT_PREFIXES: Record<number, Buffer> = {
  [JPEG_MARKERS.app0]: Buffer.from("JFIF\0", "latin1"),
  [JPEG_MARKERS.app2]: Buffer.from("ICC_PROFILE\0", "latin1"),
  [JPEG_MARKERS.app14]: Buffer.from("Adobe", "latin1"),
};

function stripJpegMetadata(bytes: Buffer): Buffer {
  const keptSegments: Buffer[] = [];
  let orientation = UPRIGHT_ORIENTATION;
  let position = 2;
  for (;;) {
    const start = position;
    position = skipFillBytes(bytes, position);
    const marker = byteAt(bytes, position);
    position += 1;
    if (marker === JPEG_MARKERS.end) break;
    const length = readBytes(bytes, position, 2).readUInt16BE();
    if (length < 2) throw new MalformedImageError("a segment is too short");
    const content = readBytes(bytes, position + 2, length - 2);
    position += length;
    if (marker === JPEG_MARKERS.app1 && startsWith(content, EXIF_PREFIX))
      orientation = readOrientation(content.subarray(EXIF_PREFIX.length));
    if (marker === JPEG_MARKERS.scan) position = findScanEnd(bytes, position);
    if (isRenderingSegment(marker, content)) keptSegments.push(bytes.subarray(start, position));
  }
  const [first, ...rest] = keptSegments;
  const isFirstJfif = first?.[1] === JPEG_MARKERS.app0;
  const [before, after] = isFirstJfif ? [[first], rest] : [[], keptSegments];
  return Buffer.concat([
    bytes.subarray(0, 2),
    ...before,
    ...(orientation === UPRIGHT_ORIENTATION ? [] : [buildExifSegment(orientation)]),
    ...after,
    Buffer.from([0xff, JPEG_MARKERS.end]),
  ]);
}

function isRenderingSegment(marker: number, content: Buffer): boolean {
  if (marker === JPEG_MARKERS.comment) return false;
  if (marker < JPEG_MARKERS.app0 || marker > JPEG_MARKERS.app15) return true;
  const prefix = RENDERING_SEGMENT_PREFIXES[marker];
  return prefix !== undefined && startsWith(content, prefix);
}

/** Returns the position of the code of the marker that begins at `position`, after any number of 0xff bytes. */
function skipFillBytes(bytes: Buffer, position: number): number {
  if (byteAt(bytes, position) !== 0xff) throw new MalformedImageError("no marker");
  let next = position + 1;
  while (byteAt(bytes, next) === 0xff) next += 1;
  return next;
}

/** Returns the end of the compressed data: a marker that is neither an escaped 0xff nor a restart. */
function findScanEnd(bytes: Buffer, position: number): number {
  let next = bytes.indexOf(0xff, position);
  while (next !== -1) {
    const code = byteAt(bytes, next + 1);
    if (code !== 0x00 && code !== 0xff && (code < 0xd0 || code > 0xd7)) return next;
    next = bytes.indexOf(0xff, next + 1);
  }
  throw new MalformedImageError("no end of a scan");
}

function buildExifSegment(orientation: number): Buffer {
  const content = Buffer.concat([EXIF_PREFIX, buildOrientationTiff(orientation)]);
  const header = Buffer.from([0xff, JPEG_MARKERS.app1, 0, 0]);
  header.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([header, content]);
}

const PNG_SIGNATURE_LENGTH = 8;
/** Chunks that change how the image is drawn. */
const PNG_RENDERING_CHUNKS = /^(IHDR|PLTE|IDAT|tRNS|gAMA|cHRM|sRGB|iCCP|cICP|sBIT|bKGD|pHYs|hIST|acTL|fcTL|fdAT)/;

function stripPngMetadata(bytes: Buffer): Buffer {
  const keptChunks = [bytes.subarray(0, PNG_SIGNATURE_LENGTH)];
  let orientation = UPRIGHT_ORIENTATION;
  let position = PNG_SIGNATURE_LENGTH;
  for (;;) {
    const header = readBytes(bytes, position, 8);
    const type = header.toString("latin1", 4);
    const content = readBytes(bytes, position + 8, header.readUInt32BE());
    const chunk = readBytes(bytes, position, content.length + 12);
    if (keptChunks.length === 1 && type !== "IHDR") throw new MalformedImageError("no header");
    position += chunk.length;
    if (type === "eXIf") orientation = readOrientation(content);
    if (type === "IEND") {
      const hasImageData = keptChunks.some((each) => each.toString("latin1", 4, 8) === "IDAT");
      if (!hasImageData) throw new MalformedImageError("no image data");
      break;
    }
    if (PNG_RENDERING_CHUNKS.test(type)) keptChunks.push(chunk);
  }
  const [signature = Buffer.alloc(0), header = Buffer.alloc(0), ...rest] = keptChunks;
  const exif = orientation === UPRIGHT_ORIENTATION ? [] : [buildPngChunk("eXIf", buildOrientationTiff(orientation))];
  return Buffer.concat([signature, header, ...exif, ...rest, buildPngChunk("IEND", Buffer.alloc(0))]);
}

function buildPngChunk(type: string, content: Buffer): Buffer {
  const typeAndContent = Buffer.concat([Buffer.from(type, "latin1"), content]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  checksum.writeUInt32BE(crc32(typeAndContent));
  return Buffer.concat([length, typeAndContent, checksum]);
}

const WEBP_RENDERING_CHUNKS = new Set(["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP"]);
const WEBP_FLAGS = { exif: 0x08, xmp: 0x04 };
const WEBP_HEADER_LENGTH = 12;

function stripWebpMetadata(bytes: Buffer): Buffer {
  const end = 8 + readBytes(bytes, 4, 4).readUInt32LE();
  const keptChunks: Buffer[] = [];
  let orientation = UPRIGHT_ORIENTATION;
  for (let position = WEBP_HEADER_LENGTH; position < end;) {
    const header = readBytes(bytes, position, 8);
    const type = header.toString("latin1", 0, 4);
    const content = readBytes(bytes, position + 8, header.readUInt32LE(4));
    if (type === "EXIF")
      orientation = readOrientation(startsWith(content, EXIF_PREFIX) ? content.subarray(EXIF_PREFIX.length) : content);
    if (WEBP_RENDERING_CHUNKS.has(type)) keptChunks.push(buildWebpChunk(type, content));
    position += 8 + content.length + (content.length % 2);
  }
  const types = keptChunks.map((chunk) => chunk.toString("latin1", 0, 4));
  if (!types.some((type) => ["VP8 ", "VP8L", "ANMF"].includes(type))) throw new MalformedImageError("no image data");
  const header = types[0] === "VP8X" ? keptChunks[0] : undefined;
  const exif =
    header && orientation !== UPRIGHT_ORIENTATION ? [buildWebpChunk("EXIF", buildOrientationTiff(orientation))] : [];
  if (header) {
    const flags = byteAt(header, 8) & ~(WEBP_FLAGS.exif | WEBP_FLAGS.xmp);
    header[8] = flags | (exif.length > 0 ? WEBP_FLAGS.exif : 0);
  }
  const content = Buffer.concat([Buffer.from("WEBP", "latin1"), ...keptChunks, ...exif]);
  return buildWebpChunk("RIFF", content);
}

function buildWebpChunk(type: string, content: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.write(type, "latin1");
  header.writeUInt32LE(content.length, 4);
  return Buffer.concat([header, content, Buffer.alloc(content.length % 2)]);
}

/** Returns the orientation in a TIFF structure; upright if there is none or it can't be read. */
function readOrientation(tiff: Buffer): number {
  const byteOrder = tiff.toString("latin1", 0, 2);
  if (tiff.length < 8 || (byteOrder !== "II" && byteOrder !== "MM")) return UPRIGHT_ORIENTATION;
  const read16 = (offset: number) => (byteOrder === "II" ? tiff.readUInt16LE(offset) : tiff.readUInt16BE(offset));
  const directory = byteOrder === "II" ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (directory + 2 > tiff.length) return UPRIGHT_ORIENTATION;
  const count = read16(directory);
  for (let index = 0; index < count; index += 1) {
    const entry = directory + 2 + index * 12;
    if (entry + 12 > tiff.length) return UPRIGHT_ORIENTATION;
    if (read16(entry) !== ORIENTATION_TAG) continue;
    const orientation = read16(entry + 8);
    return orientation > UPRIGHT_ORIENTATION && orientation <= 8 ? orientation : UPRIGHT_ORIENTATION;
  }
  return UPRIGHT_ORIENTATION;
}

/** Builds a TIFF structure that contains only the orientation: one directory with one 16-bit entry. */
function buildOrientationTiff(orientation: number): Buffer {
  const tiff = Buffer.from("4d4d002a00000008000101120003000000010000000000000000", "hex");
  tiff.writeUInt16BE(orientation, 18);
  return tiff;
}

function startsWith(bytes: Buffer, prefix: Buffer): boolean {
  return bytes.subarray(0, prefix.length).equals(prefix);
}

function byteAt(bytes: Buffer, position: number): number {
  return readBytes(bytes, position, 1).readUInt8();
}

function readBytes(bytes: Buffer, position: number, length: number): Buffer {
  if (position + length > bytes.length) throw new MalformedImageError("it ends early");
  return bytes.subarray(position, position + length);
}
