import { inflateRawSync } from "node:zlib";
import { expect } from "vitest";
import type { TestResponse } from "./http-client.ts";

const DEFLATED = 8;

/** The entries of an archive by its directory: their names, each there once, and their bytes. */
export function zipEntries({ bytes }: TestResponse): Record<string, Buffer> {
  const entries: Record<string, Buffer> = {};
  const end = bytes.lastIndexOf(Buffer.from("PK\x05\x06", "latin1"));
  let at = bytes.readUInt32LE(end + 16);
  for (let count = bytes.readUInt16LE(end + 10); count > 0; count -= 1) {
    const [compressedSize, local] = [bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 42)];
    const [method, nameLength, extraLength, commentLength] = [10, 28, 30, 32].map((offset) =>
      bytes.readUInt16LE(at + offset),
    ) as [number, number, number, number];
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const name = bytes.subarray(at + 46, at + 46 + nameLength).toString("utf8");
    expect(entries).not.toHaveProperty([name]);
    const stored = bytes.subarray(start, start + compressedSize);
    entries[name] = method === DEFLATED ? inflateRawSync(stored) : stored;
    at += 46 + nameLength + extraLength + commentLength;
  }
  return entries;
}
