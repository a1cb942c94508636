import { useEffect, useRef, useState } from "react";
import type { FieldErrors } from "../http/outcome.ts";
import type { Notice } from "../ui/notice.ts";
import { failureOf } from "./messages.ts";
import { isAcceptedName, LARGEST_FILE_BYTES, nameWithoutExtension, SAYS } from "./rules.ts";
import { comesBack, isOffline, type Sending, sendFile, type Sent } from "./send-file.ts";

export type Item = {
  key: number;
  file: File;
  name: string;
  state: "chosen" | "sending" | "waiting" | "done" | "failed" | "cancelled";
  sentBytes: number;
  elapsedMs: number;
  problem?: string;
};

export type Failure = { notice: Notice; errors: FieldErrors };

/** What can be said of a file before it is sent; the server says the same, and more. */
function problemOf(file: File): string | undefined {
  if (!isAcceptedName(file.name)) return SAYS.type;
  if (file.size === 0) return SAYS.empty;
  return file.size > LARGEST_FILE_BYTES ? SAYS.tooLarge : undefined;
}

/** The files a person has chosen, and their way to the server: one after another. */
export function useUploads() {
  const [items, setItems] = useState<Item[]>([]);
  const sending = useRef<Pick<Sending, "cancel"> | null>(null);
  const nextKey = useRef(1);
  // Whoever leaves the form leaves nothing running behind it.
  useEffect(() => () => sending.current?.cancel(), []);

  const change = (key: number, part: Partial<Item>) =>
    setItems((before) => before.map((item) => (item.key === key ? { ...item, ...part } : item)));

  function choose(files: File[]) {
    const chosen = files.map((file): Item => {
      const fresh = { state: "chosen" as const, sentBytes: 0, elapsedMs: 0, problem: problemOf(file) };
      return { key: nextKey.current++, file, name: nameWithoutExtension(file.name), ...fresh };
    });
    setItems(chosen);
    return chosen;
  }

  /** Sends one after another; says how many arrived, and what was refused. */
  async function send(fields: Record<string, string>, chosen: Item[]): Promise<{ done: number; failures: Failure[] }> {
    const failures: Failure[] = [];
    let done = 0;
    for (const item of chosen) {
      const outcome = await sendThrough(item, { ...fields, customFileName: item.name });
      sending.current = null;
      if (outcome === "cancelled") change(item.key, { state: "cancelled" });
      else if (outcome.ok) {
        done += 1;
        change(item.key, { state: "done", sentBytes: item.file.size });
      } else {
        const notice = failureOf(outcome);
        failures.push({ notice, errors: outcome.errors ?? {} });
        change(item.key, { state: "failed", problem: notice.description });
      }
    }
    return { done, failures };
  }

  /** A file whose connection is lost on the way waits for the next one, and is sent anew. */
  async function sendThrough({ key, file }: Item, fields: Record<string, string>): Promise<Sent | "cancelled"> {
    for (;;) {
      const startedAt = performance.now();
      change(key, { state: "sending", sentBytes: 0, elapsedMs: 0, problem: undefined });
      const onProgress = (sentBytes: number) => change(key, { sentBytes, elapsedMs: performance.now() - startedAt });
      const request = sendFile(file, fields, onProgress);
      sending.current = request;
      const outcome = await request.done;
      if (outcome === "cancelled" || outcome.ok || !outcome.isLost) return outcome;
      const stop = new AbortController();
      sending.current = { cancel: () => stop.abort() };
      if (!(await isOffline())) return stop.signal.aborted ? "cancelled" : outcome;
      change(key, { state: "waiting" });
      if (!(await comesBack(stop.signal))) return "cancelled";
    }
  }

  return {
    items,
    isSending: () => sending.current !== null,
    choose,
    rename: (key: number, name: string) => change(key, { name }),
    drop: (key: number) => setItems((before) => before.filter((item) => item.key !== key)),
    send,
    cancel: () => sending.current?.cancel(),
  };
}
