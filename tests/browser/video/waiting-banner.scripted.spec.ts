// Proves that the consultant sees on any page that a family is waiting.
import { expect, test } from "../../support/browser/playwright-fixtures.ts";
import { waitForHydration } from "../../support/browser/wait-for-hydration.ts";
import { bookVideoAppointment } from "../../support/video-appointment.ts";

test.use({ needsFullBrowser: true });

const DEVICES = { permissions: ["camera", "microphone"] };

test("a waiting family's banner is in view on a scrolled page without shifting it, and in a hidden tab's title", async ({
  site,
  openAs,
  expectAccessible,
}) => {
  const visit = await bookVideoAppointment(site);
  const consultant = await openAs(visit.consultant, { viewport: { width: 1280, height: 800 } });
  await consultant.goto(`/families/${visit.family.id}`);
  await waitForHydration(consultant);
  const words = `${visit.family.name} is waiting for you.`;
  const line = consultant.locator(".site-top").getByText(words);
  const top = (name: string) =>
    consultant
      .getByRole("heading", { name, exact: true })
      .first()
      .evaluate((heading) => Math.round(heading.getBoundingClientRect().top));
  await consultant.evaluate(() => {
    window.scrollTo(0, 500);
    Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
  });
  const read = await top("Follow-ups");
  const family = await openAs(visit.family, DEVICES);
  await family.goto(visit.path);
  await expect(consultant).toHaveTitle(/^\(1 waiting\) /, { timeout: 20_000 });
  await expect(line).toBeInViewport();
  expect(await top("Follow-ups")).toBe(read);

  await consultant.evaluate(() => Object.defineProperty(document, "visibilityState", { value: "visible" }));
  await family.goto("/dashboard");
  await expect(line).toHaveCount(0, { timeout: 20_000 });
  await expect(consultant).not.toHaveTitle(/waiting/);
  await consultant.evaluate(() => window.scrollTo(0, 0));
  const first = await top(visit.family.name);
  await family.goto(visit.path);
  await expect(line).toBeInViewport({ timeout: 20_000 });
  await expect.poll(() => top(visit.family.name)).toBe(first);
  await consultant.evaluate(() => window.scrollTo(0, 0));
  await expectAccessible(consultant);
  await visit.remove();
});

test("a waiting family's banner is above a dialog's heading without covering it, and opens the call", async ({
  site,
  openAs,
}) => {
  const visit = await bookVideoAppointment(site, { minutes: 5 });
  const consultant = await openAs(visit.consultant);
  const family = await openAs(visit.family, DEVICES);
  await family.goto(visit.path);
  await expect(family.getByText("can see that you are waiting")).toBeVisible();
  for (const [width, height] of [
    [1280, 800],
    [375, 700],
  ] as const) {
    await consultant.setViewportSize({ width, height });
    for (const path of [`/families/${visit.family.id}/follow-ups/new`, `/families/${visit.family.id}/documents/new`]) {
      await consultant.goto(path);
      await waitForHydration(consultant);
      const dialog = consultant.locator("dialog:modal");
      const repeated = dialog.locator(".waiting-banner");
      await expect(repeated).toContainText(`${visit.family.name} is waiting for you.`);
      await expect(repeated).toBeInViewport({ ratio: 1 });
      await expect
        .poll(async () => {
          const [above, below] = [
            await repeated.boundingBox(),
            await dialog.getByRole("heading").first().boundingBox(),
          ];
          return above !== null && below !== null && above.y + above.height <= below.y;
        })
        .toBe(true);
    }
  }
  const received = consultant.waitForEvent("websocket").then((socket) => socket.waitForEvent("framereceived"));
  await consultant.locator("dialog:modal").getByRole("link", { name: "Join call now" }).click();
  await expect(consultant).toHaveURL(visit.path);
  // A socket that is closed while it connects is a warning in the console.
  await received;
  await visit.remove();
});
