// Proves that each signed-in page stays within its budget of script over the framework's own.
import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync } from "node:zlib";
import type { Page } from "playwright/test";
import { expect, test } from "../support/browser/playwright-fixtures.ts";
import { waitForHydration } from "../support/browser/page-checks.ts";
import { bookVideoAppointment } from "../support/video-appointment.ts";

const ASSETS = path.join(import.meta.dirname, "../../build/client");
/** What the framework's minimal template sends, compressed: `npm run bench` builds it anew. */
const FRAMEWORK_BYTES = 97_408;
const BUDGET_BYTES = 15_000;
/** Pages that exceed it, in steps of 500 bytes. A ceiling may only come down: what is used late is loaded late. */
const CEILINGS: Record<string, number> = {
  "family /messages": 15_500,
  "consultant /mail-wording/visit-booked": 15_500,
  "consultant /consultant-profile": 16_000,
  "consultant /compliance/new": 15_750,
  "consultant /calendar/hours": 15_750,
  "consultant /calendar": 19_500,
  "consultant /calendar/new": 17_000,
  "consultant /calendar/weekly-hours": 15_500,
  "consultant /dashboard": 23_500,
  "consultant /dashboard/appointments/:id": 27_000,
  "consultant /dashboard/appointments/:id/cancel": 24_750,
  "consultant /dashboard/appointments/:id/delete": 24_250,
  "consultant /dashboard/appointments/:id/payment": 25_000,
  "consultant /dashboard/appointments/:id/reschedule": 26_500,
  "consultant /dashboard/calendar": 24_500,
  "consultant /dashboard/reset-link": 24_500,
  "consultant /documents": 17_000,
  "consultant /documents/new": 22_500,
  "consultant /families": 16_500,
  "consultant /families/:family": 23_250,
  "consultant /families/:family/appointments/new": 28_750,
  "consultant /families/:family/close": 24_500,
  "consultant /families/:family/delete": 26_000,
  "consultant /families/invitations": 17_250,
  "consultant /money": 18_250,
  "consultant /requests": 24_000,
  "consultant /search?q=kei": 17_500,
  "family /appointments": 17_750,
  "family /appointments/:id/booked": 17_750,
  "family /appointments/:id/cancel": 18_750,
  "family /appointments/:id/documents": 18_500,
  "family /appointments/:id/move": 20_750,
  "family /appointments/:id/questions": 16_500,
  "family /appointments/intake-form": 23_000,
  "family /appointments/new": 27_000,
  "family /appointments/waiting-list": 16_750,
  "family /dashboard": 19_000,
  "family /dashboard/intake-form": 21_750,
  "family /dashboard/intake-form?step=child": 25_000,
  "family /dashboard/profile": 19_500,
  "family /dashboard/settings": 23_000,
  "family /dashboard/settings/calendar": 20_250,
  "family /dashboard/settings/data": 20_750,
  "family /dashboard/settings/delete-account": 21_750,
  "family /dashboard/settings/devices": 20_000,
  "family /documents": 17_000,
  "family /documents/intake-form": 18_250,
  "family /documents/new": 22_500,
};

/** File names are hashes of their content, so the same code compresses to a little more or less after any change. */
const HASH_VARIATION_BYTES = 250;

const FAMILY_PAGES = [
  "/dashboard",
  "/change-email",
  "/dashboard/settings",
  "/dashboard/settings/calendar",
  "/dashboard/settings/devices",
  "/dashboard/settings/data",
  "/dashboard/settings/delete-account",
  "/dashboard/profile",
  "/dashboard/intake-form",
  "/dashboard/intake-form?step=child",
  "/more",
  "/messages",
  "/consents",
  "/consents/recording",
  "/receipts",
  "/invoices/:id",
  "/appointments",
  "/appointments/new",
  "/appointments/waiting-list",
  "/appointments/intake-form",
  "/appointments/:id/booked",
  "/appointments/:id/questions",
  "/appointments/:id/move",
  "/appointments/:id/cancel",
  "/appointments/:id/documents",
  "/documents",
  "/documents/new",
  "/documents/intake-form",
];
const CONSULTANT_PAGES = [
  "/dashboard",
  "/dashboard/calendar",
  "/dashboard/reset-link",
  "/dashboard/appointments/:id",
  "/dashboard/appointments/:id/reschedule",
  "/dashboard/appointments/:id/cancel",
  "/dashboard/appointments/:id/delete",
  "/dashboard/appointments/:id/payment",
  "/calendar",
  "/calendar/new",
  "/calendar/hours",
  "/calendar/weekly-hours",
  "/consultant-profile",
  "/practice-details",
  "/outbox",
  "/system-status",
  "/mail-wording",
  "/mail-wording/visit-booked",
  "/requests",
  "/compliance",
  "/compliance/new",
  "/money",
  "/families",
  "/search?q=kei",
  "/families/invitations",
  "/families/:family",
  "/families/:family/appointments/new",
  "/families/:family/close",
  "/families/:family/delete",
  "/documents",
  "/documents/new",
];

const sizes = new Map<string, number>();

/** As it is sent: compressed by the build, or as it is where that would not make it smaller. */
function sentBytes(name: string): number {
  const known = sizes.get(name);
  if (known !== undefined) return known;
  const file = path.join(ASSETS, name);
  const bytes = existsSync(`${file}.br`) ? statSync(`${file}.br`).size : brotliCompressSync(readFileSync(file)).length;
  sizes.set(name, bytes);
  return bytes;
}

async function scriptsOf(page: Page, address: string): Promise<string[]> {
  const answer = await page.goto(address);
  expect([address, answer?.status()]).toEqual([address, 200]);
  await waitForHydration(page);
  // Also what a second import brings, which hydration begins.
  await page.waitForFunction(() =>
    [...document.querySelectorAll("main *")].every((element) =>
      Object.keys(element).some((key) => key.startsWith("__reactFiber")),
    ),
  );
  const names = await page.evaluate(() =>
    performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname),
  );
  return [...new Set(names.filter((name) => name.endsWith(".js")))];
}

test("no page loads more script than it may", async ({ site, openAs }) => {
  const { id, family, consultant } = await bookVideoAppointment(site, { minutes: 3 * 24 * 60 });
  const exceeding: Record<string, number> = {};
  for (const [role, person, pages] of [
    ["family", family, FAMILY_PAGES],
    ["consultant", consultant, CONSULTANT_PAGES],
  ] as const) {
    const page = await openAs(person);
    for (const pattern of pages) {
      const address = pattern.replace(":id", String(id)).replace(":family", String(family.id));
      const scripts = await scriptsOf(page, address);
      expect([address, scripts.length > 3]).toEqual([address, true]);
      const bytes = scripts.reduce((sum, name) => sum + sentBytes(name), 0) - FRAMEWORK_BYTES;
      if (bytes > BUDGET_BYTES) exceeding[`${role} ${pattern}`] = bytes;
    }
  }
  const larger = Object.entries(exceeding).filter(
    ([page, bytes]) => bytes > (CEILINGS[page] ?? BUDGET_BYTES) + HASH_VARIATION_BYTES,
  );
  expect(Object.fromEntries(larger), "pages above their budget or their ceiling").toEqual({});
  const within = Object.keys(CEILINGS).filter((page) => !(page in exceeding));
  expect(within, "pages that keep the budget by now and need no ceiling").toEqual([]);
});
