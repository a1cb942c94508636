import { useEffect, useRef, useState } from "react";
import { useLocation, useNavigation } from "react-router";

/**
 * Does for client-side navigations what browsers do for documents: shows progress, then moves the focus to the new
 * page's heading and announces its title. Dialogs move the focus themselves.
 */
export function NavigationProgress() {
  const isLoading = useNavigation().state === "loading";
  const { pathname } = useLocation();
  const previousPathname = useRef(pathname);
  const [loadedTitle, setArrived] = useState("");

  useEffect(() => {
    if (previousPathname.current === pathname) return;
    previousPathname.current = pathname;
    setArrived(document.title);
    if (document.querySelector("dialog[open]") || hasFocusWithin("main")) return;
    const heading = document.querySelector<HTMLElement>("main h1");
    heading?.setAttribute("tabindex", "-1");
    heading?.focus();
  }, [pathname]);

  return (
    <>
      <p role="status" className="sr-only">
        {isLoading ? "Loading" : loadedTitle}
      </p>
      {isLoading && (
        <p aria-hidden className="page-loading">
          Loading…
        </p>
      )}
    </>
  );
}

/** Whether the focus is within an element. A closed dialog has restored it; a removed page has lost it. */
function hasFocusWithin(selector: string) {
  return document.activeElement?.closest(selector)?.isConnected === true;
}
