import type { Locator, Page } from "playwright/test";
import { expect } from "./playwright-fixtures.ts";

const MAX_TAB_STOPS = 90;

/** A user with only a keyboard: every element that gets the focus must show it and must not be covered. */
export function keyboardUser(page: Page) {
  const { keyboard } = page;

  async function press(key: string) {
    await keyboard.press(key);
    const problem = await page.evaluate(findFocusProblem);
    expect(problem, `after ${key} on ${page.url()}`).toBeNull();
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
    /** Tabs to a link or button and presses it. */
    async use(target: Locator, key: "Enter" | "Space" = "Enter") {
      await reach(target);
      await keyboard.press(key);
    },
    /** Tabs to a field and replaces its text. */
    async write(field: Locator, text: string) {
      await reach(field);
      await keyboard.press("ControlOrMeta+a");
      await keyboard.type(text);
    },
    /** Tabs to a date field and types month, day and year. */
    async writeDate(field: Locator, parts: string) {
      await reach(field);
      await keyboard.type(parts);
    },
    /** Tabs to a list of options and selects one with the arrow keys: a busy browser forgets letters typed before. */
    async select(list: Locator, value: string) {
      await reach(list);
      const options = await list.locator("option").count();
      await keyboard.press("Home");
      for (let step = 0; step < options && (await list.inputValue()) !== value; step += 1)
        await keyboard.press("ArrowDown");
      await expect(list).toHaveValue(value);
    },
    /** Tabs to a group of radio buttons and selects one with the arrow keys. */
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

/** Runs in the browser: why the focused element breaks the rules; null if it does not, or if the focus left the page. */
function findFocusProblem(): string | null {
  const focused = document.activeElement;
  if (!(focused instanceof HTMLElement) || focused === document.body) return null;
  // A dialog that becomes modal after the key was pressed moves the focus to its heading, which is no tab stop.
  if (focused.matches("h1[tabindex='-1'], h2[tabindex='-1']")) return null;
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
  return isOpen ? null : `${name} is covered by ${over?.tagName.toLowerCase()}.${over?.className}`;
}
