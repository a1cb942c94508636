import type { Page } from "playwright/test";

// What breaks a rule, found in the browser.

/** Elements that extend beyond the window's edge, except in scrolling boxes, and dialogs that are cut off. */
export function findOffscreenElements(): string[] {
  const nameOf = (element: Element) =>
    `${element.tagName.toLowerCase()} "${(element.textContent ?? "").trim().slice(0, 40)}"`;
  const wide = document.documentElement.clientWidth;
  const found =
    document.documentElement.scrollWidth > wide ? [`the page scrolls ${document.documentElement.scrollWidth} px`] : [];
  for (const element of document.querySelectorAll("main *, dialog *, header *, footer *")) {
    const { left, right, width, height } = element.getBoundingClientRect();
    if (width < 2 || height < 2 || (left >= -1 && right <= wide + 1)) continue;
    if (
      !element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) ||
      element.closest("svg, .skip-link, [aria-hidden=true]")
    )
      continue;
    if (isInScrollBox(element)) continue;
    found.push(`${nameOf(element)} ends at ${Math.round(right)} of ${wide}`);
  }
  for (const box of document.querySelectorAll("dialog[open]")) {
    const { overflowY } = getComputedStyle(box);
    if (box.scrollHeight > box.clientHeight + 1 && overflowY !== "auto" && overflowY !== "scroll")
      found.push("the dialog is cut off below");
  }
  return found.slice(0, 5);

  function isInScrollBox(element: Element): boolean {
    for (let box = element.parentElement; box && box !== document.body; box = box.parentElement)
      if (/auto|scroll/.test(getComputedStyle(box).overflowX) && box.scrollWidth > box.clientWidth) return true;
    return false;
  }
}

/** Targets that are too small to touch: buttons, fields and choices below 44 px, links in running text below 24 px. */
export function findSmallTargets(): string[] {
  const LEAST = 44;
  const LEAST_IN_TEXT = 24;
  const found: string[] = [];
  const targets = document.querySelectorAll<HTMLElement>(
    "a[href], button, summary, select, textarea, input:not([type=hidden]), [tabindex='0']",
  );
  for (const target of targets) {
    if (
      !target.checkVisibility({ visibilityProperty: true }) ||
      target.closest(".sr-only, [aria-hidden=true], [inert]")
    )
      continue;
    const choice =
      target instanceof HTMLInputElement && /radio|checkbox/.test(target.type) ? target.closest("label") : null;
    const box = (choice ?? target).getBoundingClientRect();
    if (box.bottom < 0 || box.right < 0) continue;
    const style = getComputedStyle(target);
    const isInText = target instanceof HTMLAnchorElement && style.display === "inline";
    const least = isInText ? LEAST_IN_TEXT : LEAST;
    const lines = isInText ? [...target.getClientRects()] : [box];
    const smallest = Math.min(...lines.map(({ height }) => height));
    const width = isInText ? least : box.width;
    if (smallest >= least - 0.5 && width >= least - 0.5) continue;
    const name =
      target.getAttribute("aria-label") ?? ((choice ?? target).textContent?.trim() || target.getAttribute("name"));
    found.push(
      `${target.tagName.toLowerCase()} "${name?.slice(0, 40)}" ${Math.round(width)} x ${Math.round(smallest)}`,
    );
  }
  return [...new Set(found)];
}

/** Text that is clipped with the spacing of WCAG 1.4.12. */
export function findTextClippedBySpacing(): string[] {
  const wide = new CSSStyleSheet();
  const cut = () => new Set([...document.querySelectorAll<HTMLElement>("body *")].filter(isCut));
  const before = cut();
  wide.replaceSync(
    `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
     p { margin-bottom: 2em !important; }`,
  );
  document.adoptedStyleSheets.push(wide);
  const found = [...cut()].filter((element) => !before.has(element));
  const sideways = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  document.adoptedStyleSheets.pop();
  const names = found.map(
    (element) => `${element.tagName.toLowerCase()} "${element.textContent?.trim().slice(0, 40)}" is cut off`,
  );
  return sideways > 0 ? [...names, `the page scrolls ${sideways} px sideways`] : names;

  function isCut(element: HTMLElement): boolean {
    if (!element.textContent?.trim() || !element.checkVisibility() || element.closest(".sr-only, svg")) return false;
    const { overflowX, overflowY } = getComputedStyle(element);
    const hides = (overflow: string) => overflow === "hidden" || overflow === "clip";
    return (
      (hides(overflowX) && element.scrollWidth > element.clientWidth + 1) ||
      (hides(overflowY) && element.scrollHeight > element.clientHeight + 1)
    );
  }
}

/** What does not fit at 200 % text size (WCAG 1.4.4). */
export async function findTextCutByZoom(page: Page): Promise<string[]> {
  const setSize = (size: string) => page.evaluate((to) => (document.documentElement.style.fontSize = to), size);
  await setSize("200%");
  const found = await page.evaluate(findOffscreenElements);
  const cut = await page.evaluate(() =>
    [...document.querySelectorAll("dialog[open], .menu > summary")]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
      .map(({ tagName }) => `the ${tagName.toLowerCase()} is wider than its place`),
  );
  const broken = await page.evaluate(findWordsBrokenAnywhere);
  await setSize("");
  return [...found, ...cut, ...broken];
}

/** Words of up to 30 letters on two lines that nothing hyphenates; an address has no syllables, and breaks where it must. */
function findWordsBrokenAnywhere(): string[] {
  const found = new Set<string>();
  for (const root of document.querySelectorAll("main, .portal-nav, .site-footer")) {
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      if (!node.parentElement?.checkVisibility() || getComputedStyle(node.parentElement).hyphens === "auto") continue;
      for (const { index, 0: word } of (node.textContent ?? "").matchAll(/(?<!\S)[A-Za-z]{4,30}(?!\S)/g)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (lines.size > 1) found.add(`"${word}" breaks without a hyphen`);
      }
    }
  }
  return [...found].slice(0, 5);
}

/** Words of headings, buttons, labels and navigation that are on two lines without a hyphen. */
export function findBrokenNames(): string[] {
  const NAMES = "h1, h2, h3, h4, button, .button, .portal-nav a, summary, legend, .label, dt";
  const brokenWords = () => {
    const found = new Set<string>();
    for (const name of document.querySelectorAll(NAMES)) {
      const texts = document.createTreeWalker(name, NodeFilter.SHOW_TEXT);
      for (let node = texts.nextNode(); node; node = texts.nextNode()) {
        const parent = node.parentElement;
        if (!parent?.checkVisibility({ visibilityProperty: true }) || parent.closest(".sr-only")) continue;
        for (const { index, 0: word } of (node.textContent ?? "").matchAll(/(?<!\S)[A-Za-z]{4,20}(?=[\s,.:;!?)]|$)/g)) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
          if (lines.size > 1) found.add(`"${word}" in ${parent.tagName.toLowerCase()} breaks without a hyphen`);
        }
      }
    }
    return found;
  };
  const before = brokenWords();
  // What is on two lines then, too, is hyphenated.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("* { overflow-wrap: normal !important; word-break: normal !important; }");
  document.adoptedStyleSheets.push(sheet);
  const hyphenated = brokenWords();
  document.adoptedStyleSheets.pop();
  return [...before].filter((each) => !hyphenated.has(each)).slice(0, 5);
}

/** The same at 200 % text size. */
export async function findBrokenNamesByZoom(page: Page): Promise<string[]> {
  const setSize = (size: string) => page.evaluate((to) => (document.documentElement.style.fontSize = to), size);
  await setSize("200%");
  const found = await page.evaluate(findBrokenNames);
  await setSize("");
  return found;
}

/** Links with the same text and different targets, which a list of links can't distinguish. */
export function findAmbiguousLinks(): string[] {
  const targets = new Map<string, Set<string>>();
  for (const link of document.querySelectorAll<HTMLAnchorElement>("a[href]")) {
    if (!link.checkVisibility({ visibilityProperty: true })) continue;
    const words = (link.getAttribute("aria-label") ?? link.textContent ?? "").replace(/\s+/g, " ").trim();
    targets.set(words, (targets.get(words) ?? new Set()).add(link.href));
  }
  return [...targets]
    .filter(([, { size }]) => size > 1)
    .map(([words, { size }]) => `"${words}" leads to ${size} places`);
}

/** Controls without a visible border in forced colors. */
export function findEdgesLostInForcedColors(): string[] {
  const found: string[] = [];
  for (const element of document.querySelectorAll<HTMLElement>(
    ".button:not(.button-quiet), .input, .choice, .badge, .toast, dialog[open]",
  )) {
    if (!element.checkVisibility() || element.closest("[hidden], .sr-only")) continue;
    const { borderTopWidth, borderTopStyle, borderTopColor, backgroundColor } = getComputedStyle(element);
    const isDrawn = parseFloat(borderTopWidth) >= 1 && borderTopStyle !== "none" && borderTopColor !== backgroundColor;
    if (!isDrawn) found.push(`${element.className} "${element.textContent?.trim().slice(0, 30)}"`);
  }
  return [...new Set(found)];
}

/** What moves although the user prefers reduced motion. */
export function findRunningAnimations(): string[] {
  const found = getComputedStyle(document.documentElement).scrollBehavior === "auto" ? [] : ["smooth scrolling"];
  const QUIET = new Set(["opacity", "offset", "computedOffset", "easing", "composite"]);
  for (const animation of document.getAnimations()) {
    const frames = animation.effect instanceof KeyframeEffect ? animation.effect.getKeyframes() : [];
    const moved = frames.flatMap((frame) => Object.keys(frame)).filter((name) => !QUIET.has(name));
    if (moved.length > 0) found.push(`an animation of ${moved.join(", ")}`);
  }
  for (const element of document.querySelectorAll("body *")) {
    const { transitionDuration, transitionProperty, animationName, animationDuration } = getComputedStyle(element);
    const lasts = (durations: string) => durations.split(",").some((one) => parseFloat(one) > 0);
    if (lasts(transitionDuration) && transitionProperty !== "opacity")
      found.push(`a transition of ${transitionProperty}`);
    if (animationName !== "none" && lasts(animationDuration)) found.push(`the animation ${animationName}`);
  }
  return [...new Set(found)];
}

/** What every page needs: a title, one h1, a main landmark, and help in the same place (WCAG 3.2.6). */
export function findMissingLandmarks(): string[] {
  const found: string[] = [];
  if (!/\S.* · \S/.test(document.title)) found.push(`the title "${document.title}"`);
  for (const selector of ["head > title", "h1", "main#main", "html[lang=en]"])
    if (document.querySelectorAll(selector).length !== 1)
      found.push(`${document.querySelectorAll(selector).length} of ${selector}`);
  for (const selector of ["footer a[href^='tel:']", "footer a[href^='mailto:']"])
    if (!document.querySelector(selector)) found.push(`no ${selector}`);
  return found;
}
