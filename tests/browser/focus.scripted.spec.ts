// Proves that keyboard focus is visible on every kind of control (WCAG 2.4.13), and moves to fields and warnings.
import type { Locator, Page } from "playwright/test";
import { serviceRadio, showInDialog, typeTime } from "../support/browser/booking-dialog.ts";
import { waitForHydration } from "../support/browser/wait-for-hydration.ts";
import { openPasswordForm } from "../support/browser/password-dialog.ts";
import { expect, test } from "../support/browser/playwright-fixtures.ts";

/** One of every kind of control, where it stands. */
const CONTROLS: Record<string, Record<string, (page: Page) => Locator | Promise<Locator>>> = {
  "/register": {
    "the brand's link": (page) => page.locator(".brand"),
    "a link of the navigation": (page) => page.locator("nav .site-link").first(),
    "a link in a sentence": (page) => page.getByRole("link", { name: "Sign in here" }),
    "a link of the footer": (page) => page.getByRole("contentinfo").getByRole("link", { name: "About" }),
    "a text field": (page) => page.getByLabel("First Name"),
    "the button that shows a password": (page) => page.locator("[data-password-toggle]").first(),
    "the main button": (page) => page.getByRole("button", { name: "Create Account" }),
  },
  "/appointments/new?service=Hourly%20Consulting": {
    "a card to choose": (page) => serviceRadio(page, "Hourly Consulting"),
    "what opens and closes": (page) => page.getByText("Add-on services"),
    "the way on": (page) => page.getByRole("button", { name: "Continue" }),
    "a day to choose": (page) => shown(page, page.locator("button[name=day]").first()),
    "a time to choose": (page) => page.locator("input[name=slot]").first(),
    "a date": async (page) => {
      await typeTime(page, "2027-06-19T10:00");
      return page.getByLabel("Date & Time");
    },
    "a radio button": (page) => shown(page, page.getByRole("radio", { name: "Pay in person" })),
    "a text of several lines": (page) => page.getByLabel(/^Note/),
    "a list to choose from": async (page) => {
      await page.getByText("More options").click();
      await page.keyboard.press("Tab");
      return page.getByLabel("Appointment Type");
    },
    "a button without words": (page) => page.getByRole("dialog").getByRole("link", { name: "Close" }),
  },
  "/dashboard/intake-form?step=concerns": { "a tick box": (page) => page.getByRole("checkbox").first() },
  "/documents/new": { "a file": (page) => page.getByLabel("File", { exact: true }) },
};

async function shown(page: Page, target: Locator): Promise<Locator> {
  await showInDialog(page, target);
  // The pointer has led here; from here on the focus is the keyboard's again.
  await page.keyboard.press("Tab");
  return target;
}

/** At least as much of the screen must change as a line of 2 px around the control, and by at least 3:1 (WCAG 2.4.13). */
const LEAST_LINE_PX = 2;
const LEAST_CONTRAST = 3;
const AROUND_PX = 10;

for (const colorScheme of ["light", "dark"] as const) {
  test(`every kind of control shows a focus indicator in ${colorScheme} mode`, async ({
    page,
    site,
    login,
    browser,
  }) => {
    test.slow();
    const measure = await browser.newPage();
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const weak: string[] = [];
    for (const [path, controls] of Object.entries(CONTROLS)) {
      if (path !== "/register") await login(await site.family({ intake: true }));
      await page.goto(path);
      // A dialog becomes modal when its page hydrates, which moves the focus.
      await waitForHydration(page);
      await page.evaluate(() => document.fonts.ready);
      // From here on the focus is the keyboard's.
      await page.keyboard.press("Tab");
      for (const [name, find] of Object.entries(controls)) {
        const share = await shareOfLine(page, measure, await find(page));
        if (share < 1) weak.push(`${name}: ${share.toFixed(2)} of the line that is needed`);
      }
    }
    await measure.close();
    expect(weak).toEqual([]);
  });
}

test("a link in a dialog's error summary focuses its field, and the page title keeps its error prefix", async ({
  page,
  site,
  login,
}) => {
  await login(await site.family());
  await openPasswordForm(page);
  await page.getByRole("button", { name: "Change Password" }).click();
  const dialog = page.locator("dialog:modal");
  for (const [link, field] of [
    ["Current password is required", "Current Password"],
    ["New password must be at least 6 characters", "New Password"],
  ] as const) {
    await dialog.getByRole("alert").getByRole("link", { name: link }).press("Enter");
    await expect(dialog.getByLabel(field, { exact: true })).toBeFocused();
    await expect(page).toHaveTitle(/^Error: Account Settings/);
  }
});

/** How much of the needed line the focus draws around the control; 1 is just enough. */
async function shareOfLine(page: Page, measure: Page, control: Locator): Promise<number> {
  await control.evaluate((element) => element.scrollIntoView({ block: "center" }));
  const box = await control.evaluate((element) => {
    const { x, y, width, height } = (element.closest(".choice") ?? element).getBoundingClientRect();
    return { x, y, width, height };
  });
  const clip = {
    x: Math.max(0, box.x - AROUND_PX),
    y: Math.max(0, box.y - AROUND_PX),
    width: box.width + 2 * AROUND_PX,
    height: box.height + 2 * AROUND_PX,
  };
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  const before = await page.screenshot({ clip, caret: "hide" });
  await control.evaluate((element: HTMLElement) => element.focus({ preventScroll: true }));
  const after = await page.screenshot({ clip, caret: "hide" });
  const changed = await measure.evaluate(countChanged, {
    pictures: [before.toString("base64"), after.toString("base64")],
    least: LEAST_CONTRAST,
  });
  return changed / (2 * LEAST_LINE_PX * (box.width + box.height));
}

/** Runs in the browser: how many pixels differ between two pictures by at least so much contrast. */
async function countChanged({ pictures, least }: { pictures: string[]; least: number }): Promise<number> {
  const [one, other] = await Promise.all(pictures.map(pixelsOf));
  if (!one || !other) return 0;
  let changed = 0;
  for (let at = 0; at < one.length; at += 4) {
    const [dark = 0, bright = 0] = [luminance(one, at), luminance(other, at)].toSorted((a, b) => a - b);
    if ((bright + 0.05) / (dark + 0.05) >= least) changed += 1;
  }
  return changed;

  async function pixelsOf(base64: string) {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const canvas = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
    canvas?.drawImage(picture, 0, 0);
    return canvas?.getImageData(0, 0, picture.width, picture.height).data;
  }

  function luminance(data: Uint8ClampedArray, at: number): number {
    const [red = 0, green = 0, blue = 0] = [0, 1, 2].map((part) => {
      const value = (data[at + part] ?? 0) / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  }
}

test("the booking button is in view beside the chosen time, and a warning about office hours takes the focus", async ({
  page,
  site,
  login,
}) => {
  const family = await site.family({ intake: true });
  await login(await site.consultant());
  const dialog = page.getByRole("dialog");
  const button = dialog.getByRole("button", { name: "Book the visit" });
  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 375, height: 800 },
  ]) {
    await page.setViewportSize(viewport);
    await page.goto(`/families/${family.id}/appointments/new?date=2028-07-04&time=07:00`);
    await waitForHydration(page);
    await expect(button).toBeInViewport({ ratio: 1 });
    await expect(dialog.getByText("Tue, Jul 4, 7:00 AM")).toBeInViewport({ ratio: 1 });
  }
  await dialog.getByLabel("Service Type").fill("Hourly Consulting");
  await dialog.getByRole("radio", { name: "Tuesday, July 4, 2028, 7:00 PM Eastern" }).check();
  await expect(dialog.getByText("Tue, Jul 4, 7:00 PM")).toBeVisible();
  await dialog.getByLabel("Time (ET)").fill("07:10");
  await expect(dialog.getByText("Tue, Jul 4, 7:10 AM")).toBeVisible();
  await button.click();
  const warning = dialog.getByRole("alert").filter({ hasText: "On Tuesdays the office is open" });
  await expect(warning).toBeFocused();
  await expect(warning.getByRole("button", { name: "Book it anyway" })).toBeInViewport({ ratio: 1 });
});
