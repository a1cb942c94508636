// Proves that a multipart body with too many parts ends before the parser sees the chunk that has them.
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { expect, test, vi } from "vitest";
import { createPartLimitTransform } from "../../app/documents/upload/multipart-part-limit.server.ts";
import { parseUploadForm } from "../../app/documents/upload/upload-form-parser.server.ts";

const PART = Buffer.from('--edge\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n');
const END = Buffer.from("--edge--\r\n");

/** Sends the body in chunks of a size; returns how many bytes passed, or the name of the error. */
async function passedBytes(body: Buffer, chunkSize: number): Promise<number | string> {
  const chunks = Array.from({ length: Math.ceil(body.length / chunkSize) }, (_, index) =>
    body.subarray(index * chunkSize, (index + 1) * chunkSize),
  );
  const limit = createPartLimitTransform("edge", 3);
  Readable.from(chunks).pipe(limit);
  let passed = 0;
  try {
    for await (const chunk of limit) passed += (chunk as Buffer).length;
  } catch (error) {
    return (error as Error).name;
  }
  return passed;
}

test.each([1, 2, 5, 7, 8, 9, 64, 100_000])("three parts pass in chunks of %i bytes, four do not", async (chunkSize) => {
  const three = Buffer.concat([PART, PART, PART, END]);
  expect(await passedBytes(three, chunkSize)).toBe(three.length);
  expect(await passedBytes(Buffer.concat([PART, three]), chunkSize)).toBe("TooManyPartsError");
});

test("empty parts are counted, one delimiter after the other; the boundary without a line break is content", async () => {
  expect(await passedBytes(Buffer.from("--edge\r\n".repeat(5)), 100_000)).toBe("TooManyPartsError");
  const content = Buffer.concat([PART.subarray(0, -2), Buffer.from("--edge ".repeat(1_000)), Buffer.from("\r\n"), END]);
  expect(await passedBytes(content, 100)).toBe(content.length);
});

test("an upload's parser never sees a chunk with too many parts, not even a file at its beginning", async () => {
  const file = '--edge\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nDear\r\n';
  const body = Buffer.from(file + "--edge\r\n".repeat(26_000));
  const headers = { "content-type": "multipart/form-data; boundary=edge" };
  const request = Object.assign(Readable.from([body]), { headers, complete: true, socket: {} });
  const onFile = vi.fn<() => Promise<null>>(async () => null);
  await expect(parseUploadForm(request as unknown as IncomingMessage, {}, onFile)).rejects.toThrow("too many parts");
  expect(onFile).not.toHaveBeenCalled();
});
