// Proves that the page of a video visit far in the future stays as it is.
import { expect, test } from "../../support/browser/playwright-fixtures.ts";
import { bookVideoAppointment } from "../../support/video-appointment.ts";

test.use({ needsFullBrowser: true });

test("the page of a family whose visit is 40 days away does not reload by itself", async ({ page, site, login }) => {
  const visit = await bookVideoAppointment(site, { minutes: 40 * 24 * 60 });
  await login(visit.family);
  let loads = 0;
  page.on("request", (request) => (loads += request.isNavigationRequest() ? 1 : 0));
  await page.clock.install();
  await page.goto(visit.path);
  await page.clock.runFor(60_000);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("The room is not open yet");
  expect(loads).toBe(1);
  await visit.remove();
});
