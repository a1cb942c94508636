// Proves that input entered before hydration is kept, that a script file that fails to load breaks no page, and that
// effects that run late hide no toast.
import type { Page } from "playwright/test";
import { expect, test } from "../support/browser/playwright-fixtures.ts";
import { waitForHydration } from "../support/browser/wait-for-hydration.ts";

const FORMS = ["/request-consultation", "/dashboard/intake-form?step=client", "/appointments/new", "/documents/new"];

/** Everything that can be filled in, filled in. */
async function fillIn(page: Page) {
  for (const field of await page.locator("main form[method=post] :is(input, textarea)").all()) {
    // What is chosen shows and hides other fields.
    if (!(await field.isVisible())) continue;
    const type = (await field.getAttribute("type")) ?? "text";
    if (type === "checkbox") await field.check();
    else if (type === "date") await field.fill("2027-03-06");
    else if (type === "datetime-local") await field.fill("2027-03-06T10:00");
    else if (type === "number") await field.fill("45");
    else if (type !== "radio" && type !== "file") await field.fill("typed early");
  }
  for (const choice of await page.locator("main form[method=post] fieldset input[type=radio]:last-of-type").all())
    if (await choice.isVisible()) await choice.check();
}

function readFormValues(page: Page) {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLFormElement>("main form[method=post]")].flatMap((form) =>
      [...new FormData(form)]
        .filter(([, value]) => typeof value === "string")
        .map(([name, value]) => `${name}=${String(value)}`),
    ),
  );
}

/** Opens the page, runs `act` while its scripts are delayed, then waits for hydration. */
async function beforeHydration(page: Page, path: string, act: () => Promise<void>) {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\.js$/, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(path, { waitUntil: "commit" });
  await expect(page.getByRole("contentinfo")).toBeAttached();
  // Fields that the style sheet hides are still shown before it has come.
  await page.waitForFunction(() => {
    const styles = [...document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")];
    return styles.length > 0 && styles.every((link) => link.sheet !== null);
  });
  await act();
  release();
  await page.waitForLoadState();
  await waitForHydration(page);
  await page.unroute(/\.js$/);
}

test("input entered before the script loads is kept after hydration", async ({ page, site, login }) => {
  await login(await site.family({ intake: true }));
  for (const path of FORMS) {
    let typed: string[] = [];
    await beforeHydration(page, path, async () => {
      await fillIn(page);
      typed = await readFormValues(page);
      expect(typed.length, path).toBeGreaterThan(2);
    });
    expect(await readFormValues(page), path).toEqual(typed);
  }
});

test("text typed into a field that was focused before hydration is restored on the next visit", async ({
  page,
  site,
  login,
}) => {
  await login(await site.consultant());
  const field = page.getByLabel("What they need");
  await beforeHydration(page, "/requests/new", () => field.focus());
  await page.keyboard.type("A visit at school");
  await expect.poll(() => page.evaluate(() => JSON.stringify(sessionStorage))).toContain("A visit at school");
  await page.goto("/requests/new");
  await expect(field).toHaveValue("A visit at school");
});

test("a date chosen before the script loads shows its open times after hydration", async ({ page, site, login }) => {
  const family = await site.family();
  await login(await site.consultant());
  const date = page.getByLabel("Date", { exact: true });
  await beforeHydration(page, `/families/${family.id}/appointments/new`, () => date.fill("2027-10-02"));
  await page.getByRole("radio", { name: "Saturday, October 2, 2027, 9:00 AM Eastern" }).check();
});

test("a file chosen before the script loads can be uploaded", async ({ page, site, login }) => {
  await login(await site.family({ intake: true }));
  const letter = { name: "School letter.txt", mimeType: "text/plain", buffer: Buffer.from("Dear parents") };
  await beforeHydration(page, "/documents/new", () => page.getByLabel("File", { exact: true }).setInputFiles(letter));
  await expect(page.getByLabel("Document Name")).toHaveValue("School letter");
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "School letter" }).first()).toBeVisible();
});

test.describe("a script file that fails to load", () => {
  test.use({ allowsConsoleErrors: true, waitsForHydration: false });

  test("leaves its part of the page as rendered by the server, with working links", async ({ page, site, login }) => {
    await login(await site.family({ intake: true }));
    let lost = 0;
    await page.route(/\.js$/, async (route) => {
      const response = await route.fetch();
      const isDashboard = (await response.text()).includes("View All Appointments");
      lost += isDashboard ? 1 : 0;
      await (isDashboard ? route.abort() : route.fulfill({ response }));
    });
    await page.goto("/dashboard");
    await expect.poll(() => lost).toBe(1);
    await expect(page.getByRole("heading", { name: /^Welcome/ })).toBeVisible();
    await page.getByRole("link", { name: "Account Settings" }).click();
    await expect(page.getByRole("heading", { name: "Account Settings" })).toBeVisible();
    await expect.poll(() => lost).toBe(2);
    await expect(page.getByRole("heading", { name: /^Welcome/ })).toBeVisible();
  });
});

test("a toast that expires while the next one replaces it does not hide it", async ({ page, site, login }) => {
  await login(await site.family());
  await page.goto("/appointments");
  await page.evaluate(() => {
    const startTimer = window.setTimeout.bind(window);
    let expireFirst: (() => void) | undefined;
    window.setTimeout = ((handler: () => void, ms?: number) => {
      if (ms === 5000) expireFirst ??= handler;
      return startTimer(handler, ms);
    }) as typeof window.setTimeout;
    // Runs the first toast's timer as soon as the second one's text is in the page, before the effects of its rendering.
    const region = document.querySelector("[data-toasts]")!;
    const observer = new MutationObserver(() => {
      if (!region.textContent.includes("second")) return;
      observer.disconnect();
      expireFirst?.();
    });
    observer.observe(region, { subtree: true, childList: true, characterData: true });
  });
  const show = (title: string) =>
    page.evaluate((text) => window.dispatchEvent(new CustomEvent("notice", { detail: { title: text } })), title);
  await show("The first message");
  await expect(page.getByText("The first message")).toBeVisible();
  await show("The second message");
  await expect(page.getByText("The second message")).toBeVisible();
});
