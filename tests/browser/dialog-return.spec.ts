// Proves that the consultant's dialogs open over the page they were opened from, and that closing one returns there.
import type { Page } from "playwright/test";
import type { Family } from "../support/people.ts";
import { expect, test } from "../support/browser/playwright-fixtures.ts";
import { waitForHydration } from "../support/browser/wait-for-hydration.ts";

const START = "2028-05-08T16:00:00Z";

type Opening = {
  path: string;
  /** Of the page in the navigation; null where it has none. */
  place: string | null;
  heading: string | RegExp;
  open: (page: Page) => Promise<void>;
  /** What has the focus after closing. */
  link: RegExp;
};

function openings(family: Family): Opening[] {
  const query = new URLSearchParams({ q: family.lastName });
  const click = (link: RegExp) => (page: Page) => page.getByRole("link", { name: link }).first().click();
  const schedule = new RegExp(`Schedule Consultation with ${family.name}`);
  return [
    {
      path: `/requests?${query}&status=open`,
      place: "Requests",
      heading: "Consultation requests",
      open: click(schedule),
      link: schedule,
    },
    {
      path: `/families/${family.id}`,
      place: "Families",
      heading: family.name,
      open: click(/^Cancel the visit of/),
      link: /^Cancel the visit of/,
    },
    {
      path: "/calendar?view=day&day=2028-05-08",
      place: "Calendar",
      heading: /May\s8, 2028/,
      open: click(new RegExp(`^ ?${family.name}`)),
      link: new RegExp(`^ ?${family.name}`),
    },
    {
      path: `/search?${query}`,
      place: null,
      heading: "Search",
      open: click(/^Move the visit of/),
      link: /^Move the visit of/,
    },
  ];
}

test("a dialog keeps its page behind it, even after a reload, and closing it focuses the link that opened it", async ({
  page,
  site,
  login,
}, info) => {
  const hasScript = info.project.name === "with script";
  // Each browser has a visit of its own, at another hour.
  const lastName = `Returning${hasScript ? "On" : "Off"}`;
  const family = await site.family({ intake: true, firstName: "Rita", lastName });
  const appointmentDate = hasScript ? START : START.replace("16:", "18:");
  const booking = { title: "Hourly Consulting", appointmentDate };
  expect((await family.post("/api/appointments/in-person", booking)).status).toBe(201);
  const request = { firstName: "Rita", lastName, email: family.email, serviceNeeds: "Help", consent: true };
  expect((await family.post("/api/consultation-requests", { ...request, urgency: "routine" })).status).toBe(201);
  await login(await site.consultant());
  for (const { path, place, heading, open, link } of openings(family)) {
    for (const reloads of [false, true]) {
      await page.goto(path);
      if (hasScript) await waitForHydration(page);
      await open(page);
      const dialog = page.getByRole("dialog");
      await expect(dialog).toBeVisible();
      await expect(page).toHaveURL(/\/dashboard\/(appointments|requests)\/\d+.*[?&]from=/);
      if (reloads) await page.reload();
      if (reloads && hasScript) await waitForHydration(page);
      await expect(page.locator("main h1")).toHaveText(heading);
      await expect(page.locator("nav.portal-nav [aria-current=page]")).toHaveText(place === null ? [] : [place]);
      await dialog.getByRole("link", { name: "Close", exact: true }).click();
      await expect(dialog).toHaveCount(0);
      const { pathname, search } = new URL(page.url());
      expect(pathname + search).toBe(path);
      if (!hasScript) continue;
      await expect(page.getByRole("link", { name: link }).first()).toBeFocused();
      await expect(page.getByRole("link", { name: link }).first()).toBeInViewport();
    }
  }
});
