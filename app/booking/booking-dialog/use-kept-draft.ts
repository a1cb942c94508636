import { type RefObject, useEffect, useRef } from "react";
import { BOOKING_DRAFT_PATH } from "../paths.ts";

/** So long after the last key or choice, so that a form that is sent at once is not saved beside it. */
const PAUSE_MS = 1_000;

/**
 * Saves the schedule dialog as its draft while it is filled in: after a pause, with each group (`step`), and when the
 * family leaves it by Close, Back, a link, a reload, or for another app. A save that fails is made up for by the next.
 */
export function useKeptDraft(formRef: RefObject<HTMLFormElement | null>, step: number) {
  const draft = useRef<ReturnType<typeof createKeptDraft>>(null);
  useEffect(() => {
    const form = formRef.current;
    if (!form) return;
    const kept = createKeptDraft(form);
    draft.current = kept;
    const stop = new AbortController();
    form.addEventListener("input", kept.saveSoon, stop);
    document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && kept.save(), stop);
    // Before a reload asks for the page; not every browser says so, or that a page is hidden, before it unloads it.
    window.addEventListener("beforeunload", kept.save, stop);
    window.addEventListener("pagehide", kept.save, stop);
    return () => {
      stop.abort();
      kept.save();
    };
  }, [formRef]);
  useEffect(() => draft.current?.save(), [step]);
  return {
    onChange: () => draft.current?.saveSoon(),
    onSubmit: () => draft.current?.cancel(),
  };
}

function createKeptDraft(form: HTMLFormElement) {
  let isChanged = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let inFlight: AbortController | null = null;
  function cancel() {
    isChanged = false;
    clearTimeout(timer);
    inFlight?.abort();
  }
  function save() {
    if (!isChanged) return;
    cancel();
    const body = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (typeof value === "string") body.append(name, value);
    inFlight = new AbortController();
    const { signal } = inFlight;
    // Outlives the page.
    fetch(BOOKING_DRAFT_PATH, { method: "POST", body, keepalive: true, signal }).catch(() => {
      isChanged ||= !signal.aborted;
    });
  }
  function saveSoon() {
    isChanged = true;
    clearTimeout(timer);
    timer = setTimeout(save, PAUSE_MS);
  }
  return { cancel, save, saveSoon };
}
