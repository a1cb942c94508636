// Proves that a dialog is modal with script and part of the page without: the list behind it never gets the focus.
import type { Page } from "playwright/test";
import { expect, test } from "../support/browser/playwright-fixtures.ts";

const MAX_STOPS = 60;
const PATHS = [
  "/appointments/new",
  "/documents/new",
  "/dashboard/settings",
  "/appointments?service=Monthly%20Retainer",
];

/** Whether the focus is on something of the list behind the dialog. */
const isBehind = (page: Page) =>
  page.evaluate(() => {
    const { activeElement } = document;
    return Boolean(activeElement?.closest("main") && !activeElement.closest("dialog") && activeElement.id !== "main");
  });

test("opening a dialog focuses its heading, and Tab never reaches the page behind it", async ({
  page,
  site,
  login,
  expectAccessible,
}, { project }) => {
  const hasScript = project.name === "with script";
  await login(await site.family({ intake: true }));
  for (const path of PATHS) {
    await page.goto(path);
    if (hasScript) await expect(page.locator("dialog:modal")).toBeVisible();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByRole("heading", { level: 2 }).first()).toBeFocused();
    const position = await dialog.evaluate((element) => getComputedStyle(element).position);
    expect([path, position]).toEqual([path, hasScript ? "fixed" : "static"]);
    await expectAccessible(page);
    let stopsInDialog = 0;
    for (let stop = 0; stop < MAX_STOPS; stop += 1) {
      await page.keyboard.press("Tab");
      expect([path, stop, await isBehind(page)]).toEqual([path, stop, false]);
      if (await page.evaluate(() => document.activeElement?.closest("dialog") !== null)) stopsInDialog += 1;
      else if (stopsInDialog > 0) break;
    }
    expect(stopsInDialog, path).toBeGreaterThan(2);
  }
});

test("on a phone a dialog takes the whole width", async ({ page, site, login }) => {
  await page.setViewportSize({ width: 375, height: 700 });
  const family = await site.family({ intake: true });
  await login(family);
  for (const path of ["/appointments/new", "/dashboard/settings"]) {
    await page.goto(path);
    const dialog = page.getByRole("dialog");
    await expect(dialog).toBeVisible();
    const { width, visible, scroll } = await dialog.evaluate((element) => ({
      width: element.getBoundingClientRect().width,
      visible: document.body.getBoundingClientRect().width,
      scroll: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    }));
    expect(scroll, path).toBeLessThanOrEqual(0);
    expect(width, path).toBe(visible);
  }
});
