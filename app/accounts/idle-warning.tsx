import { useCallback, useEffect, useRef, useState } from "react";
import { Button } from "../ui/button.tsx";
import { watchSignIn } from "../ui/sign-in-channel.ts";
import { registerDialog } from "../ui/top-dialog.ts";

const WARNING_MS = 2 * 60_000;
const MINUTE_MS = 60_000;
/** The longest wait that a browser's timer keeps. */
const MAX_TIMER_MS = 2 ** 31 - 1;

type SessionExpiry = { remainingMs: number } | null;

/**
 * Warns two minutes before a sign-in ends for want of activity. Esc and the button mean "stay". Another tab may have
 * been busy meanwhile, so the server is asked before anyone is warned.
 */
export function IdleWarning({ remainingMs }: { remainingMs: number }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [remaining, setRemaining] = useState(remainingMs);
  const isWarning = remaining <= WARNING_MS + 1000;
  useEffect(() => setRemaining(remainingMs), [remainingMs]);

  const refreshExpiry = useCallback(async (method: "GET" | "POST") => {
    const remainingNow = await fetchRemainingMs(method);
    if (remainingNow !== null) return setRemaining(remainingNow);
    await redirectToLogin();
  }, []);

  useEffect(() => {
    if (isWarning && !dialog.current?.open) dialog.current?.showModal();
    if (!isWarning) dialog.current?.close();
    const delayMs = isWarning ? Math.min(remaining + 500, MINUTE_MS) : Math.min(remaining - WARNING_MS, MAX_TIMER_MS);
    const timer = setTimeout(() => void refreshExpiry("GET"), delayMs);
    return () => clearTimeout(timer);
  }, [remaining, isWarning, refreshExpiry]);

  useEffect(() => watchSignIn(() => void refreshExpiry("GET")), [refreshExpiry]);

  useEffect(() => (isWarning && dialog.current ? registerDialog(dialog.current) : undefined), [isWarning]);
  const minutes = Math.max(1, Math.round(remaining / MINUTE_MS));
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby="idle-title"
      onCancel={(event) => {
        event.preventDefault();
        void refreshExpiry("POST");
      }}
    >
      <h2 id="idle-title">Are you still there?</h2>
      <p role="status">
        To keep families' details private, you will be signed out in about{" "}
        {minutes === 1 ? "1 minute" : `${minutes} minutes`}. What you have typed on this page is kept for an hour, until
        you sign in again. Files and passwords are not.
      </p>
      <Button variant="primary" type="button" autoFocus onClick={() => void refreshExpiry("POST")}>
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
 * Goes to the sign-in and from there back to this page, with what was typed on it. Several parts of a page may notice
 * in the same moment that the sign-in has ended; it is kept once, or one's words would lie under another's key.
 */
export function redirectToLogin(): Promise<void> {
  return (redirecting ??= saveAndRedirect());
}

async function saveAndRedirect(): Promise<void> {
  // Back in view out of the browser's cache, the page leaves once more.
  window.addEventListener("pagehide", () => (redirecting = null), { once: true });
  await saveUnsentForm();
  window.location.assign(`/login?redirectTo=${encodeURIComponent(location.pathname + location.search)}`);
}

/** The sign-in has ended: what stands half-typed on this page waits for its return. Sent where nothing is done with it. */
async function saveUnsentForm(): Promise<void> {
  const form = [...document.querySelectorAll<HTMLFormElement>("form[method=post]")].find(isDirty);
  if (!form) return;
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === "string") body.append(name, value);
  await fetch("/stay-signed-in", { method: "POST", body, redirect: "manual" }).catch(() => null);
}

function isDirty(form: HTMLFormElement): boolean {
  return [...form.elements].some((element) => {
    if (element instanceof HTMLTextAreaElement) return element.value !== element.defaultValue;
    if (element instanceof HTMLSelectElement)
      return [...element.options].some((option) => option.selected !== option.defaultSelected);
    if (!(element instanceof HTMLInputElement) || element.type === "hidden" || element.type === "password")
      return false;
    return element.value !== element.defaultValue || element.checked !== element.defaultChecked;
  });
}

async function fetchRemainingMs(method: "GET" | "POST"): Promise<number | null> {
  try {
    const response = await fetch(`/stay-signed-in${method === "GET" ? "?refresh" : ""}`, { method });
    // A server that is busy or starting anew says nothing of the sign-in.
    if (!response.ok) return WARNING_MS + MINUTE_MS;
    const expiry = response.headers.get("content-type")?.includes("json")
      ? ((await response.json()) as SessionExpiry)
      : null;
    return expiry && expiry.remainingMs > 0 ? expiry.remainingMs : null;
  } catch {
    // Offline: nothing can be lost by waiting another minute.
    return WARNING_MS + MINUTE_MS;
  }
}
