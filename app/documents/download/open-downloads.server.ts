import type { ServerResponse } from "node:http";
import type { RouterContextProvider } from "react-router";
import { registerSessionsEndedHandler } from "../../accounts/ended-sessions.server.ts";
import { getSession } from "../../accounts/sessions/session.server.ts";
import { hasDownloadAccess } from "../../accounts/sessions/session-access.server.ts";
import { now } from "../../clock.ts";
import { SECOND_MS } from "../../duration.ts";
import { type ClosableStream, closableStream } from "../../files/closable-stream.server.ts";
import { nodeResponseContext } from "../../http/context.server.ts";

/** How long another process may go on sending after the session has ended. */
const CHECK_INTERVAL_MS = 5 * SECOND_MS;

/** The reader is not there anymore, or not signed in; not logged. */
export class DownloadAborted extends Error {
  override name = "DownloadAborted";
}

/** By person id: the open downloads of each session. */
const openDownloads = new Map<number, Set<{ sid: string; outgoing: ServerResponse }>>();

registerSessionsEndedHandler(async (userId) => {
  const downloads = [...(openDownloads.get(userId) ?? [])];
  for (const sid of new Set(downloads.map((download) => download.sid))) {
    if (await hasDownloadAccess(sid)) continue;
    for (const download of downloads) if (download.sid === sid) download.outgoing.destroy();
  }
});

/**
 * The same stream, which ends with its session: the response is destroyed when the session ends in this process, and
 * before the next bytes where it has ended in another one. Otherwise an export that is left unread would send what is
 * written long after a changed password.
 */
export function bindToSession(stream: ClosableStream, context: Readonly<RouterContextProvider>): ClosableStream {
  const session = getSession(context);
  const outgoing = context.get(nodeResponseContext);
  if (!session || !outgoing) return stream;
  const { sid, person } = session;
  const download = { sid, outgoing };
  const ofPerson = openDownloads.get(person.id) ?? new Set();
  openDownloads.set(person.id, ofPerson.add(download));
  outgoing.once("close", () => {
    ofPerson.delete(download);
    if (ofPerson.size === 0 && openDownloads.get(person.id) === ofPerson) openDownloads.delete(person.id);
  });
  let checkedAt = now().getTime();
  const next = async () => {
    if (now().getTime() - checkedAt >= CHECK_INTERVAL_MS) {
      if (!(await hasDownloadAccess(sid))) outgoing.destroy();
      checkedAt = now().getTime();
    }
    if (outgoing.destroyed) throw new DownloadAborted("The session has ended.");
    return stream.next();
  };
  return closableStream(next, () => stream.close());
}
