import type { ServerResponse } from "node:http";
import type { RouterContextProvider } from "react-router";
import { isNewAccount } from "../../accounts/new-account.server.ts";
import { getPossiblyRestrictedSession } from "../../accounts/sessions/session.server.ts";
import { env } from "../../env.server.ts";
import { markDownload } from "../../http/http-connections.server.ts";
import { clientIpContext, nodeResponseContext } from "../../http/request-context.server.ts";
import { NetworkConcurrency } from "../../http/network-concurrency.server.ts";
import { type Refusal, refused } from "../../http/outcome.ts";
import { watchMinimumTransferRate } from "../minimum-transfer-rate.server.ts";

/**
 * Maximum number of concurrent downloads.
 * `session`: more than the six HTTP/1.1 connections of a browser. `person`: for all devices together.
 * `network`: for the new accounts of a network; 1.5 times as many for an IPv6 /56, twice as many for a /48. Each new
 * account may always open `own` downloads, and established families don't count.
 * `process`: a stalled download takes up to 370 KB, so 300 of them leave a third of 512 MB free. New accounts, which
 * anybody can create, may use at most half of it (`newAccounts`).
 */
export const DOWNLOAD_LIMITS = { session: 8, person: 24, own: 4, network: 24, newAccounts: 150, process: 300 };
const RETRY_AFTER_SECONDS = 10;

const MIN_RATE_WINDOWS = 12;
/**
 * Minimum number of bytes in any two minutes: about 1 kbit/s. The storage delivers 64 KiB at a time, so shorter windows
 * may see no bytes.
 */
const MIN_BYTES_PER_PERIOD = 16 * 1024;

const openCountsBySession = new Map<string, number>();
const openCountsByPerson = new Map<number, number>();
const networkConcurrency = new NetworkConcurrency();
let openCount = 0;

/**
 * Counts a download until its response closes, and aborts one that is read too slowly. Refuses with tooMany (429) above
 * the limit of the session, the person or the network, which RATE_LIMITS=off turns off, and with unavailable (503)
 * above the limits of the process. Returns null if the download may start.
 */
export async function admitDownload(context: Readonly<RouterContextProvider>): Promise<Refusal | null> {
  const session = getPossiblyRestrictedSession(context);
  const outgoing = context.get(nodeResponseContext);
  if (!session || !outgoing) return null;
  const { sid, person } = session;
  const isNew = env.isRateLimitingEnabled && !person.isAdmin && (await isNewAccount(person.id));
  const ip = isNew ? context.get(clientIpContext) : null;
  const isWithinNewAccountShare = openCount < DOWNLOAD_LIMITS.newAccounts || !isNew;
  const openCountOfPerson = openCountsByPerson.get(person.id) ?? 0;
  const isFull =
    (openCountsBySession.get(sid) ?? 0) >= DOWNLOAD_LIMITS.session ||
    openCountOfPerson >= DOWNLOAD_LIMITS.person ||
    (ip !== null &&
      openCountOfPerson >= DOWNLOAD_LIMITS.own &&
      networkConcurrency.findNetworkAtLimit(ip, 1, DOWNLOAD_LIMITS.network) !== null);
  if (env.isRateLimitingEnabled && isFull) {
    const concurrencyRefusal = refused(
      "tooMany",
      "Too many downloads at once. Please wait until one is done, then try again.",
    );
    return { ...concurrencyRefusal, retryAfterSeconds: RETRY_AFTER_SECONDS };
  }
  if (openCount >= DOWNLOAD_LIMITS.process || !isWithinNewAccountShare) {
    const busyRefusal = refused("unavailable", "Too many downloads are open right now. Please try again in a minute.");
    return { ...busyRefusal, retryAfterSeconds: RETRY_AFTER_SECONDS };
  }
  const adjustCounts = (change: 1 | -1) => {
    adjustCount(openCountsBySession, sid, change);
    adjustCount(openCountsByPerson, person.id, change);
    if (ip !== null) networkConcurrency.add(ip, change);
    openCount += change;
  };
  // If the client disconnected during the query, `close` is not emitted again.
  if (outgoing.destroyed) return null;
  adjustCounts(1);
  markDownload(outgoing);
  const stopRateCheck = enforceMinimumDownloadRate(outgoing);
  outgoing.once("close", () => {
    stopRateCheck();
    adjustCounts(-1);
  });
  return null;
}

/** Destroys a connection whose client reads less than the minimum. Returns a function that stops this. */
function enforceMinimumDownloadRate(outgoing: ServerResponse): () => void {
  const { socket } = outgoing;
  if (!socket) return () => {};
  return watchMinimumTransferRate({
    countBytes: () => socket.bytesWritten - socket.writableLength,
    minBytes: MIN_BYTES_PER_PERIOD,
    windowCount: MIN_RATE_WINDOWS,
    onTooSlow: () => socket.destroy(),
  });
}

function adjustCount<Key>(counts: Map<Key, number>, key: Key, change: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
