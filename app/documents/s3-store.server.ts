import { createWriteStream, openAsBlob } from "node:fs";
import { mkdir, readdir, stat, statfs, unlink } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import type { AwsClient } from "aws4fetch";
import { isMissing, StoreUnreachable } from "./store-errors.server.ts";
import type { FileStore, StoredFile } from "./file-store.ts";

/** Whoever waits for us is told within 5 s. */
const ANSWER_MS = 4_000;
const SENDING_MS = 300_000;
const MAX_SILENCE_MS = 30_000;
const HOUR_MS = 3_600_000;

type Bucket = { url: string; region: string; accessKeyId: string; secretAccessKey: string };

/**
 * A bucket of an S3-compatible store, addressed by path. A file waits, sealed, in `folder` until it is whole: so it is
 * sent in one request with its length, is in the bucket wholly or not at all, and never in memory.
 */
export function s3Store(bucket: Bucket, folder: string): FileStore {
  const send = sender(bucket);
  const waiting = (key: string) => path.join(folder, `${key}.part`);
  return {
    async write(key, source) {
      await mkdir(folder, { recursive: true });
      try {
        await pipeline(source, createWriteStream(waiting(key)));
        // A bucket that is silent would be waited for as long as the largest file may take.
        await send("HEAD", `/${key}`);
        await send("PUT", `/${key}`, { body: await openAsBlob(waiting(key)), patienceMs: SENDING_MS });
      } finally {
        await unlink(waiting(key)).catch(isMissing);
      }
    },
    async open(key) {
      const head = await send("HEAD", `/${key}`);
      if (head.status === 404) return null;
      return storedObject(send, key, Number(head.headers.get("content-length")));
    },
    async remove(key) {
      await send("DELETE", `/${key}`);
    },
    async removeStrays(kept, before) {
      let removed = await removeWaiting(folder, before);
      // Another process may be about to write the record of a file that it has just sent.
      const latest = before.getTime() - HOUR_MS;
      for await (const { key, modified } of listed(send)) {
        if (kept.has(key) || modified >= latest || !/^[0-9a-f]{48}$/.test(key)) continue;
        await send("DELETE", `/${key}`);
        removed += 1;
      }
      return removed;
    },
    async answers() {
      await mkdir(folder, { recursive: true });
      return send("HEAD", "").then(
        (answer) => answer.ok,
        () => false,
      );
    },
    async space() {
      await mkdir(folder, { recursive: true });
      const { bavail, blocks, bsize } = await statfs(folder);
      return { free: bavail * bsize, whole: blocks * bsize };
    },
  };
}

function storedObject(send: Send, key: string, size: number): StoredFile {
  let bytes: AsyncIterator<Uint8Array> | undefined;
  const reading = new AbortController();
  const { signal } = reading;
  return {
    size,
    reader(from, to) {
      let left: Uint8Array = new Uint8Array();
      return async (target) => {
        const headers = { Range: `bytes=${from}-${to - 1}` };
        bytes ??= (await send("GET", `/${key}`, { headers, signal })).body?.values();
        let filled = 0;
        while (filled < target.length) {
          if (left.length === 0) {
            const next = bytes && (await nextPart(bytes, reading));
            if (!next || next.done) break;
            left = next.value;
          }
          const taken = left.subarray(0, target.length - filled);
          target.set(taken, filled);
          left = left.subarray(taken.length);
          filled += taken.length;
        }
        return filled;
      };
    },
    async close() {
      reading.abort();
      await bytes?.return?.().catch(() => {});
    },
  };
}

/** The next bytes of an object; a bucket that falls silent in the midst of one is as good as away. */
async function nextPart(bytes: AsyncIterator<Uint8Array>, reading: AbortController) {
  const timer = setTimeout(() => reading.abort(), MAX_SILENCE_MS);
  try {
    return await bytes.next();
  } catch (error) {
    throw new StoreUnreachable("The bucket broke an answer off.", { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

type Send = (
  method: string,
  address: string,
  options?: { body?: Blob; headers?: Record<string, string>; patienceMs?: number; signal?: AbortSignal },
) => Promise<Response>;

/** Signs and sends. Throws StoreUnreachable where no answer came, or one that is neither success nor 404. */
function sender({ url, region, accessKeyId, secretAccessKey }: Bucket): Send {
  let client: Promise<AwsClient> | undefined;
  const make = async () =>
    new (await import("aws4fetch")).AwsClient({ accessKeyId, secretAccessKey, region, service: "s3" });
  return async (method, address, { body, headers = {}, patienceMs = ANSWER_MS, signal } = {}) => {
    const { headers: signed } = await (await (client ??= make())).sign(url + address, { method, headers });
    const patience = new AbortController();
    const ends = signal ? AbortSignal.any([patience.signal, signal]) : patience.signal;
    const timer = setTimeout(() => patience.abort(), patienceMs);
    try {
      const init: RequestInit = { method, headers: signed, body, signal: ends };
      const answer = await fetch(url + address, init);
      if (answer.ok || answer.status === 404) return answer;
      await answer.body?.cancel();
      throw new StoreUnreachable(`The bucket answered ${method} with ${answer.status}.`);
    } catch (error) {
      if (error instanceof StoreUnreachable) throw error;
      throw new StoreUnreachable(`The bucket did not answer ${method}.`, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  };
}

async function* listed(send: Send): AsyncGenerator<{ key: string; modified: number }> {
  for (let token: string | undefined = ""; token !== undefined;) {
    const more: string = token && `&continuation-token=${encodeURIComponent(token)}`;
    const page: string = await (await send("GET", `?list-type=2${more}`)).text();
    for (const [, entry = ""] of page.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
      yield { key: word(entry, "Key") ?? "", modified: Date.parse(word(entry, "LastModified") ?? "") };
    }
    token = word(page, "NextContinuationToken");
  }
}

/** Our keys are letters and digits, and tokens are ASCII: of XML's escapes only the ampersand can occur. */
function word(xml: string, name: string): string | undefined {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]?.replaceAll("&amp;", "&");
}

/** Files that a process which is gone was receiving. */
async function removeWaiting(folder: string, before: Date): Promise<number> {
  let removed = 0;
  for (const name of await readdir(folder).catch(() => [])) {
    const file = path.join(folder, name);
    if (!name.endsWith(".part") || (await stat(file)).mtimeMs >= before.getTime()) continue;
    await unlink(file).catch(isMissing);
    removed += 1;
  }
  return removed;
}
