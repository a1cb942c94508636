import { useEffect, useRef } from "react";
import { Form } from "react-router";
import { isSearchShortcutEnabled, SEARCH_PATH } from "./search-shortcut-setting.ts";

/**
 * Search across all records, in the consultant's navigation. The key `/` focuses it. Phones have a separate page for
 * it.
 */
export function GlobalSearchBox() {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
      if ((event.target as Element).matches("input,textarea,select") || !isSearchShortcutEnabled()) return;
      event.preventDefault();
      input.current?.focus();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
  return (
    <Form action={SEARCH_PATH} role="search" aria-label="Everything" className="portal-nav-search">
      <input
        ref={input}
        type="search"
        name="q"
        className="input"
        maxLength={100}
        autoComplete="off"
        aria-label="Search everything"
        aria-keyshortcuts="/"
      />
      <button className="button button-secondary">Search</button>
    </Form>
  );
}
