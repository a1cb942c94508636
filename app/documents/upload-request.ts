import type { FieldErrors } from "../http/outcome.ts";

export type UploadResponse =
  | { ok: true }
  | { ok: false; message: string; errors?: FieldErrors; isConnectionLost?: true };

/** The chosen files would be lost with this page. */
const SIGNED_OUT_MESSAGE =
  "You were signed out meanwhile. Sign in again in a new tab, then come back here and try again.";

export type UploadRequest = { response: Promise<UploadResponse | "cancelled">; cancel: () => void };

/** Sends one file with its fields, which go first: what is wrong with them is then said before the file is on its way. */
export function sendUpload(
  file: File,
  fields: Record<string, string>,
  onProgress: (sentBytes: number) => void,
): UploadRequest {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set("file", file);
  // fetch() still can't say how much of a body has left.
  const request = new XMLHttpRequest();
  const response = new Promise<UploadResponse | "cancelled">((resolve) => {
    request.upload.addEventListener("progress", ({ loaded }) => onProgress(Math.min(loaded, file.size)));
    request.addEventListener("load", () => resolve(parseResponse(request)));
    request.addEventListener("error", () =>
      resolve({ ok: false, message: "The connection was lost. Please try again.", isConnectionLost: true }),
    );
    request.addEventListener("abort", () => resolve("cancelled"));
  });
  request.open("POST", "/api/documents");
  request.setRequestHeader("Accept", "application/json");
  request.send(form);
  return { response, cancel: () => request.abort() };
}

/** A browser knows a moment after the loss that it is offline. */
const OFFLINE_DETECTION_MS = 500;

/** Whether the browser itself says that it is offline, and so will say when it no longer is. */
export async function isOffline(): Promise<boolean> {
  await new Promise((resolve) => setTimeout(resolve, OFFLINE_DETECTION_MS));
  return !navigator.onLine;
}

/** Waits until the browser is online, or nobody waits any more; says which. */
export function waitUntilOnline(signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (navigator.onLine || signal.aborted) return resolve(!signal.aborted);
    window.addEventListener("online", () => resolve(true), { once: true, signal });
    signal.addEventListener("abort", () => resolve(false), { once: true });
  });
}

function parseResponse({ status, statusText, responseText }: XMLHttpRequest): UploadResponse {
  try {
    const body = JSON.parse(responseText) as { message?: string; errors?: FieldErrors };
    if (status === 201) return { ok: true };
    if (status === 401) return { ok: false, message: SIGNED_OUT_MESSAGE };
    return { ok: false, message: body.message ?? `${status}: ${statusText}`, errors: body.errors };
  } catch {
    return { ok: false, message: `${status}: the answer could not be read. Please try again.` };
  }
}

/** about 2 minutes left; nothing while there is too little to go by. */
export function timeLeftText(sentBytes: number, totalBytes: number, elapsedMs: number): string {
  if (sentBytes === 0 || elapsedMs < 1000) return "";
  const seconds = Math.ceil(((totalBytes - sentBytes) / sentBytes) * (elapsedMs / 1000));
  if (seconds < 1) return "almost done";
  if (seconds < 60) return `about ${seconds} ${seconds === 1 ? "second" : "seconds"} left`;
  const minutes = Math.ceil(seconds / 60);
  return `about ${minutes} ${minutes === 1 ? "minute" : "minutes"} left`;
}
