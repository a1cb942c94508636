import { createWriteStream, openAsBlob } from "node:fs";
import { mkdir, readdir, statfs, unlink } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import type { AwsClient } from "aws4fetch";
import { HOUR_MS } from "../time-units.ts";
import { isFileOlderThan } from "../file-age.server.ts";
import { runWithSlotReleased } from "../http/fair-queue/fair-queue-middleware.server.ts";
import { nullIfFileNotFound, StorageUnavailableError } from "./storage-errors.server.ts";
import type { FileStore, StoredFile } from "./file-store.ts";

/** Time limit for a response. Leaves one second of the 5 s within which a request must be answered. */
const RESPONSE_TIMEOUT_MS = 4_000;
const PUT_TIMEOUT_MS = 300_000;
const READ_IDLE_TIMEOUT_MS = 30_000;

type Bucket = { url: string; region: string; accessKeyId: string; secretAccessKey: string };

/**
 * Stores files in an S3-compatible bucket, with path-style addresses. A file is staged, encrypted, in `folder` until it
 * is complete. Then a single PUT with its length creates the whole object or nothing, and the file is never held in
 * memory.
 */
export function createS3Store(bucket: Bucket, folder: string): FileStore {
  const request = createSignedFetch(bucket);
  const stagingPath = (key: string) => path.join(folder, `${key}.part`);
  return {
    async write(key, source) {
      await mkdir(folder, { recursive: true });
      try {
        await pipeline(source, createWriteStream(stagingPath(key)));
        // Detects an unreachable bucket within 4 s, before a PUT that may take 5 minutes.
        await request("HEAD", `/${key}`);
        await request("PUT", `/${key}`, { body: await openAsBlob(stagingPath(key)), timeoutMs: PUT_TIMEOUT_MS });
      } finally {
        await unlink(stagingPath(key)).catch(nullIfFileNotFound);
      }
    },
    async open(key) {
      const head = await request("HEAD", `/${key}`);
      if (head.status === 404) return null;
      return openObject(request, key, Number(head.headers.get("content-length")));
    },
    async remove(key) {
      await request("DELETE", `/${key}`);
    },
    async deleteOrphans(knownKeys, before) {
      let deletedCount = await deleteStagedFiles(folder, before);
      // Another process may be about to insert the record of a file that it has just uploaded.
      const latestModifiedAtMs = before.getTime() - HOUR_MS;
      for await (const { key, modified } of listObjects(request)) {
        if (knownKeys.has(key) || modified >= latestModifiedAtMs || !/^[0-9a-f]{48}$/.test(key)) continue;
        await request("DELETE", `/${key}`);
        deletedCount += 1;
      }
      return deletedCount;
    },
    async ping() {
      await mkdir(folder, { recursive: true });
      return request("HEAD", "").then(
        (response) => response.ok,
        () => false,
      );
    },
    async diskSpace() {
      await mkdir(folder, { recursive: true });
      const { bavail, blocks, bsize } = await statfs(folder);
      return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
    },
  };
}

function openObject(request: SignedFetch, key: string, size: number): StoredFile {
  let body: AsyncIterator<Uint8Array> | undefined;
  const readAbortController = new AbortController();
  const { signal } = readAbortController;
  return {
    size,
    createReader(from, to) {
      let bufferedBytes: Uint8Array = new Uint8Array();
      return async (target) => {
        const headers = { Range: `bytes=${from}-${to - 1}` };
        body ??= (await request("GET", `/${key}`, { headers, signal })).body?.values();
        let filledBytes = 0;
        while (filledBytes < target.length) {
          if (bufferedBytes.length === 0) {
            const next = body && (await nextBytes(body, readAbortController));
            if (!next || next.done) break;
            bufferedBytes = next.value;
          }
          const copiedBytes = bufferedBytes.subarray(0, target.length - filledBytes);
          target.set(copiedBytes, filledBytes);
          bufferedBytes = bufferedBytes.subarray(copiedBytes.length);
          filledBytes += copiedBytes.length;
        }
        return filledBytes;
      };
    },
    async close() {
      readAbortController.abort();
      await body?.return?.().catch(() => {});
    },
  };
}

/** Returns the next bytes of an object. Throws StorageUnavailableError if none arrive within 30 s. */
async function nextBytes(body: AsyncIterator<Uint8Array>, readAbortController: AbortController) {
  const timer = setTimeout(() => readAbortController.abort(), READ_IDLE_TIMEOUT_MS);
  try {
    return await body.next();
  } catch (error) {
    throw new StorageUnavailableError("The bucket broke off a response.", { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

type SignedFetch = (
  method: string,
  pathAndQuery: string,
  options?: { body?: Blob; headers?: Record<string, string>; timeoutMs?: number; signal?: AbortSignal },
) => Promise<Response>;

/**
 * Creates a function that signs and sends a request. It throws StorageUnavailableError unless the response is a success
 * or a 404.
 */
function createSignedFetch({ url, region, accessKeyId, secretAccessKey }: Bucket): SignedFetch {
  let client: Promise<AwsClient> | undefined;
  const createClient = async () =>
    new (await import("aws4fetch")).AwsClient({ accessKeyId, secretAccessKey, region, service: "s3" });
  return async (method, pathAndQuery, { body, headers = {}, timeoutMs = RESPONSE_TIMEOUT_MS, signal } = {}) => {
    const { headers: signedHeaders } = await (
      await (client ??= createClient())
    ).sign(url + pathAndQuery, { method, headers });
    const controller = new AbortController();
    const combinedSignal = signal ? AbortSignal.any([controller.signal, signal]) : controller.signal;
    const timer = setTimeout(() => controller.abort(), timeoutMs);
    try {
      const init: RequestInit = {
        method,
        headers: signedHeaders,
        body,
        signal: combinedSignal,
        redirect: "error",
      };
      const response = await runWithSlotReleased(() => fetch(url + pathAndQuery, init));
      if (response.ok || response.status === 404) return response;
      await response.body?.cancel();
      throw new StorageUnavailableError(`The bucket answered ${method} with ${response.status}.`);
    } catch (error) {
      if (error instanceof StorageUnavailableError) throw error;
      throw new StorageUnavailableError(`The bucket did not answer ${method}.`, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  };
}

async function* listObjects(request: SignedFetch): AsyncGenerator<{ key: string; modified: number }> {
  for (let token: string | undefined = ""; token !== undefined;) {
    const tokenQuery: string = token && `&continuation-token=${encodeURIComponent(token)}`;
    const page: string = await (await request("GET", `?list-type=2${tokenQuery}`)).text();
    for (const [, entry = ""] of page.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
      yield { key: xmlText(entry, "Key") ?? "", modified: Date.parse(xmlText(entry, "LastModified") ?? "") };
    }
    token = xmlText(page, "NextContinuationToken");
  }
}

/**
 * Returns the text of an XML element. Keys are letters and digits and tokens are ASCII, so `&amp;` is the only XML
 * escape that can occur.
 */
function xmlText(xml: string, name: string): string | undefined {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]?.replaceAll("&amp;", "&");
}

/** Deletes staged files of processes that have ended. */
async function deleteStagedFiles(folder: string, before: Date): Promise<number> {
  let deletedCount = 0;
  for (const name of await readdir(folder).catch(() => [])) {
    const file = path.join(folder, name);
    if (!name.endsWith(".part") || !(await isFileOlderThan(file, before))) continue;
    await unlink(file).catch(nullIfFileNotFound);
    deletedCount += 1;
  }
  return deletedCount;
}
