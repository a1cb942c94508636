import type { ServerResponse } from "node:http";
import type { RouterContextProvider } from "react-router";
import { registerSessionsEndedHandler } from "../../accounts/close-session-connections.server.ts";
import { getPossiblyRestrictedSession } from "../../accounts/sessions/session.server.ts";
import { canContinueDownload } from "../../accounts/sessions/can-continue-download.server.ts";
import { now } from "../../clock.ts";
import { SECOND_MS } from "../../time-units.ts";
import { type ClosableStream, createClosableStream } from "../../files/closable-stream.server.ts";
import { nodeResponseContext } from "../../http/request-context.server.ts";

/** How long another process may continue to send after the session has ended. */
const CHECK_INTERVAL_MS = 5 * SECOND_MS;

/** The client has disconnected or is no longer signed in. Not logged. */
export class DownloadAbortedError extends Error {
  override name = "DownloadAborted";
}

/** Calls `listener` when a response has closed, at once if it has: Node does not emit its "close" event again. */
export function onceClosed(outgoing: ServerResponse, listener: () => void): void {
  if (outgoing.closed) listener();
  else outgoing.once("close", listener);
}

/** The open downloads of each person, keyed by person id. */
const openDownloads = new Map<number, Set<{ sid: string; outgoing: ServerResponse }>>();

registerSessionsEndedHandler(async (userId) => {
  const downloads = [...(openDownloads.get(userId) ?? [])];
  for (const sid of new Set(downloads.map((download) => download.sid))) {
    if (await canContinueDownload(sid)) continue;
    for (const download of downloads) if (download.sid === sid) download.outgoing.destroy();
  }
});

/**
 * Returns the same stream, bound to its session: the response is destroyed when the session ends in this process. If
 * the session ends in another process, it is destroyed before the next bytes, checked every 5 s. Otherwise an export
 * that the client reads slowly could still send new data long after a password change.
 */
export function bindToSession(stream: ClosableStream, context: Readonly<RouterContextProvider>): ClosableStream {
  const session = getPossiblyRestrictedSession(context);
  const outgoing = context.get(nodeResponseContext);
  if (!session || !outgoing) return stream;
  const { sid, person } = session;
  const download = { sid, outgoing };
  const personDownloads = openDownloads.get(person.id) ?? new Set();
  openDownloads.set(person.id, personDownloads.add(download));
  onceClosed(outgoing, () => {
    personDownloads.delete(download);
    if (personDownloads.size === 0 && openDownloads.get(person.id) === personDownloads) openDownloads.delete(person.id);
  });
  let checkedAt = now().getTime();
  const next = async () => {
    if (now().getTime() - checkedAt >= CHECK_INTERVAL_MS) {
      if (!(await canContinueDownload(sid))) outgoing.destroy();
      checkedAt = now().getTime();
    }
    if (outgoing.destroyed) throw new DownloadAbortedError("The session has ended.");
    return stream.next();
  };
  return createClosableStream(next, () => stream.close());
}
