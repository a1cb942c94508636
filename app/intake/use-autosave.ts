import { type FormEvent, useEffect, useRef } from "react";
import { useActionData, useBlocker, useNavigate, useNavigation } from "react-router";

const UNSAVED_WARNING = "Your last answers could not be saved. Leave anyway?";

/**
 * Saves what was typed when a person leaves a section without its buttons: by Escape, Back, a link, or by putting the
 * phone away, also while a button's own saving is under way, which leaving would break off. Nobody is asked unless
 * saving fails. Goes onto the form of one section.
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

  // On a slow phone words are typed before the script is there.
  useEffect(() => {
    if (form.current && isDirty(form.current)) unsavedForm.current = form.current;
  }, [url]);

  useEffect(() => {
    if (blocker.state !== "blocked") return;
    const { location, proceed, reset } = blocker;
    // What a button sent has been answered meanwhile: the page went on by itself and has forgotten where to.
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
    // No answer came: what was sent is as unsaved as before.
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

function isDirty(form: HTMLFormElement): boolean {
  return [...form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("input, textarea")].some(
    (field) => field.value !== field.defaultValue || ("checked" in field && field.checked !== field.defaultChecked),
  );
}

/** The answer is a page that nobody reads. `keepalive` outlives the page that sends it, but carries 64 kB at most. */
async function save(form: HTMLFormElement, url: string, keepalive = false): Promise<boolean> {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === "string") body.append(name, value);
  body.set("intent", "keep");
  return fetch(url, { method: "POST", body, keepalive }).then(
    (response) => response.ok && !response.redirected,
    () => false,
  );
}
