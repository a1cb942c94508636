import { useCallback, useEffect, useRef, useState } from "react";
import { Button } from "../ui/button.tsx";
import { watchSignIn } from "../ui/sign-in-channel.ts";
import { registerDialog } from "../ui/top-dialog.ts";

const WARN_MS = 2 * 60_000;
const MINUTE = 60_000;
/** The longest wait that a browser's timer keeps. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

type SessionEnd = { remainingMs: number } | null;

/**
 * Warns two minutes before a sign-in ends for want of activity. Esc and the button mean "stay". Another tab may have
 * been busy meanwhile, so the server is asked before anyone is warned.
 */
export function IdleWarning({ remainingMs }: { remainingMs: number }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [left, setLeft] = useState(remainingMs);
  const isWarned = left <= WARN_MS + 1000;
  useEffect(() => setLeft(remainingMs), [remainingMs]);

  const ask = useCallback(async (method: "GET" | "POST") => {
    const remaining = await askServer(method);
    if (remaining !== null) return setLeft(remaining);
    await leaveSignedOut();
  }, []);

  useEffect(() => {
    if (isWarned && !dialog.current?.open) dialog.current?.showModal();
    if (!isWarned) dialog.current?.close();
    const wait = isWarned ? Math.min(left + 500, MINUTE) : Math.min(left - WARN_MS, LONGEST_TIMER_MS);
    const timer = setTimeout(() => void ask("GET"), wait);
    return () => clearTimeout(timer);
  }, [left, isWarned, ask]);

  useEffect(() => watchSignIn(() => void ask("GET")), [ask]);

  useEffect(() => (isWarned && dialog.current ? registerDialog(dialog.current) : undefined), [isWarned]);
  const minutes = Math.max(1, Math.round(left / MINUTE));
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby="idle-title"
      onCancel={(event) => {
        event.preventDefault();
        void ask("POST");
      }}
    >
      <h2 id="idle-title">Are you still there?</h2>
      <p role="status">
        To keep families' details private, you will be signed out in about{" "}
        {minutes === 1 ? "1 minute" : `${minutes} minutes`}. What you have typed on this page is kept for an hour, until
        you sign in again. Files and passwords are not.
      </p>
      <Button variant="primary" type="button" autoFocus onClick={() => void ask("POST")}>
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

let leaving: Promise<void> | null = null;

/**
 * Goes to the sign-in and from there back to this page, with what was typed on it. Several parts of a page may notice
 * in the same moment that the sign-in has ended; it is kept once, or one's words would lie under another's key.
 */
export function leaveSignedOut(): Promise<void> {
  return (leaving ??= leave());
}

async function leave(): Promise<void> {
  // Back in view out of the browser's cache, the page leaves once more.
  window.addEventListener("pagehide", () => (leaving = null), { once: true });
  await keepTyped();
  window.location.assign(`/login?redirectTo=${encodeURIComponent(location.pathname + location.search)}`);
}

/** The sign-in has ended: what stands half-typed on this page waits for its return. Sent where nothing is done with it. */
async function keepTyped(): Promise<void> {
  const form = [...document.querySelectorAll<HTMLFormElement>("form[method=post]")].find(isTyped);
  if (!form) return;
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === "string") body.append(name, value);
  await fetch("/stay-signed-in", { method: "POST", body, redirect: "manual" }).catch(() => null);
}

function isTyped(form: HTMLFormElement): boolean {
  return [...form.elements].some((element) => {
    if (element instanceof HTMLTextAreaElement) return element.value !== element.defaultValue;
    if (element instanceof HTMLSelectElement)
      return [...element.options].some((one) => one.selected !== one.defaultSelected);
    if (!(element instanceof HTMLInputElement) || element.type === "hidden" || element.type === "password")
      return false;
    return element.value !== element.defaultValue || element.checked !== element.defaultChecked;
  });
}

async function askServer(method: "GET" | "POST"): Promise<number | null> {
  try {
    const response = await fetch(`/stay-signed-in${method === "GET" ? "?refresh" : ""}`, { method });
    // A server that is busy or starting anew says nothing of the sign-in.
    if (!response.ok) return WARN_MS + MINUTE;
    const end = response.headers.get("content-type")?.includes("json") ? ((await response.json()) as SessionEnd) : null;
    return end && end.remainingMs > 0 ? end.remainingMs : null;
  } catch {
    // Offline: nothing can be lost by waiting another minute.
    return WARN_MS + MINUTE;
  }
}
