// Proves whole journeys with the keyboard alone.
import type { Page } from "playwright/test";
import { clearRequests } from "../../support/browser/clear-requests.ts";
import { expect, test } from "../../support/browser/playwright-fixtures.ts";
import { SAMPLES } from "../../support/uploads.ts";
import { keyboardUser } from "../../support/browser/keyboard-user.ts";
import { serviceRadio } from "../../support/browser/booking-dialog.ts";

// Whole journeys with Tab, Shift+Tab, Enter, Space, Esc and the arrows alone.
test.describe.configure({ timeout: 240_000 });

const button = (page: Page, name: string | RegExp) =>
  page.getByRole("button", { name, exact: typeof name === "string" });
const link = (page: Page, name: string | RegExp) =>
  page.getByRole("link", { name, exact: typeof name === "string" }).first();
const radio = (page: Page, name: string | RegExp) => page.getByRole("radio", { name });

async function bookTime(page: Page, payment: string) {
  const keys = keyboardUser(page);
  await keys.choose(serviceRadio(page, "Hourly Consulting"));
  await keys.use(button(page, "Continue"));
  await expect(page.getByRole("heading", { name: "When?" })).toBeFocused();
  const secondDay = page.locator("button[name=day]").nth(1);
  await keys.use(secondDay);
  await expect(secondDay).toHaveAttribute("aria-pressed", "true");
  await keys.choose(page.locator("input[name=slot]").first());
  await keys.use(button(page, "Continue"));
  await keys.choose(radio(page, payment));
}

test("a family registers, fills in the intake form, books, cancels, and signs out", async ({ page }) => {
  const keys = keyboardUser(page);
  await page.goto("/");
  await keys.press("Tab");
  await expect(link(page, "Skip to main content")).toBeFocused();
  await keys.use(page.getByRole("banner").getByRole("link", { name: "Get Started" }));
  await keys.write(page.getByLabel("First Name"), "Ines");
  await keys.write(page.getByLabel("Last Name"), "Keys");
  await keys.write(page.getByLabel("Email"), "ines.keys@example.com");
  for (const field of ["Password", "Confirm Password"])
    await keys.write(page.getByLabel(field, { exact: true }), "a long walk home");
  await keys.use(button(page, "Create Account"));
  await expect(page.getByText("Account Created!")).toBeVisible();

  await keys.use(page.locator("[data-menu] > summary"));
  await keys.use(page.getByRole("navigation", { name: "Your account" }).getByRole("link", { name: /^Appointments/ }));
  await keys.use(link(page, "Schedule Appointment"));
  await expect(page.getByRole("heading", { name: "Schedule Appointment" })).toBeFocused();
  await bookTime(page, "Pay in person");
  await keys.use(button(page, "Proceed"));

  await keys.use(link(page, "Start the form"));
  await keys.write(page.getByLabel("Phone number"), "7325550188");
  await keys.write(page.getByLabel("Home address"), "4 Bath Avenue");
  await keys.use(button(page, "Save and continue"));
  await keys.write(page.getByLabel("Child's name"), "Leo");
  await keys.write(page.getByLabel("Child's age"), "8 years");
  await keys.write(page.getByLabel("Child's birthday"), "May 2, 2018");
  await keys.use(button(page, "Save and continue"));
  await keys.use(page.getByRole("checkbox", { name: "School Advocacy / IEP / 504 Plans" }), "Space");
  await keys.use(button(page, "Save and continue"));
  // The next step's button has the same name.
  await expect(page.getByRole("heading", { name: "Additional Information" })).toBeVisible();
  await keys.use(button(page, "Save and continue"), "Space");
  await keys.use(button(page, "Submit and continue booking"));
  await expect(page.getByText("Appointment Booked!").first()).toBeVisible();

  await keys.use(link(page, "All your appointments"));
  await keys.use(link(page, /^Cancel visit Hourly Consulting/));
  await expect(link(page, "Keep appointment")).toBeFocused();
  await keys.press("Escape");
  await expect(link(page, /^Cancel visit Hourly Consulting/)).toBeFocused();
  await keys.use(link(page, /^Cancel visit Hourly Consulting/));
  await expect(link(page, "Keep appointment")).toBeFocused();
  await keys.use(button(page, "Cancel appointment"));
  await expect(page.getByText("Appointment Cancelled").first()).toBeVisible();
  await keys.reach(page.locator("[data-menu] > summary"), "Shift+Tab");
  await page.keyboard.press("Enter");
  await keys.use(page.getByRole("navigation", { name: "Your account" }).getByRole("button", { name: /^Logout/ }));
  await expect(page).toHaveURL("/");
});

test("a family pays by card, uploads, views and deletes a document, and changes its password", async ({
  page,
  site,
  login,
}) => {
  const keys = keyboardUser(page);
  const family = await site.family({ intake: true });
  await login(family);
  await page.goto("/appointments/new");
  await expect(page.locator("dialog:modal")).toBeVisible();
  await bookTime(page, "Pay online");
  await keys.use(button(page, "Schedule Appointment"));
  await expect(page.getByLabel("Card number")).toBeVisible();
  await keys.write(page.getByLabel("Card number"), "1111 1111 1111 1111");
  await keys.write(page.getByLabel("Expiration date (MM/YY)"), "12/30");
  await keys.write(page.getByLabel("Security code"), "123");
  await keys.use(button(page, "Pay $75"));
  await expect(page.getByText("PAID", { exact: true })).toBeVisible();

  await page.goto("/documents");
  // Early, because a busy browser may open its own dialog before it has learned that it must not.
  const choosing = page.waitForEvent("filechooser");
  await keys.use(link(page, "Upload Document"));
  await expect(page.getByRole("heading", { name: "Upload Document" })).toBeFocused();
  await keys.reach(page.getByLabel("File", { exact: true }));
  await page.keyboard.press("Space");
  await (
    await choosing
  ).setFiles({ name: "Plan for Leo.txt", mimeType: "text/plain", buffer: SAMPLES.txt ?? Buffer.alloc(0) });
  await expect(page.getByLabel("Document Name")).toHaveValue("Plan for Leo");
  await keys.use(button(page, "Upload"));
  await expect(page.getByText("Document Uploaded!")).toBeVisible();
  const opening = page.waitForEvent("popup");
  await keys.use(link(page, /^View Plan for Leo.txt/));
  await (await opening).close();
  await keys.use(link(page, "Delete Plan for Leo.txt"));
  await expect(link(page, "Keep it")).toBeFocused();
  await keys.press("Escape");
  await expect(page).toHaveURL(/\/documents$/);
  await keys.use(link(page, "Delete Plan for Leo.txt"));
  await keys.use(button(page, "Delete document"));
  await expect(page.getByRole("link", { name: "Delete Plan for Leo.txt" })).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "Your Documents" })).toBeFocused();

  await page.goto("/dashboard/settings");
  await expect(page.locator("dialog:modal")).toBeVisible();
  await keys.use(page.locator("summary", { hasText: "Change your password" }));
  await keys.write(page.getByLabel("Current Password"), family.password);
  await keys.write(page.getByLabel("New Password", { exact: true }), "found my words again");
  await keys.write(page.getByLabel(/^Confirm/), "found my words again");
  await keys.use(button(page, "Change Password"));
  await expect(page.getByText("Password Changed").first()).toBeVisible();
});

test("a visitor requests a consultation; the consultant schedules, moves and deletes it", async ({
  page,
  site,
  login,
}) => {
  const keys = keyboardUser(page);
  await clearRequests(site);
  await page.goto("/request-consultation");
  await keys.write(page.getByLabel("First Name"), "Wren");
  await keys.write(page.getByLabel("Last Name"), "Keystone");
  await keys.write(page.getByLabel("Email"), "wren@example.org");
  await keys.write(page.getByLabel("What do you need help with?"), "A meeting at school");
  await keys.choose(radio(page, /^Urgent/));
  await keys.use(page.getByRole("checkbox", { name: /I agree/ }), "Space");
  await keys.use(button(page, "Send my request"));
  await expect(page.getByRole("heading", { name: "Your request is on its way" })).toBeVisible();

  await login(await site.consultant());
  await page.goto("/dashboard");
  const request = page.locator("#requests li").filter({ hasText: "Wren Keystone" });
  await keys.use(request.locator("summary"));
  await keys.use(request.getByRole("link", { name: "Schedule Consultation" }));
  await expect(page.getByRole("heading", { name: "Schedule Consultation" })).toBeFocused();
  await keys.writeDate(page.getByRole("dialog").getByLabel("Date"), "05082027");
  await keys.use(button(page, "Show open times"));
  await keys.choose(radio(page, "Saturday, May 8, 2027, 10:00 AM Eastern"));
  await expect(page.locator(".sheet-footer")).toContainText("Sat, May 8, 10:00 AM, in person");
  await keys.use(button(page, "Schedule Consultation"));
  await expect(page.locator("dialog:modal")).toHaveCount(0);

  const row = page.locator("#appointments li").filter({ hasText: "Wren Keystone" });
  await keys.use(row.getByRole("link", { name: "Wren Keystone" }).first());
  const details = page.getByRole("dialog", { name: "Appointment details" });
  await keys.use(details.getByRole("link", { name: "Move", exact: true }));
  const move = page.getByRole("dialog", { name: "Move this visit" });
  await keys.use(move.getByText("Another day or time"));
  await keys.writeDate(move.getByLabel("Date"), "05092027");
  await keys.use(move.getByRole("button", { name: "Show open times" }));
  await keys.choose(move.getByRole("radio", { name: "Sunday, May 9, 2027, 1:00 PM Eastern" }));
  await keys.use(move.getByRole("button", { name: "Move visit" }));
  await expect(details).toContainText("at 1:00 PM ET");
  await keys.use(details.getByRole("link", { name: "Delete" }));
  await keys.use(button(page, "Delete appointment"));
  await expect(page.getByText("Appointment Deleted")).toBeVisible();
  await expect(page.locator("dialog:modal")).toHaveCount(0);
});

test("Shift+Tab reaches the same controls as Tab in reverse order", async ({ page, site, login }) => {
  await login(await site.family({ intake: true }));
  for (const path of ["/register", "/documents", "/appointments"]) {
    await page.goto(path);
    const walk = async (key: string, most: number) => {
      const places: string[] = [];
      for (let stop = 0; stop < most; stop += 1) {
        await page.keyboard.press(key);
        const place = await page.evaluate(() => {
          const { activeElement: at } = document;
          return at === document.body || !at ? "" : [...document.querySelectorAll("*")].indexOf(at).toString();
        });
        if (place === "") return places;
        if (place !== places.at(-1)) places.push(place);
      }
      return places;
    };
    const there = await walk("Tab", 12);
    expect(there.length).toBeGreaterThan(5);
    expect(await walk("Shift+Tab", there.length - 1)).toEqual(there.toReversed().slice(1));
  }
});

test("a client-side navigation focuses the new heading, updates the title, and is announced once", async ({
  page,
  site,
  login,
}) => {
  await login(await site.family({ intake: true }));
  await page.goto("/dashboard");
  await page.evaluate(() => {
    const said: string[] = [];
    Object.assign(window, { said });
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        const element = target instanceof Element ? target : target.parentElement;
        const region = element?.closest("[role=status], [role=alert], [aria-live]");
        const text = region?.checkVisibility() ? (region.textContent?.trim() ?? "") : "";
        if (text && text !== "Loading" && text !== said.at(-1)) said.push(text);
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  const keys = keyboardUser(page);
  await keys.use(page.locator("[data-menu] > summary"));
  await keys.use(page.getByRole("navigation", { name: "Your account" }).getByRole("link", { name: /^Documents/ }));
  await expect(page).toHaveTitle(/^Documents/);
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  expect(await page.evaluate(() => (window as unknown as { said: string[] }).said)).toEqual([await page.title()]);
});
