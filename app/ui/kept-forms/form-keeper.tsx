import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useNavigation } from "react-router";
import { Button } from "../button.tsx";
import { forgetForm, isWorthKeeping, keepForm, keptFormKey, restoreForm } from "./form-storage.ts";
import { useSessionTag } from "../unsent-form-context.ts";

type FormKeeperProps = { form: HTMLFormElement; name: string; isUnsaved: boolean };

/** What `KeptForm` loads when it is needed. */
export function FormKeeper({ form, name, isUnsaved }: FormKeeperProps) {
  const isSent = useRef(false);
  const [isRestored, setRestored] = useState(false);
  const key = keptFormKey(useSessionTag(), name);
  const navigation = useNavigation();
  // The router marks the redirect that follows a saved form; after a refusal the form stays, and is kept.
  const isSaved = (navigation.location?.state as { _isRedirect?: true } | null)?._isRedirect === true;

  useEffect(() => {
    const isKept = () => isUnsaved || isWorthKeeping(form);
    const keep = () => (isKept() ? keepForm(key, form) : forgetForm(key));
    // Something was typed before this was loaded.
    if (isKept()) keep();
    else setRestored(restoreForm(key, form));
    const stop = new AbortController();
    form.addEventListener("input", keep, stop);
    form.addEventListener("submit", () => (isSent.current = true), stop);
    return () => stop.abort();
  }, [form, key, isUnsaved]);

  // In the commit itself: a later effect of the navigation before would take the mark of a form that is sent at once.
  useLayoutEffect(() => {
    if (isSaved && isSent.current) forgetForm(key);
    if (navigation.state === "idle") isSent.current = false;
  }, [isSaved, navigation.state, key]);

  function discard() {
    form.reset();
    forgetForm(key);
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
