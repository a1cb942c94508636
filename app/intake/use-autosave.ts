import { type FormEvent, useEffect, useRef } from "react";
import { useActionData, useBlocker, useNavigate, useNavigation } from "react-router";
import { isDirty } from "../ui/is-dirty.ts";

const UNSAVED_WARNING = "Your last answers could not be saved. Leave anyway?";

/**
 * Saves a section's answers when the family leaves it without its buttons: by Escape, Back, a link, or by switching to
 * another app. Answers whose submission is in flight are saved too, since leaving aborts it. Asks for confirmation only
 * when saving fails. Returns the props of the section's form.
 */
export function useAutosave(url: string) {
  const form = useRef<HTMLFormElement>(null);
  const unsavedForm = useRef<HTMLFormElement>(null);
  const submittedForm = useRef<HTMLFormElement>(null);
  const inFlightForm = useRef<HTMLFormElement>(null);
  const actionData = useActionData();
  const isIdle = useNavigation().state === "idle";
  const navigate = useNavigate();
  const blocker = useBlocker(() => (unsavedForm.current ?? inFlightForm.current) !== null);

  // On a slow phone answers are typed before hydration.
  useEffect(() => {
    if (form.current && isDirty(form.current)) unsavedForm.current = form.current;
  }, [url]);

  useEffect(() => {
    if (blocker.state !== "blocked") return;
    const { location, proceed, reset } = blocker;
    // A submission in flight may finish first; its navigation resets the blocker, so the chosen one is repeated.
    let isSuperseded = false;
    const proceedAfterSave = (isSaved: boolean) => {
      if (isSuperseded) {
        if (isSaved) void navigate(location);
        return;
      }
      if (!isSaved && !window.confirm(UNSAVED_WARNING)) return reset();
      unsavedForm.current = null;
      proceed();
    };
    const form = unsavedForm.current ?? inFlightForm.current;
    if (form) void save(form, url).then(proceedAfterSave);
    return () => {
      isSuperseded = true;
    };
  }, [blocker, url, navigate]);

  useEffect(() => {
    inFlightForm.current = isIdle ? null : submittedForm.current;
    if (!isIdle) return;
    // The submission failed without a response: its answers are still unsaved.
    if (actionData === null) unsavedForm.current ??= submittedForm.current;
    submittedForm.current = null;
  }, [isIdle, actionData]);

  useEffect(() => {
    const saveWhenHidden = () => {
      const form = unsavedForm.current ?? inFlightForm.current;
      if (document.visibilityState === "hidden" && form) void save(form, url, true);
    };
    document.addEventListener("visibilitychange", saveWhenHidden);
    return () => document.removeEventListener("visibilitychange", saveWhenHidden);
  }, [url]);

  return {
    ref: form,
    onInput: (event: FormEvent<HTMLFormElement>) => {
      unsavedForm.current = event.currentTarget;
    },
    onSubmit: () => {
      submittedForm.current = unsavedForm.current ?? submittedForm.current;
      unsavedForm.current = null;
    },
  };
}

/** Resolves to whether the section was saved. `keepalive` lets the request outlive the page, with at most 64 kB. */
async function save(form: HTMLFormElement, url: string, keepalive = false): Promise<boolean> {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === "string") body.append(name, value);
  body.set("intent", "keep");
  return fetch(url, { method: "POST", body, keepalive }).then(
    (response) => response.ok && !response.redirected,
    () => false,
  );
}
