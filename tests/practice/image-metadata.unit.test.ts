// Proves that metadata is removed from a portrait, and that its image data and orientation are kept.
import { crc32, deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { stripImageMetadata } from "../../app/practice/strip-image-metadata.server.ts";

const SECRET = "GPS 40.7128 N";
const SECRET_BYTES = Buffer.from(SECRET);

/** A TIFF directory with an orientation and a text. */
function tiff(orientation: number, order: "II" | "MM" = "II"): Buffer {
  const bytes = Buffer.alloc(8 + 2 + 2 * 12 + 4);
  const [write16, write32] =
    order === "II"
      ? [bytes.writeUInt16LE.bind(bytes), bytes.writeUInt32LE.bind(bytes)]
      : [bytes.writeUInt16BE.bind(bytes), bytes.writeUInt32BE.bind(bytes)];
  bytes.write(order, "latin1");
  write16(42, 2);
  write32(8, 4);
  write16(2, 8);
  for (const [index, [tag, value]] of [
    [0x010e, 0],
    [0x0112, orientation],
  ].entries()) {
    const entry = 10 + index * 12;
    write16(tag ?? 0, entry);
    write16(3, entry + 2);
    write32(1, entry + 4);
    write16(value ?? 0, entry + 8);
  }
  return Buffer.concat([bytes, SECRET_BYTES]);
}

function segment(marker: number, content: Buffer | string): Buffer {
  const bytes = Buffer.from(content as string, "latin1");
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(bytes.length + 2, 2);
  return Buffer.concat([head, bytes]);
}

const START = Buffer.from([0xff, 0xd8]);
const END = Buffer.from([0xff, 0xd9]);
const JFIF = segment(0xe0, "JFIF\0\u0001\u0001\0\0\u0001\0\u0001\0\0");
const ICC = segment(0xe2, "ICC_PROFILE\0\u0001\u0001profile");
const ADOBE = segment(0xee, "Adobe\0d\0\0\0\0\u0001");
const TABLE = segment(0xdb, Buffer.alloc(65));
const SCAN = Buffer.concat([segment(0xda, "\u0001\u0001\0\0?\0"), Buffer.from("12ff0034ffd156ffff00", "hex")]);
const exif = (orientation: number, order?: "II" | "MM") =>
  segment(0xe1, Buffer.concat([Buffer.from("Exif\0\0", "latin1"), tiff(orientation, order)]));
const ABOUT = [
  segment(0xe1, `http://ns.adobe.com/xap/1.0/\0${SECRET}`),
  segment(0xed, `Photoshop 3.0\0${SECRET}`),
  segment(0xe2, `MPF\0${SECRET}`),
  segment(0xe0, `JFXX\0${SECRET}`),
  segment(0xec, SECRET),
  segment(0xfe, SECRET),
];

function pngChunk(type: string, content: Buffer | string): Buffer {
  const typed = Buffer.concat([Buffer.from(type, "latin1"), Buffer.from(content as string, "latin1")]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(typed.length - 4);
  checksum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, checksum]);
}

const PNG_START = Buffer.from("89504e470d0a1a0a", "hex");
const IHDR = pngChunk("IHDR", Buffer.from("00000001000000010802000000", "hex"));
const DRAWN = [
  pngChunk("iCCP", "profile"),
  pngChunk("gAMA", "\0\0\u0001\0"),
  pngChunk("IDAT", deflateSync(Buffer.alloc(4))),
];
const PNG_END = pngChunk("IEND", "");
const PNG_ABOUT = ["tEXt", "zTXt", "iTXt", "tIME", "prVt", "ABCD"].map((type) => pngChunk(type, SECRET));

function webpChunk(type: string, content: Buffer | string): Buffer {
  const bytes = Buffer.from(content as string, "latin1");
  const head = Buffer.alloc(8);
  head.write(type, "latin1");
  head.writeUInt32LE(bytes.length, 4);
  return Buffer.concat([head, bytes, Buffer.alloc(bytes.length % 2)]);
}

const riff = (...chunks: Buffer[]) => webpChunk("RIFF", Buffer.concat([Buffer.from("WEBP"), ...chunks]));
const vp8x = (flags: number) => webpChunk("VP8X", Buffer.from([flags, 0, 0, 0, 0, 0, 0, 0, 0, 0]));
const VP8 = webpChunk("VP8 ", "pixels!");
const WEBP_ABOUT = [webpChunk("XMP ", SECRET), webpChunk("ABCD", SECRET)];

const strip = (type: string, ...parts: Buffer[]) => stripImageMetadata(Buffer.concat(parts), `image/${type}`);

describe("removing metadata from a portrait", () => {
  test("keeps only a JPEG's tables, scans and color profile, and drops bytes after its end marker", () => {
    const stripped = strip(
      "jpeg",
      START,
      JFIF,
      exif(1),
      ...ABOUT,
      ICC,
      ADOBE,
      TABLE,
      SCAN,
      segment(0xfe, SECRET),
      SCAN,
      END,
      SECRET_BYTES,
    );
    expect(stripped).toEqual(Buffer.concat([START, JFIF, ICC, ADOBE, TABLE, SCAN, SCAN, END]));
  });

  test.each(["II", "MM"] as const)("keeps a JPEG's orientation (EXIF byte order %s)", (order) => {
    for (let orientation = 2; orientation <= 8; orientation += 1) {
      const stripped = strip("jpeg", START, exif(orientation, order), JFIF, TABLE, SCAN, END)!;
      expect(stripped.includes(SECRET_BYTES)).toBe(false);
      expect(stripped.subarray(0, 2 + JFIF.length)).toEqual(Buffer.concat([START, JFIF]));
      const at = stripped.indexOf("Exif\0\0MM", 0, "latin1");
      expect([at, stripped.readUInt16BE(at + 6 + 10), stripped.readUInt16BE(at + 6 + 18)]).toEqual([
        2 + JFIF.length + 4,
        0x0112,
        orientation,
      ]);
      expect(strip("jpeg", stripped)).toEqual(stripped);
    }
  });

  test("keeps only a PNG's image chunks and its orientation", () => {
    const stripped = strip(
      "png",
      PNG_START,
      IHDR,
      ...PNG_ABOUT,
      pngChunk("eXIf", tiff(1)),
      ...DRAWN,
      PNG_END,
      SECRET_BYTES,
    );
    expect(stripped).toEqual(Buffer.concat([PNG_START, IHDR, ...DRAWN, PNG_END]));
    const turned = strip("png", PNG_START, IHDR, pngChunk("eXIf", tiff(6)), ...DRAWN, PNG_END)!;
    const own = Buffer.from("4d4d002a00000008000101120003000000010006000000000000", "hex");
    expect(turned).toEqual(Buffer.concat([PNG_START, IHDR, pngChunk("eXIf", own), ...DRAWN, PNG_END]));
    expect(strip("png", turned)).toEqual(turned);
  });

  test("keeps only a WebP's image chunks and its orientation, and updates its header", () => {
    const stripped = strip(
      "webp",
      riff(vp8x(0x3c), webpChunk("ICCP", "icc"), VP8, webpChunk("EXIF", tiff(1)), ...WEBP_ABOUT),
      SECRET_BYTES,
    );
    expect(stripped).toEqual(riff(vp8x(0x30), webpChunk("ICCP", "icc"), VP8));
    const turned = strip("webp", riff(vp8x(0x0c), VP8, webpChunk("EXIF", tiff(8)), ...WEBP_ABOUT))!;
    expect(turned.includes(SECRET_BYTES)).toBe(false);
    expect([turned[20], turned.at(-7)]).toEqual([0x08, 8]);
    expect(strip("webp", turned)).toEqual(turned);
    expect(strip("webp", riff(VP8))).toEqual(riff(VP8));
  });

  test("returns null for a file that is truncated at any byte", () => {
    const files = {
      jpeg: Buffer.concat([START, JFIF, exif(6), TABLE, SCAN, END]),
      png: Buffer.concat([PNG_START, IHDR, pngChunk("eXIf", tiff(6)), ...DRAWN, PNG_END]),
      webp: riff(vp8x(0x0c), VP8, webpChunk("EXIF", tiff(8))),
    };
    for (const [type, file] of Object.entries(files)) {
      expect(strip(type, file)).not.toBeNull();
      for (let length = 12; length < file.length - 1; length += 1)
        expect([type, length, strip(type, file.subarray(0, length))]).toEqual([type, length, null]);
    }
  });

  test("returns null for wrong lengths or missing image data; a malformed EXIF segment is only dropped", () => {
    const long = Buffer.from("ffe1ffff", "hex");
    expect(strip("jpeg", START, long, END)).toBeNull();
    expect(strip("jpeg", START, Buffer.from("ffe10001", "hex"), END)).toBeNull();
    expect(strip("jpeg", START, SECRET_BYTES, END)).toBeNull();
    expect(strip("png", PNG_START, IHDR, PNG_END)).toBeNull();
    expect(strip("png", PNG_START, ...DRAWN, PNG_END)).toBeNull();
    expect(strip("webp", riff(...WEBP_ABOUT))).toBeNull();
    const wild = Buffer.concat([Buffer.from("Exif\0\0II*\0", "latin1"), Buffer.from("ffffffff", "hex"), SECRET_BYTES]);
    expect(strip("jpeg", START, segment(0xe1, wild), TABLE, SCAN, END)).toEqual(
      Buffer.concat([START, TABLE, SCAN, END]),
    );
    expect(stripImageMetadata(PNG_START, "image/gif")).toBeNull();
  });
});
