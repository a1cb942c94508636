import { useEffect, useRef, useState } from "react";
import type { FormKeeper } from "./form-keeper.tsx";
import { isDirty } from "../is-dirty.ts";

/**
 * Keeps what is typed into the form around it in this tab until it is saved, discarded, or the person signs out: after
 * Escape, Close, a link or a reload it is there again. `name` is the same for the same form of the same record. The code
 * is loaded when the form is used, or something of it is kept; where it can't be loaded, nothing is kept. `isUnsaved` says
 * that the page's own values are not saved: it is the answer to a form that was sent without the router.
 */
export function KeptForm({ name, isUnsaved = false }: { name: string; isUnsaved?: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  const [loaded, setLoaded] = useState<{ Keeper: typeof FormKeeper; form: HTMLFormElement }>();

  useEffect(() => {
    const form = place.current?.closest("form");
    if (!form) return;
    const load = () => {
      const setKeeper = ({ FormKeeper: Keeper }: { FormKeeper: typeof FormKeeper }) => setLoaded({ Keeper, form });
      void import("./form-keeper.tsx").then(setKeeper, () => {});
    };
    form.addEventListener("focusin", load, { once: true });
    if (isUnsaved || isDirty(form) || hasKept(name)) load();
    return () => form.removeEventListener("focusin", load);
  }, [name, isUnsaved]);

  return (
    <div ref={place} className="contents">
      {loaded && <loaded.Keeper form={loaded.form} name={name} isUnsaved={isUnsaved} />}
    </div>
  );
}

function hasKept(name: string): boolean {
  try {
    return Object.keys(sessionStorage).some((key) => key.endsWith(name));
  } catch {
    return false;
  }
}
