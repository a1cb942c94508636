import { useEffect, useRef, useState } from "react";
import type { FormAutosaveController } from "./form-autosave-controller.tsx";
import { isFormDirty } from "../is-dirty.ts";

/**
 * Stores what is typed into the surrounding form in the tab's session storage until the form is saved or discarded, or
 * the person signs out. Restores it after Escape, Close, a link or a reload. `name` is the same for the same form of
 * the same record. The code is loaded when the form is used or has stored values; if loading fails, nothing is stored.
 * `isUnsaved` means that the page's own values are not saved, because the page is the response to a form that was
 * submitted without the router.
 */
export function FormAutosave({ name, isUnsaved = false }: { name: string; isUnsaved?: boolean }) {
  const markerRef = useRef<HTMLDivElement>(null);
  const [loaded, setLoaded] = useState<{ Controller: typeof FormAutosaveController; form: HTMLFormElement }>();

  useEffect(() => {
    const form = markerRef.current?.closest("form");
    if (!form) return;
    const loadController = () => {
      void import("./form-autosave-controller.tsx").then(
        (module) => setLoaded({ Controller: module.FormAutosaveController, form }),
        () => {},
      );
    };
    form.addEventListener("focusin", loadController, { once: true });
    const isFocused = form.contains(document.activeElement);
    if (isUnsaved || isFocused || isFormDirty(form) || hasStoredForm(name)) loadController();
    return () => form.removeEventListener("focusin", loadController);
  }, [name, isUnsaved]);

  return (
    <div ref={markerRef} className="contents">
      {loaded && <loaded.Controller form={loaded.form} name={name} isUnsaved={isUnsaved} />}
    </div>
  );
}

function hasStoredForm(name: string): boolean {
  try {
    return Object.keys(sessionStorage).some((key) => key.endsWith(name));
  } catch {
    return false;
  }
}
