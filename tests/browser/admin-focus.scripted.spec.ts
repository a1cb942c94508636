// Proves where the consultant's focus goes: a section link focuses its section, a saved dialog the next row.
import { expect } from "playwright/test";
import { NOW, practiceTime, type ScreenshotSite } from "../screenshots/screenshot-site.ts";
import { test } from "../support/browser/screenshot-site-fixture.ts";
import { addSessionCookies } from "../support/browser/sign-in-as.ts";
import { waitForHydration } from "../support/browser/wait-for-hydration.ts";

test.beforeEach(async ({ context, page, screenshotSite }) => {
  await addSessionCookies(context, screenshotSite, await screenshotSite.consultant());
  await page.clock.setFixedTime(NOW);
});

test("after a visit is finished, focus moves to the next row of the list, and after the last one to its heading", async ({
  page,
  screenshotSite,
}) => {
  await createPastVisits(screenshotSite, ["Ana", "Ben", "Cleo"], 10);
  await page.goto(`${screenshotSite.origin}/dashboard`);
  await waitForHydration(page);
  const attention = page.getByRole("region", { name: /^Needs attention/ });
  await attention.getByRole("link", { name: /^Ana Placed/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Visit saved")).toBeVisible();
  await expect(attention.getByRole("link", { name: /^Ben Placed/ })).toBeFocused();
  for (const name of [/^Ben Placed/, /^Cleo Placed/]) {
    await attention.getByRole("link", { name }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Save", exact: true }).click();
    await expect(attention.getByRole("link", { name })).toHaveCount(0);
  }
  await expect(attention.getByRole("heading", { name: /^Needs attention/ })).toBeFocused();
});

test("focus moves to the next row even when the dialog was opened directly by its URL", async ({
  page,
  screenshotSite,
}) => {
  await createPastVisits(screenshotSite, ["Dora", "Emil"], 14);
  await page.goto(`${screenshotSite.origin}/dashboard`);
  const attention = page.getByRole("region", { name: /^Needs attention/ });
  const path = await attention.getByRole("link", { name: /^Dora Placed/ }).getAttribute("href");
  await page.goto(screenshotSite.origin + path);
  await waitForHydration(page);
  await page.getByRole("dialog").getByRole("button", { name: "Save", exact: true }).click();
  await expect(attention.getByRole("link", { name: /^Dora Placed/ })).toHaveCount(0);
  await expect(attention.getByRole("link", { name: /^Emil Placed/ })).toBeFocused();
  await attention.getByRole("link", { name: /^Emil Placed/ }).click();
  await page.getByRole("dialog").getByRole("link", { name: "Close" }).click();
  await expect(attention.getByRole("link", { name: /^Emil Placed/ })).toBeFocused();
  await attention.getByRole("link", { name: /^Emil Placed/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Save", exact: true }).click();
  await expect(attention.getByRole("link", { name: /^Emil Placed/ })).toHaveCount(0);
});

/** One visit of each family, in this order in the list; `hour` in the practice's time zone. */
async function createPastVisits({ db, family }: ScreenshotSite, firstNames: string[], hour: number) {
  for (const [index, firstName] of firstNames.entries()) {
    const { id: userId } = await family({ firstName, lastName: "Placed" });
    const visit = { title: "Hourly Consulting", type: "consultation", userId };
    await db.appointment.create({ data: { ...visit, appointmentDate: practiceTime(-2 - index, hour) } });
  }
}

test("a link to a section of a family's page focuses it, and Back restores the list's scroll position", async ({
  page,
  screenshotSite,
}) => {
  const { id: userId } = await screenshotSite.family({ firstName: "Dina", lastName: "Linked" });
  await screenshotSite.db.followUp.create({ data: { userId, text: "Call the school", dueDay: "2020-01-06" } });
  await page.setViewportSize({ width: 375, height: 640 });
  await page.goto(`${screenshotSite.origin}/dashboard`);
  await waitForHydration(page);
  const group = page.locator("details", { has: page.getByRole("heading", { name: "Follow-ups" }) });
  await expect(group).not.toHaveAttribute("open");
  await group.locator("summary").click();
  await group.getByRole("link", { name: /^Dina Linked/ }).click();
  await expect(page.getByRole("heading", { name: "Follow-ups" })).toBeFocused();
  await expect(page.getByRole("heading", { name: "Follow-ups" })).toBeInViewport();
  await page.getByRole("link", { name: "Write a note" }).click();
  await expect(page.getByLabel("New note")).toBeFocused();
  await page.goto(`${screenshotSite.origin}/families`);
  await waitForHydration(page);
  await page.getByRole("link", { name: "Dina Linked" }).scrollIntoViewIfNeeded();
  await page.evaluate(() => window.scrollTo(0, 200));
  await page.getByRole("link", { name: "Dina Linked" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Dina Linked" })).toBeFocused();
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1, name: "Families" })).toBeFocused();
  expect(await page.evaluate(() => window.scrollY)).toBe(200);
});

test("the / key focuses the search, still types in text fields, and can be turned off", async ({
  page,
  screenshotSite,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${screenshotSite.origin}/families`);
  await waitForHydration(page);
  const search = page.getByRole("navigation").getByRole("searchbox", { name: "Search everything" });
  await page.getByLabel("Search families").fill("1");
  await page.keyboard.press("/");
  await expect(page.getByLabel("Search families")).toHaveValue("1/");
  await page.getByLabel("Search families").blur();
  await page.keyboard.press("Control+/");
  await expect(search).not.toBeFocused();
  await page.keyboard.press("/");
  await expect(search).toBeFocused();
  await expect(search).toHaveValue("");
  await page.keyboard.type("nobody at all");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Nothing was found for “nobody at all”.")).toBeVisible();
  await page.getByRole("button", { name: "Turn it off" }).click();
  await expect(page.getByText("The key / is turned off in this browser.")).toBeVisible();
  await page.keyboard.press("/");
  await expect(search).not.toBeFocused();
});
