// Proves a family's steps before and after booking on a phone: sign-in, confirmation, moving and canceling.
import { readFile } from "node:fs/promises";
import { expect, test } from "../../support/browser/playwright-fixtures.ts";
import { chooseService } from "../../support/browser/booking-dialog.ts";

test.use({ viewport: { width: 375, height: 700 } });

test("a family that signs in while booking continues with the service it chose", async ({ page, site }) => {
  const family = await site.family({ firstName: "Rosa" });
  await page.goto("/");
  await page.getByRole("link", { name: "Request to Book Initial Consultation" }).click();
  await page.getByRole("main").getByRole("link", { name: "Sign in" }).click();
  await page.getByLabel("Email").fill(family.email);
  await page.getByLabel("Password", { exact: true }).fill(family.password);
  await page.getByRole("button", { name: "Sign In" }).click();
  const welcome = page.getByRole("region", { name: "Welcome" });
  await expect(welcome).toContainText(/^Welcome back, Rosa\./);
  const accents = page.getByRole("main").locator(".button-primary:visible");
  await expect(accents).toHaveText(["Continue booking your Initial Consultation"]);
  for (const path of ["/dashboard", "/appointments"]) {
    await page.goto(path);
    const card = page.getByRole("region", { name: "Pick up where you left off" });
    await expect(card).toContainText("Initial Consultation");
  }
  await page.getByRole("link", { name: "Continue booking" }).click();
  await expect(page.locator("input[name=title][value='Initial Consultation']")).toBeChecked();
  await chooseService(page, "Hourly Consulting");
});

test("a paid visit shows its details, keeps its payment when moved, and shows the refund when canceled", async ({
  page,
  site,
  login,
}, { project }) => {
  const family = await site.family({ intake: true });
  const day = project.name === "with script" ? "19" : "20";
  const appointmentDate = `2027-06-${day}T15:00:00.000Z`;
  const visitBody = { title: "Hourly Consulting", appointmentDate, duration: 60, type: "consultation" };
  const { json } = await family.post("/api/payments/process", {
    sourceId: "cnon:card-nonce-ok",
    amount: 75,
    appointmentData: { ...visitBody, isLiveVideoCall: true },
  });
  const { id } = json.appointment as { id: number };
  await login(family);
  await page.goto(`/appointments/${id}/booked`);
  const visit = page.getByRole("region", { name: "Your visit" });
  await expect(visit).toContainText(new RegExp(`(Saturday|Sunday), June ${day}, 2027.*11:00 AM.*ET`));
  await expect(visit).toContainText(
    /Video visit, on this site\. The Waiting Room button appears here .* at \d+:\d\d [AP]M/,
  );
  await expect(visit).toContainText("$75 PAID");
  await expect(visit.getByRole("link", { name: "Receipt" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Add a document" })).toBeVisible();
  const download = page.waitForEvent("download");
  await visit.getByRole("link", { name: "Add to calendar" }).click();
  expect(await readFile(await (await download).path(), "utf8")).toContain(`DTSTART:202706${day}T150000Z`);

  const bar = page.getByRole("navigation", { name: "Portal" });
  await expect(bar.getByRole("link").filter({ visible: true })).toHaveText([
    "Dashboard",
    "Appointments",
    /^Documents/,
    "Intake form",
    /^More/,
  ]);
  await expect(bar).toBeInViewport({ ratio: 1 });
  const box = await bar.boundingBox();
  expect(Math.round((box?.y ?? 0) + (box?.height ?? 0))).toBe(700);

  await page.getByRole("link", { name: "Move this visit" }).click();
  await page.getByText("Type a date and time", { exact: true }).click();
  await page.getByLabel("Date & Time").fill(`2027-06-${day}T14:00`);
  await page.getByRole("button", { name: "Move to this time" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your visit is moved");
  await expect(visit).toContainText("2:00 PM");
  await expect(visit).toContainText("$75 PAID");

  await page.getByRole("link", { name: "Cancel this visit" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel appointment" }).click();
  const row = page.getByRole("listitem").filter({ hasText: `Jun ${day}, 2027` });
  await expect(row).toContainText("refunded $75");
  await expect(row).not.toContainText("PAID");
  await expect(row.getByRole("link")).toHaveText([/^Receipt/, /^Remove from my calendar/, /^Book again/]);
});
