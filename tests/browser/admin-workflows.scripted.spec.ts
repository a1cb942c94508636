// Proves the administrator's pages with script: polling, focus, typed text, clipboard and printing.
import type { Page, Route } from "playwright/test";
import { waitForHydration } from "../support/browser/wait-for-hydration.ts";
import { clearRequests } from "../support/browser/clear-requests.ts";
import { expect, type Site, test } from "../support/browser/playwright-fixtures.ts";

const TICK = 5_500;

test.beforeEach(({ site }) => clearRequests(site));

async function submitRequest(site: Site, firstName: string) {
  const story = { firstName, lastName: "Newcomer", email: "new@example.org", serviceNeeds: "Help", consent: true };
  const response = await site.visitor().post("/api/consultation-requests", { ...story, urgency: "emergency" });
  expect(response.status).toBe(201);
}

/** The time for one refresh passes, and again as long as the page was not yet running. */
async function refreshed(page: Page, expectIt: () => Promise<void>) {
  await expect(async () => {
    await page.clock.runFor(TICK);
    await expectIt();
  }).toPass({ timeout: 30_000 });
}

/** Opens the one line of a request on the dashboard. */
async function openRequest(page: Page, name: string) {
  const request = page.locator("#requests li").filter({ hasText: name });
  await request.locator("summary").click();
  return request;
}

const showsRequest = (page: Page, name: string) =>
  refreshed(page, () => expect(page.locator("#requests")).toContainText(name, { timeout: 3_000 }));

test("refreshing moves no focus, closes no dialog and loses no typed text", async ({ page, site, login }) => {
  await submitRequest(site, "Adele");
  await login(await site.consultant());
  await page.clock.install();
  await page.goto("/dashboard");
  await (await openRequest(page, "Adele Newcomer")).getByRole("link", { name: "Schedule Consultation" }).click();
  const title = page.getByRole("dialog").getByLabel("Title");
  await title.fill("Half a tit");
  await submitRequest(site, "Bruno");
  await showsRequest(page, "Bruno Newcomer");
  await expect(page.locator("dialog:modal")).toHaveCount(1);
  await expect(title).toBeFocused();
  await title.pressSequentially("le");
  await expect(title).toHaveValue("Half a title");
});

test("refreshing keeps a half-typed search, and can be paused", async ({ page, site, login }) => {
  await login(await site.consultant());
  await page.clock.install();
  await page.goto("/dashboard");
  const search = page.getByLabel("Search appointments");
  await search.fill("mar");
  await submitRequest(site, "Clara");
  await showsRequest(page, "Clara Newcomer");
  await expect(search).toBeFocused();
  await expect(search).toHaveValue("mar");

  await page.getByRole("button", { name: "Pause refreshing" }).click();
  let asked = 0;
  page.on("request", (request) => (asked += request.url().includes("/dashboard/latest") ? 1 : 0));
  await page.clock.runFor(4 * TICK);
  expect(asked).toBe(0);
  await submitRequest(site, "Dora");
  await page.getByRole("button", { name: "Resume refreshing" }).click();
  await showsRequest(page, "Dora Newcomer");
});

test("when the focused request is deleted elsewhere, refreshing moves the focus to its list's heading", async ({
  page,
  site,
  login,
}) => {
  await submitRequest(site, "Edgar");
  const consultant = await site.consultant();
  await login(consultant);
  await page.clock.install();
  await page.goto("/dashboard");
  const gone = (await openRequest(page, "Edgar Newcomer")).getByRole("link", { name: "Delete the request" });
  await gone.focus();
  const [, id] = /requests\/(\d+)/.exec((await gone.getAttribute("href")) ?? "") ?? [];
  expect((await consultant.delete(`/api/consultation-requests/${id}`)).status).toBe(200);
  await refreshed(page, () => expect(gone).toHaveCount(0, { timeout: 3_000 }));
  await expect(page.getByRole("heading", { name: "Consultation Requests" })).toBeFocused();
});

test("Contact Client shows the message that the email client was opened", async ({ page, site, login }) => {
  await submitRequest(site, "Erik");
  await login(await site.consultant());
  await page.goto("/dashboard");
  const request = await openRequest(page, "Erik Newcomer");
  // No mail program stands behind the browser of a test.
  await page.evaluate(() => document.addEventListener("click", (event) => event.preventDefault()));
  await request.getByRole("link", { name: "Contact Client" }).click();
  await expect(page.getByText("Email Client Opened")).toBeVisible();
});

test("the dialog offers the chosen day's open times, and a typed time deselects an offered one", async ({
  page,
  site,
  login,
}) => {
  await submitRequest(site, "Frida");
  await login(await site.consultant());
  await page.goto("/dashboard");
  await (await openRequest(page, "Frida Newcomer")).getByRole("link", { name: "Schedule Consultation" }).click();
  const dialog = page.getByRole("dialog", { name: "Schedule Consultation" });
  await dialog.getByLabel("Date").fill("2027-10-02");
  const nine = dialog.getByRole("radio", { name: "Saturday, October 2, 2027, 9:00 AM Eastern" });
  await nine.check();
  await dialog.getByLabel(/^Time/).fill("22:00");
  await expect(nine).not.toBeChecked();
  await dialog.getByRole("button", { name: "Schedule Consultation" }).click();
  await expect(dialog.getByRole("alert")).toContainText("That is outside office hours.");
  await dialog.getByRole("button", { name: "Schedule it anyway" }).click();
  await expect(page.getByText("Consultation Scheduled Successfully!")).toBeVisible();
  await expect(page.locator("dialog:modal")).toHaveCount(0);
});

test("a password link is copied with one click; without clipboard access the consultant is told to copy it herself", async ({
  site,
  openAs,
}) => {
  const family = await site.family();
  const permissions = ["clipboard-read", "clipboard-write"];
  const page = await openAs(await site.consultant(), { permissions, timezoneId: "America/Los_Angeles" });
  await page.goto("/dashboard/reset-link");
  await page.getByLabel("The family's email address").fill(family.email);
  // The link is shown before the loaders have run again; what is said meanwhile belongs to the same page.
  const reloads: Route[] = [];
  await page.route("**/*.data*", (route) => {
    if (route.request().method() === "POST") return route.continue();
    reloads.push(route);
    return undefined;
  });
  await page.getByRole("button", { name: "Make the link" }).click();
  await expect(page.getByRole("dialog")).toContainText(
    / [AP]M ET \(your time: [^)]+ [AP]M PT\)\. It is shown only now\./,
  );
  await page.getByRole("button", { name: "Copy the link" }).click();
  await expect(page.getByText("Link Copied")).toBeVisible();
  expect(reloads).toHaveLength(1);
  const locationKey = () => page.evaluate(() => (history.state as { key: string }).key);
  const earlierKey = await locationKey();
  await reloads[0]!.continue();
  await expect.poll(locationKey).not.toBe(earlierKey);
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
  await expect(page.getByText("Link Copied")).toBeVisible();
  const link = await page.getByText(/\/reset-password\//).innerText();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);

  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException("Not allowed", "NotAllowedError"));
  });
  await page.getByRole("button", { name: "Copy the link" }).click();
  await expect(page.getByText("Please select the link and copy it yourself.")).toBeVisible();
});

test("an open dialog prints on one page, without the page behind it and its controls", async ({
  page,
  site,
  login,
}) => {
  const family = await site.family({ firstName: "Paula", intake: true });
  const appointmentFields = { title: "Hourly Consulting", appointmentDate: "2027-03-07T15:00:00Z", duration: 60 };
  const booked = await family.post("/api/appointments", appointmentFields);
  expect(booked.status).toBe(201);
  await login(await site.consultant());
  await page.goto(`/dashboard/appointments/${booked.json.id}`);
  const dialog = page.locator("dialog:modal");
  await expect(dialog).toContainText("Hourly Consulting");
  await page.emulateMedia({ media: "print" });
  await expect(dialog).toBeVisible();
  for (const unwanted of [
    page.locator(".site-header"),
    page.locator("main > h1"),
    page.getByLabel("Set the status"),
    dialog.getByRole("link", { name: "Move", exact: true }),
  ])
    await expect(unwanted).toBeHidden();
  await expect(dialog).not.toHaveCSS("position", "fixed");
  await expect(dialog).toHaveCSS("box-shadow", "none");
  const sheets = (await page.pdf({ format: "Letter" })).toString("latin1").match(/\/Type \/Page\b/g);
  expect(sheets).toHaveLength(1);
});

test("a large photo is scaled down before its upload and appears on the home page", async ({ page, site, login }) => {
  await login(await site.consultant());
  await page.goto("/consultant-profile");
  await waitForHydration(page);
  const url = await page.evaluate(() => {
    const canvas = document.createElement("canvas");
    Object.assign(canvas, { width: 900, height: 1200 });
    const context = canvas.getContext("2d")!;
    const pixels = context.createImageData(canvas.width, canvas.height);
    // Noise, which compression leaves large.
    for (let index = 0; index < pixels.data.length; index += 1) pixels.data[index] = Math.random() * 256;
    context.putImageData(pixels, 0, 0);
    return canvas.toDataURL("image/png");
  });
  const photo = Buffer.from(url.slice(url.indexOf(",") + 1), "base64");
  expect(photo.length).toBeGreaterThan(1_000_000);
  const field = page.getByLabel("Picture of you (optional)");
  await field.setInputFiles({ name: "IMG_2042.png", mimeType: "image/png", buffer: photo });
  await expect
    .poll(() => field.evaluate((input: HTMLInputElement) => input.files?.[0]?.size ?? 0))
    .toBeLessThan(200 * 1024);
  await page.getByLabel("Your name").fill("Ada Harbor");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Families see it from now on.")).toBeVisible();
  await page.goto("/");
  await expect(page.getByText("Ada Harbor")).toBeVisible();
  const width = () => page.locator(".letter img").evaluate((image: HTMLImageElement) => image.naturalWidth);
  await expect.poll(width).toBe(405);
});

test("a refused form shows no errors once it is corrected and saved", async ({ page, site, login }) => {
  await login(await site.consultant());
  const problem = page.getByRole("heading", { name: "There is a problem" });

  await page.goto("/consultant-profile");
  await waitForHydration(page);
  const name = page.getByLabel("Your name");
  await name.fill("");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(problem).toBeVisible();
  await name.fill("Dana Whitfield");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Families see it from now on.").first()).toBeVisible();
  await expect(problem).toHaveCount(0);
  await expect(name).not.toHaveAttribute("aria-invalid", "true");
  await expect(page).toHaveTitle(/^About you/);

  await page.goto("/calendar/weekly-hours");
  await waitForHydration(page);
  const closes = page.getByRole("group", { name: "Sunday" }).getByLabel("Closes");
  await closes.fill("");
  await page.getByRole("button", { name: "Save your hours" }).click();
  await expect(problem).toBeVisible();
  await closes.fill("19:00");
  await page.getByRole("button", { name: "Save your hours" }).click();
  await expect(page.getByText("Hours saved").first()).toBeVisible();
  await expect(problem).toHaveCount(0);
});
