// Proves the public pages' small script: toasts, password toggles, tooltips, dialogs.
import { expect, test } from "../support/browser/playwright-fixtures.ts";

test("a visitor who requests a service is told to create an account first and sent to registration", async ({
  page,
}) => {
  await page.goto("/");
  const messages: string[] = [];
  page.on("dialog", (dialog) => {
    messages.push(dialog.message());
    void dialog.accept();
  });
  await page.getByRole("link", { name: "Request to Book Initial Consultation" }).click();
  await expect(page).toHaveURL("/register?service=Initial%20Consultation");
  expect(messages).toEqual([
    "Please create an account first to schedule appointments. You'll be redirected to the registration page.",
  ]);
});

test("a typed password can be shown and hidden", async ({ page }) => {
  await page.goto("/login");
  const field = page.getByLabel("Password", { exact: true });
  await field.fill("a long walk home");
  await page.getByRole("button", { name: /show/i }).click();
  await expect(field).toHaveAttribute("type", "text");
  await expect(field).toHaveValue("a long walk home");
  await page.getByRole("button", { name: /hide/i }).click();
  await expect(field).toHaveAttribute("type", "password");
});

test("a mismatched password confirmation shows an error before the form is sent, and all input is kept", async ({
  page,
}) => {
  await page.goto("/register");
  const [first, second] = [page.getByLabel("Password", { exact: true }), page.getByLabel("Confirm Password")];
  await page.getByLabel("First Name").fill("Ana");
  await page.getByLabel("Last Name").fill("Ruiz");
  await page.getByLabel("Email").fill("ana.differs@example.com");
  await first.fill("a long walk home");
  await second.fill("a long talk home");
  let sent = 0;
  page.on("request", (request) => (sent += request.method() === "POST" ? 1 : 0));
  await page.getByRole("button", { name: "Create Account" }).click();
  await expect(second).toBeFocused();
  await expect(second).toHaveAccessibleDescription("Passwords don't match. Press “Show” to see what you typed.");
  await expect(second).toHaveAttribute("aria-invalid", "true");
  await expect(first).toHaveValue("a long walk home");
  expect(sent).toBe(0);
  await second.fill("a long walk home");
  await expect(page.getByText("Passwords don't match.")).toBeHidden();
  await page.getByRole("button", { name: "Create Account" }).click();
  await expect(page.getByText("Account Created!").first()).toBeVisible();
});

test("a mismatched password confirmation is reported together with a short password and a short phone number", async ({
  page,
}) => {
  for (const { phone, password, error } of [
    { phone: "", password: "12345", error: "Password must be at least 6 characters" },
    { phone: "555", password: "a long walk home", error: "Enter a phone number with at least 7 digits" },
  ]) {
    await page.goto("/register");
    await page.getByLabel("First Name").fill("Ana");
    await page.getByLabel("Last Name").fill("Ruiz");
    await page.getByLabel("Email").fill("ana.both@example.com");
    await page.getByLabel("Phone").fill(phone);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByLabel("Confirm Password").fill(`${password}6`);
    await page.getByRole("button", { name: "Create Account" }).click();
    const summary = page.getByRole("alert").filter({ hasText: "There is a problem" });
    await expect(summary).toContainText("Passwords don't match");
    await expect(summary).toContainText(error);
  }
});

test("a failed sign-in moves the focus to its error message", async ({ page }) => {
  await page.goto("/login");
  await page.getByLabel("Email").fill("nobody@example.com");
  await page.getByLabel("Password", { exact: true }).fill("not this one");
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Login Failed" })).toBeFocused();
});

test("Back returns to the sign-in or registration page after a refused form", async ({ page }) => {
  await page.goto("/login");
  await page.getByLabel("Email").fill("nobody@example.com");
  await page.getByLabel("Password", { exact: true }).fill("short");
  const refused = page.waitForResponse((response) => response.request().method() === "POST");
  await page.getByRole("button", { name: "Sign In" }).click();
  expect((await refused).status()).toBe(422);
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  await expect(page.getByRole("heading", { name: "Forgot your password?" })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Sign In" })).toBeVisible();
  await page.goto("/register?from=booking");
  await page.getByRole("button", { name: "Create Account" }).click();
  await expect(page.getByRole("heading", { name: "There is a problem" })).toBeVisible();
  await page.getByRole("contentinfo").getByRole("link", { name: "Terms of Service" }).click();
  await expect(page.getByRole("heading", { name: "Terms of Service", level: 1 })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Create Account" })).toBeVisible();
  await expect(page).toHaveURL("/register?from=booking");
});

test("a toast disappears after five seconds, except while it has the focus", async ({ page, site }) => {
  const family = await site.family();
  await page.clock.install();
  await page.goto("/login");
  await page.getByLabel("Email").fill(family.email);
  await page.getByLabel("Password", { exact: true }).fill(family.password);
  await page.getByRole("button", { name: "Sign In" }).click();
  const message = page.getByText("You have successfully logged in.");
  await expect(message).toBeVisible();
  await page.keyboard.press("F8");
  await page.clock.fastForward(20_000);
  await expect(message).toBeVisible();
  await page.getByRole("main").click({ position: { x: 2, y: 2 } });
  await page.clock.fastForward(6000);
  await expect(message).toHaveCount(0);
});

test("an icon's tooltip opens after 700 ms of hovering, and Escape hides it", async ({ page, site, login }) => {
  const [maria, consultant] = [await site.family(), await site.consultant()];
  expect((await consultant.form(`/families/${maria.id}`, { text: "Called the school." })).status).toBe(302);
  await login(consultant);
  await page.goto(`/families/${maria.id}`);
  const icon = page.getByRole("link", { name: "Delete the note: Called the school." });
  const tip = (time: number) =>
    icon.evaluate((element, at) => {
      for (const animation of element.getAnimations({ subtree: true })) {
        animation.pause();
        animation.currentTime = at;
      }
      const { content, visibility } = getComputedStyle(element, "::after");
      return content === "none" ? "none" : visibility;
    }, time);
  expect(await tip(0)).toBe("none");
  await icon.hover();
  expect([await tip(690), await tip(710)]).toEqual(["hidden", "visible"]);
  await page.keyboard.press("Escape");
  expect(await tip(710)).toBe("none");
  await page.mouse.move(0, 0);
  await icon.hover();
  expect(await tip(710)).toBe("visible");
});

test("a dialog traps the focus, and both Escape and Back close it", async ({ page, site, login }) => {
  await login(await site.family());
  await page.goto("/dashboard");
  await page.getByRole("link", { name: "Account Settings" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Account Settings" });
  await expect(dialog).toBeVisible();
  for (let press = 0; press < 12; press += 1) {
    await page.keyboard.press("Tab");
    const isOutside = await page.evaluate(
      () => document.activeElement !== document.body && !document.activeElement?.closest("dialog"),
    );
    expect(isOutside).toBe(false);
  }
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL("/dashboard");
  await expect(dialog).toHaveCount(0);
  await page.getByRole("link", { name: "Account Settings" }).first().click();
  await expect(dialog).toBeVisible();
  await page.goBack();
  await expect(dialog).toHaveCount(0);
  await expect(page).toHaveURL("/dashboard");
});
