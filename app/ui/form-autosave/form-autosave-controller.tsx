import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { useLocation, useNavigation } from "react-router";
import { Button } from "../button.tsx";
import {
  deleteStoredForm,
  hasUnsavedInput,
  storeForm,
  storedFormKey,
  restoreFormAndPruneStorage,
} from "./form-storage.ts";
import { useSessionTag } from "../unsent-form-context.ts";

type RestorableFormProps = { form: HTMLFormElement; name: string; isUnsaved: boolean };

/** Stores and restores the form for `FormAutosave`, which loads this component on demand. */
export function FormAutosaveController({ form, name, isUnsaved }: RestorableFormProps) {
  const navigation = useNavigation();
  const location = useLocation();
  // The history entry from which the form was sent. This code may arrive after that.
  const submittedEntryKey = useRef<string | null>(null);
  const [isRestored, setRestored] = useState(false);
  const key = storedFormKey(useSessionTag(), name);

  const hasInput = () => isUnsaved || hasUnsavedInput(form);
  const save = useEffectEvent(() => (hasInput() ? storeForm(key, form) : deleteStoredForm(key)));
  const restoreOrSave = useEffectEvent(() => {
    if (isSubmissionOf(navigation.formData, form)) submittedEntryKey.current = readHistoryEntry().key;
    // Something was typed before this code was loaded.
    if (hasInput()) save();
    else setRestored(restoreFormAndPruneStorage(key, form));
  });
  useEffect(() => {
    restoreOrSave();
    const listenerController = new AbortController();
    form.addEventListener("input", () => save(), listenerController);
    form.addEventListener("submit", () => (submittedEntryKey.current = readHistoryEntry().key), listenerController);
    return () => listenerController.abort();
  }, [form, key, isUnsaved]);

  // Layout effects run during the commit: a later effect of the previous navigation would reset the entry of a form that
  // is submitted right away. On a slow device a navigation may end before React has rendered its states, so that only the
  // history tells how it ended.
  useLayoutEffect(() => {
    if (navigation.state !== "idle") return;
    if (hasFormBeenSaved(submittedEntryKey.current)) deleteStoredForm(key);
    submittedEntryKey.current = null;
  }, [navigation.state, location.key, key]);
  useLayoutEffect(
    () => () => {
      if (hasFormBeenSaved(submittedEntryKey.current)) deleteStoredForm(key);
    },
    [key],
  );

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

/** Returns what React Router has stored in the current history entry. The first entry has no key. */
function readHistoryEntry(): { key: string; isRedirect: boolean } {
  const { key = "", usr } = history.state as { key?: string; usr?: { _isRedirect?: true } | null };
  return { key, isRedirect: usr?._isRedirect === true };
}

/** Whether a redirect followed what was sent from this entry: it was saved. After a refusal the form stays. */
function hasFormBeenSaved(entryKey: string | null): boolean {
  const { key, isRedirect } = readHistoryEntry();
  return entryKey !== null && key !== entryKey && isRedirect;
}

/** Whether what is being submitted has the fields of this form: another form of the page may be on its way. */
function isSubmissionOf(submitted: FormData | undefined, form: HTMLFormElement): boolean {
  return submitted !== undefined && [...new FormData(form).keys()].every((name) => submitted.has(name));
}
