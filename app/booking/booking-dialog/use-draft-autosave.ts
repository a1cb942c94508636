import { type RefObject, useEffect, useRef } from "react";
import { BOOKING_DRAFT_PATH } from "../paths.ts";

/** So long after the last key or choice, so that a form that is sent at once is not saved beside it. */
const PAUSE_MS = 1_000;

/**
 * Saves the schedule dialog as its draft while it is filled in: after a pause, with each group (`step`), and when the
 * family leaves it by Close, Back, a link, a reload, or for another app. A save that fails is made up for by the next.
 */
export function useDraftAutosave(formRef: RefObject<HTMLFormElement | null>, step: number) {
  const draft = useRef<ReturnType<typeof createDraftAutosave>>(null);
  useEffect(() => {
    const form = formRef.current;
    if (!form) return;
    const autosave = createDraftAutosave(form);
    draft.current = autosave;
    const stop = new AbortController();
    form.addEventListener("input", autosave.saveSoon, stop);
    document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && autosave.save(), stop);
    // Before a reload asks for the page; not every browser says so, or that a page is hidden, before it unloads it.
    window.addEventListener("beforeunload", autosave.save, stop);
    window.addEventListener("pagehide", autosave.save, stop);
    return () => {
      stop.abort();
      autosave.save();
    };
  }, [formRef]);
  useEffect(() => draft.current?.save(), [step]);
  return {
    onChange: () => draft.current?.saveSoon(),
    onSubmit: () => draft.current?.cancel(),
  };
}

function createDraftAutosave(form: HTMLFormElement) {
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
