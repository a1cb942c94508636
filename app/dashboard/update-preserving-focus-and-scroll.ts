import { flushSync } from "react-dom";
import {
  openDetailsAndFocus,
  findCardHeading,
  dialogOpeners,
  getFocusOrigin,
} from "../ui/behaviors/focus-restoration.ts";

/** A row that can be used, in contrast to an item of a text. */
const ROW_SELECTOR = "li:has(a, button)";

/**
 * Updates the page at once, and keeps the focus and the visible content where they are. Browsers keep the content in
 * place themselves only while the page is scrolled, and some never do. Can't be called in an effect.
 */
export function updatePreservingFocusAndScroll(update: () => void): void {
  const restoreFocus = captureFocus();
  const restoreScroll = captureScrollPosition();
  flushSync(update);
  restoreFocus();
  restoreScroll();
}

/** Returns a function that scrolls as far as the content has moved since, so that it does not move in the window. */
function captureScrollPosition(): () => void {
  const positions = findScrollAnchors().map((element) => ({ element, top: element.getBoundingClientRect().top }));
  return () => {
    // A row that moved to another list is a new element, so the page does not follow it.
    const position = positions.find(({ element }) => element.isConnected);
    const moved = position ? position.element.getBoundingClientRect().top - position.top : 0;
    if (moved !== 0) window.scrollBy({ top: moved, behavior: "instant" });
  };
}

/** Returns the elements that should stay in place, the most important one first. */
function findScrollAnchors(): Element[] {
  const main = document.querySelector("main");
  if (!main) return [];
  const hoveredElements = [...main.querySelectorAll(`:is(${ROW_SELECTOR}, .card):hover`)].toReversed();
  const active = document.activeElement;
  const focused = active && active !== main && main.contains(active) ? [active.closest("li") ?? active] : [];
  const others = [...main.querySelectorAll(ROW_SELECTOR), ...main.querySelectorAll(".card")];
  const visible = [...hoveredElements, ...focused, ...others].filter(isInWindow);
  return [...visible, main];
}

/** Checks whether the beginning of the element is in the window. What is in a closed group has a position, too. */
function isInWindow(element: Element): boolean {
  const { top, height } = element.getBoundingClientRect();
  return height > 0 && top >= 0 && top < window.innerHeight && !element.closest("details:not([open])");
}

/**
 * Records the focused control, and those from which the open dialogs were opened, before an update. Returns a
 * function that finds them again after it, because a row that moved to another list is rendered anew. If the control is
 * gone, the focus moves to the first control of its row; if the row is gone, to the heading of its card.
 */
function captureFocus(): () => void {
  const element = document.activeElement;
  const findOpeners = [...dialogOpeners].map((opener) => [opener, captureControl(opener.element)] as const);
  const findFocused = element instanceof HTMLElement && element !== document.body ? captureControl(element) : null;
  const heading = element instanceof HTMLElement ? findCardHeading(element) : null;
  return () => {
    for (const [opener, findOpener] of findOpeners) {
      const found = opener.element.isConnected ? null : findOpener();
      if (found) Object.assign(opener, getFocusOrigin(found));
    }
    if (!findFocused || document.activeElement !== document.body) return;
    const found = findFocused();
    if (found) return openDetailsAndFocus(found, { preventScroll: true });
    (heading?.isConnected ? heading : document.querySelector("main"))?.focus({ preventScroll: true });
  };
}

/** Returns a function that finds the control again, or else one of the same row. */
function captureControl(element: HTMLElement): () => HTMLElement | null | undefined {
  const row = element.closest("li");
  const firstOfRow = row?.querySelector<HTMLElement>("a, button");
  const address = element.getAttribute("href");
  return () => {
    const controls = [...document.querySelectorAll<HTMLElement>("main :is(a[href], button, summary)")];
    const findSame = (wanted: HTMLElement) => controls.find((each) => isSameControl(each, wanted));
    const same = findSame(element);
    if (same) return same;
    const movedRow = row?.isConnected ? row : firstOfRow && findSame(firstOfRow)?.closest("li");
    const isInRow = (each: HTMLElement) => !row || movedRow?.contains(each);
    // What it says may have changed, such as the button of a waiting room.
    const renamed = controls.find((each) => address !== null && each.getAttribute("href") === address && isInRow(each));
    return renamed ?? movedRow?.querySelector<HTMLElement>("a, button");
  };
}

function isSameControl(one: HTMLElement, other: HTMLElement): boolean {
  return (
    one.tagName === other.tagName &&
    one.getAttribute("href") === other.getAttribute("href") &&
    one.textContent === other.textContent
  );
}
