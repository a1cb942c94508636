import { type FormEvent, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { useActionData, useBlocker, useNavigate, useNavigation } from "react-router";
import { isDirty } from "../ui/is-dirty.ts";

const UNSAVED_WARNING = "Your last answers could not be saved. Leave anyway?";

/** So long after the last key. */
const PAUSE_MS = 1_000;
/** Between two saves, so that an hour of typing stays below the changing requests that a session may send. */
const MIN_INTERVAL_MS = 10_000;

/**
 * Saves a section's answers while the family types, and when it leaves without its buttons: by Escape, Back, a link, a
 * reload, or by switching to another app. Answers whose submission is in flight are saved too, since leaving aborts it.
 * Asks for confirmation only when saving fails. Returns the props of the section's form, and whether the last save was
 * refused because nobody is signed in anymore.
 */
export function useAutosave(url: string) {
  const form = useRef<HTMLFormElement>(null);
  const unsavedForm = useRef<HTMLFormElement>(null);
  const [isSignedOut, setSignedOut] = useState(false);
  const backgroundSave = useBackgroundSave(unsavedForm, url, setSignedOut);
  const submittedForm = useRef<HTMLFormElement>(null);
  const actionData = useActionData();
  const isIdle = useNavigation().state === "idle";
  const navigate = useNavigate();
  // Not the submission itself, which leads to the section's own address.
  const blocker = useBlocker(
    ({ nextLocation: { pathname, search } }) =>
      unsavedForm.current !== null || (submittedForm.current !== null && pathname + search !== url),
  );

  // On a slow phone answers are typed before hydration.
  useEffect(() => {
    if (!form.current || !isDirty(form.current)) return;
    unsavedForm.current = form.current;
    backgroundSave.schedule();
  }, [url, backgroundSave]);

  useEffect(() => {
    if (blocker.state !== "blocked") return;
    const { location, proceed, reset } = blocker;
    // A submission in flight may finish first; its navigation resets the blocker, so the chosen one is repeated.
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
    if (form) void save(form, url).then(proceedAfterSave);
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
      if (form) void save(form, url, { keepalive: true });
    };
    const saveWhenHidden = () => {
      if (document.visibilityState === "hidden") saveNow();
    };
    document.addEventListener("visibilitychange", saveWhenHidden);
    // Not every browser says that a page is hidden before it unloads it.
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

/** Saves the unsaved form after a pause in typing, without its buttons. */
function useBackgroundSave(
  unsavedForm: RefObject<HTMLFormElement | null>,
  url: string,
  setSignedOut: (isSignedOut: boolean) => void,
) {
  const saves = useMemo(() => backgroundSaves(unsavedForm, url, setSignedOut), [unsavedForm, url, setSignedOut]);
  useEffect(() => saves.stop, [saves]);
  return saves;
}

/**
 * The form counts as saved only if nothing was typed meanwhile. `cancel` also aborts a save in flight, which could
 * otherwise overwrite what is submitted now.
 */
function backgroundSaves(
  unsavedForm: RefObject<HTMLFormElement | null>,
  url: string,
  setSignedOut: (isSignedOut: boolean) => void,
) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let inFlight: AbortController | null = null;
  let lastSavedAt = -Infinity;
  let changes = 0;
  const run = async () => {
    const form = unsavedForm.current;
    if (!form) return;
    inFlight?.abort();
    inFlight = new AbortController();
    lastSavedAt = performance.now();
    const savedChanges = changes;
    const isSaved = await save(form, url, { signal: inFlight.signal });
    if (isSaved !== false) setSignedOut(isSaved === null);
    if (isSaved && savedChanges === changes) unsavedForm.current = null;
  };
  const stop = () => clearTimeout(timer);
  return {
    schedule: () => {
      changes += 1;
      stop();
      timer = setTimeout(() => void run(), Math.max(PAUSE_MS, lastSavedAt + MIN_INTERVAL_MS - performance.now()));
    },
    cancel: () => {
      changes += 1;
      stop();
      inFlight?.abort();
    },
    stop,
  };
}

type SaveOptions = Pick<RequestInit, "keepalive" | "signal">;
/** Whether the section was saved; null if it was refused because nobody is signed in anymore. */
type SaveResult = boolean | null;

/** Never rejects. `keepalive` lets the request outlive the page, with at most 64 kB. */
async function save(form: HTMLFormElement, url: string, options: SaveOptions = {}): Promise<SaveResult> {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === "string") body.append(name, value);
  body.set("intent", "keep");
  return fetch(url, { method: "POST", body, redirect: "manual", ...options }).then(
    // A redirect means that the session has ended.
    ({ ok, type }) => (type === "opaqueredirect" ? null : ok),
    () => false,
  );
}
