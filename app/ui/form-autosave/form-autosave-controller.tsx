import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { useNavigation } from "react-router";
import { Button } from "../button.tsx";
import { deleteStoredForm, hasUnsavedInput, storeForm, storedFormKey, restoreForm } from "./form-storage.ts";
import { useSessionTag } from "../unsent-form-context.ts";

type RestorableFormProps = { form: HTMLFormElement; name: string; isUnsaved: boolean };

/** Stores and restores the form for `FormAutosave`, which loads this component on demand. */
export function FormAutosaveController({ form, name, isUnsaved }: RestorableFormProps) {
  const navigation = useNavigation();
  // This code may arrive after the form was sent.
  const [wasSent] = useState(() => isFormOf(navigation.formData, form));
  const isSent = useRef(wasSent);
  const [isRestored, setRestored] = useState(false);
  const key = storedFormKey(useSessionTag(), name);
  // The router marks the redirect that follows a saved form. After a refusal the form stays and is stored.
  const isSaved = (navigation.location?.state as { _isRedirect?: true } | null)?._isRedirect === true;

  const hasInput = () => isUnsaved || hasUnsavedInput(form);
  const save = useEffectEvent(() => (hasInput() ? storeForm(key, form) : deleteStoredForm(key)));
  const start = useEffectEvent(() => {
    if (isSaved && isSent.current) return;
    // Something was typed before this code was loaded.
    if (hasInput()) save();
    else setRestored(restoreForm(key, form));
  });
  useEffect(() => {
    start();
    const stop = new AbortController();
    form.addEventListener("input", () => save(), stop);
    form.addEventListener("submit", () => (isSent.current = true), stop);
    return () => stop.abort();
  }, [form, key, isUnsaved]);

  // A layout effect, so that it runs during the commit: a later effect of the previous navigation would reset the flag
  // of a form that is submitted right away.
  useLayoutEffect(() => {
    if (isSaved && isSent.current) deleteStoredForm(key);
    if (navigation.state === "idle") isSent.current = false;
  }, [isSaved, navigation.state, key]);

  function discard() {
    form.reset();
    deleteStoredForm(key);
    setRestored(false);
    form.querySelector<HTMLElement>("input:not([type=hidden]), textarea")?.focus();
  }

  if (!isRestored) return null;
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-muted">
      <span role="status">Kept from before.</span>
      <Button variant="quiet" type="button" onClick={discard}>
        Discard
      </Button>
    </p>
  );
}

/** Whether what is being submitted has the fields of this form: another form of the page may be on its way. */
function isFormOf(submitted: FormData | undefined, form: HTMLFormElement): boolean {
  return submitted !== undefined && [...new FormData(form).keys()].every((name) => submitted.has(name));
}
