import { expect } from "playwright/test";

/** A phone, on its side too, a tablet, a desk, and a desk at 400 %. */
export const WINDOWS = [
  [375, 812],
  [812, 375],
  [768, 1024],
  [1280, 800],
  [320, 256],
] as const;

/** How the room fills the window that it is shown in. */
export function roomLayout() {
  const box = (selector: string) => document.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect();
  const [other, own, controls] = [box(".pane:not([data-own])"), box(".pane[data-own]"), box(".call-controls")];
  const around = document.querySelectorAll(".site-header, .portal-nav, .site-footer");
  return {
    isTooWide: document.documentElement.scrollWidth > window.innerWidth,
    shownAround: [...around].filter((element) => element.checkVisibility()).length,
    isOwnSmall: own.width < other.width / 2 && own.height < other.height,
    arePicturesLarge: other.width * other.height > 0.45 * window.innerWidth * window.innerHeight,
    areControlsInReach: controls.bottom <= window.innerHeight + 1 && controls.top > 0,
    isChatBeside: box(".chat").left >= other.right,
  };
}

/** In a window that is very short nothing stays in place: the page scrolls. */
export function expectedLayout(width: number, height: number) {
  const always: unknown = height < 300 ? expect.any(Boolean) : true;
  return {
    isTooWide: false,
    shownAround: 0,
    isOwnSmall: true,
    arePicturesLarge: always,
    areControlsInReach: always,
    isChatBeside: width === 1280,
  };
}
