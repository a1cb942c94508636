import type { Page } from "playwright/test";

/** Waits until the page has been taken over by its script and its dialogs are modal. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const hydrates = document.querySelector("script[type=module]") !== null;
    const isTaken = Object.keys(document).some((key) => key.startsWith("__reactContainer"));
    return (!hydrates || isTaken) && document.querySelector("dialog[open]:not(:modal)") === null;
  });
}
