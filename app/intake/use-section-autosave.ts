import { type FormEvent, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { useActionData, useBlocker, useNavigate, useNavigation } from "react-router";
import { isFormDirty } from "../ui/is-dirty.ts";

const UNSAVED_WARNING = "Your last answers could not be saved. Leave anyway?";

/** Delay of a save after the last keystroke. */
const DEBOUNCE_MS = 1_000;
/** Minimum time between two saves. Keeps an hour of typing below the session's limit of changing requests. */
const MIN_SAVE_INTERVAL_MS = 10_000;

/**
 * Saves a section's answers while the family types, and when it leaves without the buttons: by Escape, Back, a link, a
 * reload, or by switching to another app. Also saves answers whose submission is in flight, because leaving aborts it.
 * Asks for confirmation only when saving fails. Returns the props of the section's form, and whether the last save was
 * refused because the person is no longer signed in.
 */
export function useSectionAutosave(url: string) {
  const form = useRef<HTMLFormElement>(null);
  const unsavedForm = useRef<HTMLFormElement>(null);
  const [isSignedOut, setSignedOut] = useState(false);
  const backgroundSave = useBackgroundSave(unsavedForm, url, setSignedOut);
  const submittedForm = useRef<HTMLFormElement>(null);
  const actionData = useActionData();
  const isIdle = useNavigation().state === "idle";
  const navigate = useNavigate();
  // Does not block the submission itself, which navigates to the section's own address.
  const blocker = useBlocker(
    ({ nextLocation: { pathname, search } }) =>
      unsavedForm.current !== null || (submittedForm.current !== null && pathname + search !== url),
  );

  // On a slow phone, answers may be entered before hydration.
  useEffect(() => {
    if (!form.current || !isFormDirty(form.current)) return;
    unsavedForm.current = form.current;
    backgroundSave.schedule();
  }, [url, backgroundSave]);

  useEffect(() => {
    if (blocker.state !== "blocked") return;
    const { location, proceed, reset } = blocker;
    // A submission in flight may finish first. Its navigation resets the blocker, so the requested navigation is
    // repeated.
    let isSuperseded = false;
    const proceedAfterSave = (isSaved: SaveResult) => {
      if (isSuperseded) {
        if (isSaved) void navigate(location);
        return;
      }
      if (!isSaved && !window.confirm(UNSAVED_WARNING)) return reset();
      unsavedForm.current = null;
      proceed();
    };
    const form = unsavedForm.current ?? submittedForm.current;
    if (form) void postSectionAutosave(form, url).then(proceedAfterSave);
    else proceed();
    return () => {
      isSuperseded = true;
    };
  }, [blocker, url, navigate]);

  useEffect(() => {
    if (!isIdle) return;
    // The submission failed without a response: its answers are still unsaved.
    if (actionData === null) unsavedForm.current ??= submittedForm.current;
    submittedForm.current = null;
  }, [isIdle, actionData, url]);

  useEffect(() => {
    const saveNow = () => {
      const form = unsavedForm.current ?? submittedForm.current;
      if (form) void postSectionAutosave(form, url, { keepalive: true });
    };
    const saveWhenHidden = () => {
      if (document.visibilityState === "hidden") saveNow();
    };
    document.addEventListener("visibilitychange", saveWhenHidden);
    // Some browsers unload a page without firing `visibilitychange` first.
    window.addEventListener("pagehide", saveNow);
    return () => {
      document.removeEventListener("visibilitychange", saveWhenHidden);
      window.removeEventListener("pagehide", saveNow);
    };
  }, [url]);

  const formProps = {
    ref: form,
    onInput: (event: FormEvent<HTMLFormElement>) => {
      unsavedForm.current = event.currentTarget;
      backgroundSave.schedule();
    },
    onSubmit: () => {
      backgroundSave.cancel();
      submittedForm.current = unsavedForm.current ?? submittedForm.current;
      unsavedForm.current = null;
    },
  };
  return { formProps, isSignedOut };
}

/** Saves the unsaved form after a pause in typing, without using its buttons. */
function useBackgroundSave(
  unsavedForm: RefObject<HTMLFormElement | null>,
  url: string,
  setSignedOut: (isSignedOut: boolean) => void,
) {
  const saves = useMemo(() => createBackgroundSaves(unsavedForm, url, setSignedOut), [unsavedForm, url, setSignedOut]);
  useEffect(() => saves.stop, [saves]);
  return saves;
}

/**
 * Returns functions that schedule, cancel and stop saves. The form counts as saved only if nothing was typed during the
 * save. `cancel` also aborts a save in flight, which could otherwise overwrite the submitted values.
 */
function createBackgroundSaves(
  unsavedForm: RefObject<HTMLFormElement | null>,
  url: string,
  setSignedOut: (isSignedOut: boolean) => void,
) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let inFlightController: AbortController | null = null;
  let lastSavedAt = -Infinity;
  let changeCount = 0;
  const saveUnsavedForm = async () => {
    const form = unsavedForm.current;
    if (!form) return;
    inFlightController?.abort();
    inFlightController = new AbortController();
    lastSavedAt = performance.now();
    const savedChangeCount = changeCount;
    const isSaved = await postSectionAutosave(form, url, { signal: inFlightController.signal });
    if (isSaved !== false) setSignedOut(isSaved === null);
    if (isSaved && savedChangeCount === changeCount) unsavedForm.current = null;
  };
  const stop = () => clearTimeout(timer);
  return {
    schedule: () => {
      changeCount += 1;
      stop();
      timer = setTimeout(
        () => void saveUnsavedForm(),
        Math.max(DEBOUNCE_MS, lastSavedAt + MIN_SAVE_INTERVAL_MS - performance.now()),
      );
    },
    cancel: () => {
      changeCount += 1;
      stop();
      inFlightController?.abort();
    },
    stop,
  };
}

type SaveOptions = Pick<RequestInit, "keepalive" | "signal">;
/** Whether the section was saved; null if that was refused because the person is no longer signed in. */
type SaveResult = boolean | null;

/** Saves the section. Never rejects. `keepalive` lets the request finish after the page unloads, with at most 64 kB. */
async function postSectionAutosave(form: HTMLFormElement, url: string, options: SaveOptions = {}): Promise<SaveResult> {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === "string") body.append(name, value);
  body.set("intent", "keep");
  return fetch(url, { method: "POST", body, redirect: "manual", ...options }).then(
    // A redirect means that the session has ended.
    ({ ok, type }) => (type === "opaqueredirect" ? null : ok),
    () => false,
  );
}
