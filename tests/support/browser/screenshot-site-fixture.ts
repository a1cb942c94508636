import { test as base } from "playwright/test";
import { startScreenshotSite, type ScreenshotSite } from "../../screenshots/screenshot-site.ts";

/** Each worker has the site of the screenshots, whose clock stands still, with a database of its own. */
export const test = base.extend<object, { screenshotSite: ScreenshotSite }>({
  screenshotSite: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const site = await startScreenshotSite();
      await use(site);
      await site.stop();
    },
    { scope: "worker", timeout: 120_000 },
  ],
});
