import type { Locator, Page } from "playwright/test";
import { expect } from "./playwright-fixtures.ts";

const MAX_TAB_STOPS = 90;

/** Somebody who uses the keys alone: every stop on the way must show its focus, and nothing may lie over it. */
export function keyboardUser(page: Page) {
  const { keyboard } = page;

  async function press(key: string) {
    await keyboard.press(key);
    const trouble = await page.evaluate(troubleAtFocus);
    expect(trouble, `after ${key} on ${page.url()}`).toBeNull();
  }

  /** Presses Tab (or Shift+Tab) until `target` has the focus. */
  async function reach(target: Locator, key: "Tab" | "Shift+Tab" = "Tab") {
    await expect(target).toBeVisible();
    const hasFocus = () => target.evaluate((node) => node === document.activeElement);
    for (let stop = 0; stop < MAX_TAB_STOPS && !(await hasFocus()); stop += 1) await press(key);
    await expect(target).toBeFocused();
  }

  return {
    press,
    reach,
    /** Goes to a link or button and presses it. */
    async use(target: Locator, key: "Enter" | "Space" = "Enter") {
      await reach(target);
      await keyboard.press(key);
    },
    /** Goes to a field and writes over what stands in it. */
    async write(field: Locator, text: string) {
      await reach(field);
      await keyboard.press("ControlOrMeta+a");
      await keyboard.type(text);
    },
    /** A date field is written part by part: month, day, year. */
    async writeDate(field: Locator, parts: string) {
      await reach(field);
      await keyboard.type(parts);
    },
    /** Goes into a group of radio buttons and on with the arrow keys to the one that is meant. */
    async choose(choice: Locator) {
      const name = await choice.getAttribute("name");
      const group = page.locator(`input[type=radio][name="${name}"]`);
      await expect(choice).toBeVisible();
      const isInGroup = () => group.evaluateAll((all) => all.includes(document.activeElement as HTMLInputElement));
      for (let stop = 0; stop < MAX_TAB_STOPS && !(await isInGroup()); stop += 1) await press("Tab");
      const isThere = () => choice.evaluate((node) => node === document.activeElement);
      for (let step = 0; step < MAX_TAB_STOPS && !(await isThere()); step += 1) await press("ArrowDown");
      if (!(await choice.isChecked())) await keyboard.press("Space");
      await expect(choice).toBeChecked();
    },
  };
}

/** Runs in the browser: what is wrong with where the focus is; null where all is well, or where it has left the page. */
function troubleAtFocus(): string | null {
  const focused = document.activeElement;
  if (!(focused instanceof HTMLElement) || focused === document.body) return null;
  const name = `${focused.tagName.toLowerCase()} "${(focused.textContent || focused.getAttribute("name") || "").trim().slice(0, 40)}"`;
  const frame = focused.closest<HTMLElement>(".choice") ?? focused;
  const { outlineStyle, outlineWidth } = getComputedStyle(frame);
  if (outlineStyle === "none" || parseFloat(outlineWidth) < 2) return `${name} does not show its focus`;
  const box = frame.getBoundingClientRect();
  const [left, right] = [Math.max(box.left, 0), Math.min(box.right, innerWidth)];
  const [top, bottom] = [Math.max(box.top, 0), Math.min(box.bottom, innerHeight)];
  if (right - left < 1 || bottom - top < 1) return `${name} is out of sight`;
  const over = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  const isOpen = over !== null && (frame.contains(over) || over.contains(frame) || over.closest(".choice") === frame);
  return isOpen ? null : `${name} lies under ${over?.tagName.toLowerCase()}.${over?.className}`;
}
