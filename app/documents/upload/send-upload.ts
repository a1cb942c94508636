import type { FieldErrors } from "../../http/outcome.ts";
import { broadcastSignOut } from "../../ui/sign-out-channel.ts";

export type UploadResponse =
  | { ok: true }
  | { ok: false; message: string; errors?: FieldErrors; isConnectionLost?: true };

/**
 * Shown under the overlay that has the sign-in link. It says to use a new tab, because leaving this page would lose the
 * chosen files.
 */
const SIGNED_OUT_MESSAGE =
  "You were signed out in the meantime. Sign in again in a new tab, then come back here and try again.";

/**
 * Uploads one file. Its fields are sent first, so that the server can refuse them before it receives the file. Resolves
 * to "cancelled" when aborted.
 */
export function sendUpload(
  file: File,
  fields: Record<string, string>,
  onProgress: (sentBytes: number) => void,
  signal: AbortSignal,
): Promise<UploadResponse | "cancelled"> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set("file", file);
  // fetch() does not report upload progress.
  const request = new XMLHttpRequest();
  const response = new Promise<UploadResponse | "cancelled">((resolve) => {
    request.upload.addEventListener("progress", ({ loaded }) => onProgress(Math.min(loaded, file.size)));
    request.addEventListener("load", () => resolve(handleUploadResponse(request)));
    request.addEventListener("error", () =>
      resolve({ ok: false, message: "The connection was lost. Please try again.", isConnectionLost: true }),
    );
    request.addEventListener("abort", () => resolve("cancelled"));
  });
  request.open("POST", "/api/documents");
  request.setRequestHeader("Accept", "application/json");
  request.send(form);
  signal.addEventListener("abort", () => request.abort(), { once: true });
  return response;
}

/** Delay before the check, because a browser detects that it is offline only shortly after the connection is lost. */
const OFFLINE_DETECTION_MS = 500;

/** Returns whether the browser reports that it is offline, and so will fire `online` later. */
export async function detectOffline(): Promise<boolean> {
  await new Promise((resolve) => setTimeout(resolve, OFFLINE_DETECTION_MS));
  return !navigator.onLine;
}

/** Resolves to true when the browser is online, to false when `signal` is aborted. */
export function waitUntilOnline(signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (navigator.onLine || signal.aborted) return resolve(!signal.aborted);
    window.addEventListener("online", () => resolve(true), { once: true, signal });
    signal.addEventListener("abort", () => resolve(false), { once: true });
  });
}

function handleUploadResponse({ status, statusText, responseText }: XMLHttpRequest): UploadResponse {
  try {
    const body = JSON.parse(responseText) as { message?: string; errors?: FieldErrors };
    if (status === 201) return { ok: true };
    if (status === 401) broadcastSignOut();
    if (status === 401) return { ok: false, message: SIGNED_OUT_MESSAGE };
    return { ok: false, message: body.message ?? `${status}: ${statusText}`, errors: body.errors };
  } catch {
    return { ok: false, message: `${status}: the answer could not be read. Please try again.` };
  }
}

/** Returns a text such as "about 2 minutes left"; empty in the first second, when there is no estimate. */
export function timeLeftText(sentBytes: number, totalBytes: number, elapsedMs: number): string {
  if (sentBytes === 0 || elapsedMs < 1000) return "";
  const seconds = Math.ceil(((totalBytes - sentBytes) / sentBytes) * (elapsedMs / 1000));
  if (seconds < 1) return "almost done";
  if (seconds < 60) return `about ${seconds} ${seconds === 1 ? "second" : "seconds"} left`;
  const minutes = Math.ceil(seconds / 60);
  return `about ${minutes} ${minutes === 1 ? "minute" : "minutes"} left`;
}
