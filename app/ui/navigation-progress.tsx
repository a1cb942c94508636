import { useEffect, useRef, useState } from "react";
import { useLocation, useNavigation } from "react-router";

/**
 * What a browser does by itself between documents, for pages that change in place: says that the next page is on its
 * way, then moves the focus to its heading and reads its title once. Dialogs move the focus themselves.
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

/** A closed dialog has given the focus back to where it came from; a page that is gone has taken it along. */
function hasFocusWithin(selector: string) {
  return document.activeElement?.closest(selector)?.isConnected === true;
}
