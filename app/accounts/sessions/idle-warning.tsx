import { useCallback, useEffect, useRef, useState } from "react";
import { MINUTE_MS } from "../../duration.ts";
import { Button } from "../../ui/button.tsx";
import { isDirty } from "../../ui/is-dirty.ts";
import { watchSignOut } from "../../ui/sign-out-channel.ts";
import { registerDialog } from "../../ui/top-dialog.ts";

const WARNING_MS = 2 * MINUTE_MS;
/** The maximum delay of setTimeout. */
const MAX_TIMER_MS = 2 ** 31 - 1;

type SessionExpiry = { remainingMs: number } | null;

/**
 * Warns two minutes before the session ends for inactivity. Esc and the button mean "stay". Another tab may have been
 * active meanwhile, so the server's remaining time is fetched before the warning appears.
 */
export function IdleWarning({ remainingMs }: { remainingMs: number }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [remaining, setRemaining] = useState(remainingMs);
  const isWarning = remaining <= WARNING_MS + 1000;
  useEffect(() => setRemaining(remainingMs), [remainingMs]);

  const applyRemaining = useCallback(async (request: Promise<number | null>) => {
    const remainingNow = await request;
    if (remainingNow !== null) return setRemaining(remainingNow);
    await saveFormAndGoToLogin();
  }, []);

  useEffect(() => {
    if (isWarning && !dialog.current?.open) dialog.current?.showModal();
    if (!isWarning) dialog.current?.close();
    const delayMs = isWarning ? Math.min(remaining + 500, MINUTE_MS) : Math.min(remaining - WARNING_MS, MAX_TIMER_MS);
    const timer = setTimeout(() => void applyRemaining(fetchRemainingMs()), delayMs);
    return () => clearTimeout(timer);
  }, [remaining, isWarning, applyRemaining]);

  useEffect(() => watchSignOut(() => void applyRemaining(fetchRemainingMs())), [applyRemaining]);

  useEffect(() => (isWarning && dialog.current ? registerDialog(dialog.current) : undefined), [isWarning]);
  const minutes = Math.max(1, Math.round(remaining / MINUTE_MS));
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby="idle-title"
      onCancel={(event) => {
        event.preventDefault();
        void applyRemaining(extendSession());
      }}
    >
      <h2 id="idle-title">Are you still there?</h2>
      <p role="status">
        To keep families' details private, you will be signed out in about{" "}
        {minutes === 1 ? "1 minute" : `${minutes} minutes`}. What you have typed on this page is kept for an hour, until
        you sign in again. Files and passwords are not.
      </p>
      <Button variant="primary" type="button" autoFocus onClick={() => void applyRemaining(extendSession())}>
        Stay signed in
      </Button>
      <form method="post" action="/logout">
        <Button variant="secondary" type="submit">
          Sign out now
        </Button>
      </form>
    </dialog>
  );
}

let redirecting: Promise<void> | null = null;

/**
 * Saves the unsent form, then goes to the sign-in, which leads back to this page. Several parts of a page may find the
 * session ended at once; they share one save, because a second one would replace the first under a new key.
 */
export function saveFormAndGoToLogin(): Promise<void> {
  return (redirecting ??= saveAndRedirect());
}

async function saveAndRedirect(): Promise<void> {
  // A page that the browser restores from its back/forward cache can redirect again.
  window.addEventListener("pagehide", () => (redirecting = null), { once: true });
  await saveUnsentForm();
  window.location.assign(`/login?redirectTo=${encodeURIComponent(location.pathname + location.search)}`);
}

/** Sends the first edited form of the page to the server, which stores it until the person has signed in again. */
async function saveUnsentForm(): Promise<void> {
  const form = [...document.querySelectorAll<HTMLFormElement>("form[method=post]")].find(isDirty);
  if (!form) return;
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === "string") body.append(name, value);
  await fetch("/stay-signed-in", { method: "POST", body, redirect: "manual" }).catch(() => null);
}

/** The milliseconds until the session ends; null when it has ended. Asking does not extend it. */
function fetchRemainingMs(): Promise<number | null> {
  return requestRemainingMs("?refresh", "GET");
}

/** Extends the session. Returns what `fetchRemainingMs` does. */
function extendSession(): Promise<number | null> {
  return requestRemainingMs("", "POST");
}

async function requestRemainingMs(query: string, method: "GET" | "POST"): Promise<number | null> {
  try {
    const response = await fetch(`/stay-signed-in${query}`, { method });
    // An overloaded or restarting server tells nothing about the session: check again in a minute.
    if (!response.ok) return WARNING_MS + MINUTE_MS;
    const expiry = response.headers.get("content-type")?.includes("json")
      ? ((await response.json()) as SessionExpiry)
      : null;
    return expiry && expiry.remainingMs > 0 ? expiry.remainingMs : null;
  } catch {
    // Offline: check again in a minute.
    return WARNING_MS + MINUTE_MS;
  }
}
