// Proves the public pages' navigation and layout, with and without script.
import { expect, test } from "../support/browser/playwright-fixtures.ts";
import { serviceRadio } from "../support/browser/booking-dialog.ts";

const SECTIONS = ["Home", "About", "Services", "Resources"];

test("a visitor reaches every section from the navigation", async ({ page }) => {
  await page.goto("/");
  for (const name of SECTIONS) {
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name }).click();
    await expect(page).toHaveURL(new RegExp(`#${name.toLowerCase()}$`));
    await expect(page.locator(`#${name.toLowerCase()}`)).toBeInViewport();
  }
});

test("on a phone the side panel opens, closes, and links to a section and the sign-in page", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/");
  await expect(page.getByRole("navigation", { name: "Menu" })).toBeHidden();
  await page.getByRole("button", { name: "Menu" }).click();
  const panel = page.getByRole("navigation", { name: "Menu" });
  await expect(panel.getByRole("link", { name: "Services" })).toBeVisible();
  await panel.getByRole("button", { name: "Close" }).click();
  await expect(panel).toBeHidden();
  await page.getByRole("button", { name: "Menu" }).click();
  await panel.getByRole("link", { name: "Services" }).click();
  await expect(panel).toBeHidden();
  await expect(page.getByRole("heading", { name: "Services", exact: true })).toBeInViewport();
  await page.goto("/");
  await page.getByRole("button", { name: "Menu" }).click();
  await panel.getByRole("link", { name: "Sign In" }).click();
  await expect(page).toHaveURL("/login");
});

test("header, page and footer share the same left edge on phone, tablet and desktop", async ({ page }) => {
  for (const width of [375, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto("/");
    const edges = await page
      .locator(".brand, #home-title, .site-footer-columns")
      .evaluateAll((all) => all.map((element) => Math.round(element.getBoundingClientRect().left)));
    expect(edges).toHaveLength(3);
    expect(new Set(edges).size).toBe(1);
  }
});

test("on small phones the practice's name takes at most two lines, even beside a long first name", async ({
  page,
  site,
  login,
}) => {
  for (const firstName of ["Jo", "Alexandra", "Maximiliana-Konstantina", "Wwwwwwwwwwwwwwwwwwww"]) {
    await login(await site.family({ firstName }));
    for (const width of [320, 360, 414]) {
      await page.setViewportSize({ width, height: 740 });
      await page.goto("/");
      const lines = await page.locator(".brand > span").evaluate((name) => {
        const box = document.createRange();
        box.selectNodeContents(name);
        return new Set([...box.getClientRects()].map(({ top }) => Math.round(top))).size;
      });
      expect([firstName, width, lines <= 2]).toEqual([firstName, width, true]);
      const [brand, menu] = await Promise.all([".brand", ".menu"].map((each) => page.locator(each).boundingBox()));
      expect(menu?.x).toBeGreaterThan((brand?.x ?? 0) + (brand?.width ?? 0));
      expect((menu?.x ?? 0) + (menu?.width ?? 0)).toBeLessThanOrEqual(width);
      await expect(page.locator(".menu > summary")).toHaveText(new RegExp(`Hello, ?${firstName}`));
    }
  }
});

test("on a phone the button of a form is as wide as its fields", async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 812 });
  for (const [path, name] of [
    ["/login", "Sign In"],
    ["/register", "Create Account"],
  ] as const) {
    await page.goto(path);
    const button = await page.getByRole("main").getByRole("button", { name }).boundingBox();
    const field = await page.getByLabel("Email").boundingBox();
    expect(button?.width).toBe(field?.width);
    if (path !== "/register") continue;
    const main = page.getByRole("main");
    await expect(main.getByRole("link", { name: "Terms of Service" })).toHaveAttribute("href", "/terms-of-service");
    await expect(main.getByRole("link", { name: "Privacy Policy" })).toHaveAttribute("href", "/privacy-policy");
  }
});

test("on a phone each resource is one line", async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 812 });
  await page.goto("/");
  const rows = page.locator(".resource");
  await expect(rows).toHaveCount(6);
  const lines = await rows.evaluateAll((all) =>
    all.map((row) => {
      const box = document.createRange();
      box.selectNodeContents(row);
      const middles = [...box.getClientRects()].map(({ top, bottom }) => Math.round((top + bottom) / 2));
      return [row.textContent, Math.max(...middles) - Math.min(...middles) < 4];
    }),
  );
  expect(lines.filter(([, isOneLine]) => !isOneLine)).toEqual([]);
});

test("programs find the site's addresses and metadata; addresses for programs answer as such", async ({
  page,
  site,
}) => {
  const sitemap = await (await page.request.get("/sitemap.xml")).text();
  for (const [, address = ""] of sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)) {
    await page.goto(new URL(address).pathname, { waitUntil: "domcontentloaded" });
    await expect(page.locator("link[rel=canonical]")).toHaveAttribute("href", address);
    await expect(page.locator("meta[property='og:url']")).toHaveAttribute("content", address);
  }
  await page.goto("/");
  const manifest = await page.locator("link[rel=manifest]").getAttribute("href");
  expect(await (await page.request.get(manifest ?? "")).json()).toMatchObject({ name: "Harbor Family Advocacy" });
  const forPasswords = await page.request.get("/.well-known/change-password", { maxRedirects: 0 });
  expect([forPasswords.status(), forPasswords.headers().location]).toEqual([302, "/dashboard/settings"]);
  const data = await page.request.get("/api/nothing.data");
  expect([data.status(), await data.json()]).toEqual([404, { message: "Not found." }]);
  const upgrade = { Connection: "Upgrade", Upgrade: "websocket", Origin: site.origin };
  const key = { "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==" };
  const socket = await page.request.get("/ws", { headers: { ...upgrade, ...key } });
  expect(socket.status()).toBe(401);
});

test("numerals are tabular and without a slashed zero, except in phone numbers", async ({ page }) => {
  await page.goto("/");
  const numerals = async (text: string) => {
    const element = page.getByRole("main").getByText(text).first();
    return element.evaluate((each) => {
      const { fontVariantNumeric, fontFeatureSettings } = getComputedStyle(each);
      return [fontVariantNumeric, fontFeatureSettings];
    });
  };
  expect(await numerals("$400")).toEqual(["tabular-nums", "normal"]);
  expect(await numerals("(732) 555-0142")).toEqual(["normal", "normal"]);
});

test("the home page's buttons lead to its services and contact sections", async ({ page }) => {
  await page.goto("/");
  const first = page.locator(".offers > li").first();
  await expect(first).toContainText("Most families start here");
  await expect(first).toContainText(/Next open time: \w{3}, \w{3} \d/);
  await expect(first).toContainText("You pick a time, after you create an account.");
  await expect(page.getByText("Either way, you see services and prices first.")).toBeVisible();
  await expect(page.getByText("You write a few lines. We call you back.")).toBeVisible();
  for (const name of ["Schedule Consultation", "Learn More"]) {
    await page.getByRole("link", { name, exact: true }).first().click();
    await expect(page).toHaveURL(/#services$/);
  }
  await page.getByRole("link", { name: "Schedule Your Consultation" }).click();
  await expect(page).toHaveURL(/#contact$/);
});

test("every legal page is linked from the footer and opens", async ({ page }) => {
  for (const path of ["/privacy-policy", "/terms-of-service", "/hipaa-compliance", "/accessibility"]) {
    await page.goto("/");
    await page.getByRole("contentinfo").locator(`a[href="${path}"]`).click();
    await expect(page).toHaveURL(path);
    await expect(page.getByRole("main")).toContainText("December 2024");
    await expect(page.getByRole("main")).toContainText("January 1, 2025");
  }
});

test("a signed-in family goes from a service card directly to booking that service", async ({ page, site, login }) => {
  await login(await site.family());
  await page.goto("/");
  await page.getByRole("link", { name: "Request to Book Monthly Retainer" }).click();
  await expect(page).toHaveURL("/appointments?service=Monthly%20Retainer");
  await expect(serviceRadio(page, "Monthly Retainer")).toBeChecked();
});

test("registration says that the passwords differ, beside another error", async ({ page, javaScriptEnabled }) => {
  await page.goto("/register");
  await page.getByLabel("First Name").fill("Ana");
  await page.getByLabel("Last Name").fill("Ruiz");
  await page.getByLabel("Email").fill("no address");
  await page.getByLabel("Password", { exact: true }).fill("a long walk home");
  await page.getByLabel("Confirm Password").fill("a long talk home");
  await page.getByRole("button", { name: "Create Account" }).click();
  await expect(page.getByLabel("Confirm Password")).toHaveAccessibleDescription(/Passwords don't match/);
  // With a script the page says it before anything is sent.
  if (javaScriptEnabled) return;
  await expect(page.getByLabel("Email")).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByRole("alert")).toContainText("Passwords don't match");
});

test("the skip link is the first focus stop, is visible, and leads to the main content", async ({ page }) => {
  for (const path of ["/", "/login", "/register"]) {
    await page.goto(path);
    await page.keyboard.press("Tab");
    const skip = page.getByRole("link", { name: "Skip to main content" });
    await expect(skip).toBeFocused();
    await expect(skip).toBeInViewport();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/#main$/);
  }
});
