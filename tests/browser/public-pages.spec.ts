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

test("the home page's buttons lead to its services and contact sections", async ({ page }) => {
  await page.goto("/");
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
