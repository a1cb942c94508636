import { useEffect, useRef, useState } from "react";
import { useLocation, useNavigation } from "react-router";

/**
 * Does for client-side navigations what browsers do for documents: shows progress, then moves the focus to the element
 * of the fragment, otherwise to the new page's heading, and announces the page's title. The router restores the scroll
 * position. Dialogs set the focus themselves.
 */
export function NavigationAccessibility() {
  const isLoading = useNavigation().state === "loading";
  const { pathname, search, hash, key } = useLocation();
  const previous = useRef({ pathname, search, key });
  const [loadedTitle, setArrived] = useState("");

  useEffect(() => {
    const previousLocation = previous.current;
    previous.current = { pathname, search, key };
    const isSamePage = previousLocation.pathname === pathname;
    // True for a link to a part of this page. A form that filters a list must not move the focus.
    const isFragmentLink =
      isSamePage && previousLocation.key !== key && previousLocation.search === search && hash !== "";
    if (isSamePage && !isFragmentLink) return;
    if (!isSamePage) setArrived(document.title);
    if (document.querySelector("dialog[open]") || (!isFragmentLink && hasFocusWithin("main"))) return;
    const target = findFragmentTarget(hash) ?? document.querySelector<HTMLElement>("main h1");
    if (target && /^H\d$/.test(target.tagName)) target.tabIndex = -1;
    target?.focus({ preventScroll: true });
  }, [pathname, search, hash, key]);

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

/** Returns the first heading or field in the element of a fragment. */
function findFragmentTarget(hash: string): HTMLElement | null {
  const fragmentElement = hash === "" ? null : document.getElementById(decodeURIComponent(hash.slice(1)));
  return fragmentElement?.querySelector<HTMLElement>("h2, h3, textarea") ?? null;
}

/** Whether the focus is within an element. A closed dialog has restored the focus; a removed page has lost it. */
function hasFocusWithin(selector: string) {
  return document.activeElement?.closest(selector)?.isConnected === true;
}
