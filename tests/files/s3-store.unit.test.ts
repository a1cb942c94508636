// Proves that a stalled bucket ends a read with an error, and that closing a file releases its connection.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { createS3Store } from "../../app/files/s3-store.server.ts";
import { StorageUnavailableError } from "../../app/files/storage-errors.server.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** A bucket that sends half of every object, and then nothing. */
const halves: ServerResponse[] = [];
const bucket = createServer((request, response) => {
  response.writeHead(request.method === "GET" ? 206 : 200, { "Content-Length": 1000 });
  if (request.method === "HEAD") return response.end();
  response.write(Buffer.alloc(500));
  halves.push(response);
});
await new Promise<void>((resolve) => bucket.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${(bucket.address() as AddressInfo).port}/bucket`;
const store = createS3Store({ url, region: "r", accessKeyId: "id", secretAccessKey: "key" }, temporaryFolder("bucket"));

afterEach(() => vi.useRealTimers());
afterAll(() => {
  bucket.closeAllConnections();
  bucket.close();
});

async function readHalf() {
  const file = await store.open("key");
  const read = file!.createReader(0, 1000);
  expect(await read(Buffer.alloc(500))).toBe(500);
  return { file: file!, read };
}

test("a bucket that stops sending during a read is a StorageUnavailableError after 30 seconds", async () => {
  const { file, read } = await readHalf();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const rest = read(Buffer.alloc(500));
  vi.advanceTimersByTime(30_000);
  await expect(rest).rejects.toThrow(StorageUnavailableError);
  await file.close();
});

test("closing a partly read file closes its connection to the bucket", async () => {
  const { file } = await readHalf();
  const connection = halves.at(-1)!;
  await file.close();
  await vi.waitFor(() => expect(connection.destroyed).toBe(true));
});

test("orphaned objects on the second page of the bucket's list are deleted, too", async () => {
  const TOKEN = "1+a/b==&x";
  const [first, second] = ["a".repeat(48), "b".repeat(48)];
  const deleted: string[] = [];
  let lists = 0;
  const paged = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://bucket.invalid");
    if (request.method === "DELETE") deleted.push(pathname.split("/").at(-1) ?? "");
    else lists += 1;
    const isSecond = searchParams.get("continuation-token") === TOKEN;
    const next = isSecond || lists > 2 ? "" : "<NextContinuationToken>1+a/b==&amp;x</NextContinuationToken>";
    const key = `<Key>${isSecond ? second : first}</Key>`;
    response.end(`<R><Contents>${key}<LastModified>2020-01-01T00:00:00Z</LastModified></Contents>${next}</R>`);
  });
  await new Promise<void>((resolve) => paged.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(paged.address() as AddressInfo).port}/bucket`;
  const keys = { region: "r", accessKeyId: "id", secretAccessKey: "key" };
  const pagedStore = createS3Store({ url: address, ...keys }, temporaryFolder("paged"));
  expect(await pagedStore.deleteOrphans(new Set(), new Date())).toBe(2);
  expect(deleted).toEqual([first, second]);
  paged.close();
});
