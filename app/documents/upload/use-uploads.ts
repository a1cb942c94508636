import { useEffect, useRef, useState } from "react";
import type { FieldErrors } from "../../http/outcome.ts";
import type { Notice } from "../../ui/toast.ts";
import { uploadFailureNotice } from "./upload-notices.ts";
import { hasAcceptedExtension, MAX_FILE_BYTES, nameWithoutExtension, UPLOAD_MESSAGES } from "../document-file-rules.ts";
import { waitUntilOnline, detectOffline, sendUpload, type UploadResponse } from "./send-upload.ts";

export type UploadItem = {
  key: number;
  file: File;
  name: string;
  state: "chosen" | "sending" | "waiting" | "done" | "failed" | "cancelled";
  sentBytes: number;
  elapsedMs: number;
  problem?: string;
};

export type UploadFailure = { notice: Notice; errors: FieldErrors };
export type FailedUpload = UploadFailure & { fileName: string };

/** Returns a problem that the browser can detect before the upload, if any. The server repeats these checks. */
function fileError(file: File): string | undefined {
  if (!hasAcceptedExtension(file.name)) return UPLOAD_MESSAGES.type;
  if (file.size === 0) return UPLOAD_MESSAGES.empty;
  return file.size > MAX_FILE_BYTES ? UPLOAD_MESSAGES.tooLarge : undefined;
}

type RunningUploads = { queue: AbortController; file: AbortController };

function abortUploads(runningUploads: RunningUploads | null) {
  // Abort the queue first, because the end of the current file starts the next one.
  runningUploads?.queue.abort();
  runningUploads?.file.abort();
}

/** Returns the state of the chosen files and functions to upload them one after another. */
export function useUploads() {
  const [items, setItems] = useState<UploadItem[]>([]);
  const runningUploads = useRef<RunningUploads | null>(null);
  const nextKey = useRef(1);
  // Leaving the form aborts the current upload and all waiting ones.
  useEffect(() => () => abortUploads(runningUploads.current), []);

  const updateItem = (key: number, changes: Partial<UploadItem>) =>
    setItems((previous) => previous.map((item) => (item.key === key ? { ...item, ...changes } : item)));

  function selectFiles(files: File[]) {
    const chosen = files.map((file): UploadItem => {
      const initialState = { state: "chosen" as const, sentBytes: 0, elapsedMs: 0, problem: fileError(file) };
      return { key: nextKey.current++, file, name: nameWithoutExtension(file.name), ...initialState };
    });
    setItems(chosen);
    return chosen;
  }

  /** Uploads the files in order until `cancelAll`. Returns the number of successful uploads, and the failures. */
  async function send(
    fields: Record<string, string>,
    chosen: UploadItem[],
  ): Promise<{ done: number; failures: FailedUpload[] }> {
    const failures: FailedUpload[] = [];
    let done = 0;
    const queue = new AbortController();
    for (const item of chosen) {
      if (queue.signal.aborted) break;
      const file = new AbortController();
      runningUploads.current = { queue, file };
      const outcome = await sendWithRetry(item, { ...fields, customFileName: item.name }, file.signal);
      if (outcome === "cancelled") updateItem(item.key, { state: "cancelled" });
      else if (outcome.ok) {
        done += 1;
        updateItem(item.key, { state: "done", sentBytes: item.file.size });
      } else {
        const notice = uploadFailureNotice(outcome);
        failures.push({ notice, errors: outcome.errors ?? {}, fileName: item.file.name });
        updateItem(item.key, { state: "failed", problem: notice.description });
      }
    }
    runningUploads.current = null;
    return { done, failures };
  }

  /** After a lost connection, waits until the browser is online and sends the file again from its start. */
  async function sendWithRetry(
    { key, file }: UploadItem,
    fields: Record<string, string>,
    signal: AbortSignal,
  ): Promise<UploadResponse | "cancelled"> {
    for (;;) {
      const startedAt = performance.now();
      updateItem(key, { state: "sending", sentBytes: 0, elapsedMs: 0, problem: undefined });
      const onProgress = (sentBytes: number) =>
        updateItem(key, { sentBytes, elapsedMs: performance.now() - startedAt });
      const outcome = await sendUpload(file, fields, onProgress, signal);
      if (outcome === "cancelled" || outcome.ok || !outcome.isConnectionLost) return outcome;
      if (!(await detectOffline())) return signal.aborted ? "cancelled" : outcome;
      updateItem(key, { state: "waiting" });
      if (!(await waitUntilOnline(signal))) return "cancelled";
    }
  }

  return {
    items,
    isSending: () => runningUploads.current !== null,
    selectFiles,
    rename: (key: number, name: string) => updateItem(key, { name }),
    remove: (key: number) => setItems((before) => before.filter((item) => item.key !== key)),
    send,
    /** Cancels the current file; the files after it are still uploaded. */
    cancelCurrent: () => runningUploads.current?.file.abort(),
    cancelAll: () => abortUploads(runningUploads.current),
  };
}
