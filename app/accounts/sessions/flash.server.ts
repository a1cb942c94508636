import { MINUTE_MS } from "../../time-units.ts";
import { createContext, redirect, redirectDocument, type RouterContextProvider } from "react-router";
import { now } from "../../clock.ts";
import { isUnreadable, decryptText, encryptText } from "../../db/text-encryption.server.ts";
import { HTTP_STATUS, type Refusal } from "../../http/outcome.ts";
import type { Notice } from "../../ui/toast.ts";
import { getPossiblyRestrictedSession, setDeferredSessionUpdate, setRetryAfter } from "./session.server.ts";
import { type PendingFlash, flushSessionUpdates, type SessionUpdate, updateSession } from "./session-store.server.ts";

const ENCRYPTED_FIELD = "sessions.sess";
const MAX_PENDING_FLASHES = 5;
/** Delay after which any page shows a message whose own page was not opened. */
const ANY_PAGE_DELAY_MS = 10_000;
/** Maximum age of a message. Older messages are dropped when a message is added. */
const FLASH_LIFETIME_MS = 5 * MINUTE_MS;

/** Whether nobody sees the page with which this request is answered. */
const isUnseenContext = createContext(false);
const immediateFlashContext = createContext<Notice | null>(null);

/** Stores a message in the session for the next page, or for the page `to`. */
export function flash(context: Readonly<RouterContextProvider>, notice: Notice, to?: string): void {
  const pending = createFlash(notice, to);
  setDeferredSessionUpdate(context, (data) => ({ ...data, notices: enqueueFlash(data.notices ?? [], pending) }));
}

/** Shows a message in the response to this request, even without a session. */
export function flashNow(context: Readonly<RouterContextProvider>, notice: Notice, retryAfterSeconds?: number): void {
  context.set(immediateFlashContext, notice);
  setRetryAfter(context, retryAfterSeconds);
}

/** Keeps the stored messages for later pages, because nobody sees the page with which this request is answered. */
export function keepFlashes(context: Readonly<RouterContextProvider>): void {
  context.set(isUnseenContext, true);
}

/** Returns the message to show at `path`. Removes it from the session, so that only one of several tabs shows it. */
export async function consumeFlash(context: Readonly<RouterContextProvider>, path: string): Promise<Notice | null> {
  if (context.get(isUnseenContext)) return null;
  const immediate = context.get(immediateFlashContext);
  if (immediate) return immediate;
  const session = getPossiblyRestrictedSession(context);
  const time = now().getTime();
  let consumed: PendingFlash | undefined;
  const removeFlash: SessionUpdate = (data) => {
    consumed = findFlash(data.notices ?? [], path, time);
    return { ...data, notices: data.notices?.filter((pending) => pending !== consumed) };
  };
  if (!session || !findFlash(session.data.notices ?? [], path, time)) return null;
  updateSession(session, removeFlash);
  await flushSessionUpdates(session);
  return consumed?.encrypted ? decryptNotice(consumed.encrypted) : null;
}

/** Redirects to `to` with a message; with `reloadDocument` the browser loads it as a new document. */
export function redirectWithFlash(
  context: Readonly<RouterContextProvider>,
  to: string,
  notice: Notice,
  reloadDocument = false,
): Response {
  flash(context, notice, to);
  return reloadDocument ? redirectDocument(to) : redirect(to);
}

/**
 * Shows why an action failed. After a refusal returns a redirect to `to`. Returns null if a dependency failed: the message
 * is in the response to this request, so that the same form can be sent again.
 */
export function redirectUnlessOutage(
  context: Readonly<RouterContextProvider>,
  to: string,
  notice: Notice,
  { reason, retryAfterSeconds }: Refusal,
): Response | null {
  if (HTTP_STATUS[reason] < 500) return redirectWithFlash(context, to, notice);
  flashNow(context, notice, retryAfterSeconds);
  return null;
}

/** Creates a stored message. It is encrypted, because a message can contain personal data such as a document's name. */
export function createFlash(notice: Notice, to?: string): PendingFlash {
  const path = to?.replace(/[?#].*/, "");
  return { encrypted: encryptText(JSON.stringify(notice), ENCRYPTED_FIELD), to: path, at: now().getTime() };
}

function decryptNotice(encrypted: string): Notice | null {
  const text = decryptText(encrypted, ENCRYPTED_FIELD);
  return isUnreadable(text) ? null : (JSON.parse(text) as Notice);
}

function enqueueFlash(queue: readonly PendingFlash[], newFlash: PendingFlash): PendingFlash[] {
  return [...queue.filter(({ at }) => at > newFlash.at - FLASH_LIFETIME_MS), newFlash].slice(-MAX_PENDING_FLASHES);
}

/** Returns the latest message for the page at `path`, so that several tabs each get their own. */
function findFlash(queue: readonly PendingFlash[], path: string, time: number): PendingFlash | undefined {
  return queue.findLast(({ to, at }) => to === undefined || to === path || at < time - ANY_PAGE_DELAY_MS);
}
