import { isFormDirty } from "../../ui/is-dirty.ts";

/** Set while a page with an open session is shown. Shows that the session has ended, without leaving the page. */
let showOverlay: (() => void) | null = null;

/** Registers the function that covers this page when it can't be left. Returns a function that unregisters it. */
export function registerSignedOutOverlay(cover: () => void): () => void {
  showOverlay = cover;
  return () => {
    showOverlay = null;
  };
}

let pendingRedirect: Promise<void> | null = null;

/**
 * Saves the unsent form, then goes to the sign-in page, which leads back to this page. Several parts of a page may
 * detect at the same time that the session has ended; they share one save. A page with chosen files is covered instead,
 * because only the page has those files.
 */
export async function saveFormAndGoToLogin(): Promise<void> {
  if (showOverlay && hasChosenFiles()) return showOverlay();
  await (pendingRedirect ??= saveAndRedirect());
}

async function saveAndRedirect(): Promise<void> {
  // A page that the browser restores from its back/forward cache must be able to redirect again.
  window.addEventListener("pagehide", () => (pendingRedirect = null), { once: true });
  const loginPath = `/login?redirectTo=${encodeURIComponent(location.pathname + location.search)}`;
  window.location.assign((await postUnsentForm()) ?? loginPath);
}

/**
 * Sends the first edited form of the page to the server, which stores it until the person has signed in again. Returns
 * the URL of the sign-in page to which the server redirects, which says whether the form was stored; null if there is
 * no edited form or the server did not redirect.
 */
async function postUnsentForm(): Promise<string | null> {
  const form = [...document.querySelectorAll<HTMLFormElement>("form[method=post]")].find(isFormDirty);
  if (!form) return null;
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === "string") body.append(name, value);
  const response = await fetch("/stay-signed-in", { method: "POST", body }).catch(() => null);
  return response?.redirected ? response.url : null;
}

function hasChosenFiles(): boolean {
  return [...document.querySelectorAll<HTMLInputElement>("input[type=file]")].some(({ files }) => files?.length);
}
