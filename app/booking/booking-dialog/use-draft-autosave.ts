import { type RefObject, useEffect, useRef } from "react";
import { BOOKING_DRAFT_PATH } from "../paths.ts";

/** Delay after the last input. Long enough that a form submitted right away does not also trigger a draft save. */
const PAUSE_MS = 1_000;

/**
 * Saves the schedule dialog as its draft while it is being filled in: after a pause, on each change of the step
 * (`step`), and when the family leaves it (Close, Back, a link, a reload, or switching to another app). If a save
 * fails, the changes are included in the next one.
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
    // Saves before a reload requests the page. Some browsers fire neither this nor `visibilitychange` before unloading.
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
    // `keepalive` lets the request finish after the page unloads.
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
