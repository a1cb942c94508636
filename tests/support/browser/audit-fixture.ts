// What the parts of the accessibility audit have in common: a site of their own, and how its states are judged.
import type { Browser } from "playwright/test";
import type { State } from "../../screenshots/capture.ts";
import { startScreenshotSite, type ScreenshotSite } from "../../screenshots/screenshot-site.ts";
import { seedSite, type SeedData } from "../../screenshots/seed-site.ts";
import { auditStates } from "./accessibility-audit.ts";
import { expect, test as base } from "./playwright-fixtures.ts";

const MINUTES = 60_000;

export type AuditSite = ScreenshotSite & { seed: () => Promise<SeedData> };

/**
 * Each file names its part and thereby has a worker and a site of its own: empty at first, full once a test seeds it. The
 * tests of a file run in their order.
 */
export const test = base.extend<object, { part: string; auditSite: AuditSite }>({
  part: ["", { option: true, scope: "worker" }],
  auditSite: [
    async ({ part }, use) => {
      if (part === "") throw new Error("Name the part of the audit: test.use({ part: … })");
      const site = await startScreenshotSite();
      let seeded: Promise<SeedData> | undefined;
      await use({ ...site, seed: () => (seeded ??= seedSite(site)) });
      await site.stop();
    },
    { scope: "worker", timeout: 2 * MINUTES },
  ],
});

export const IN_ORDER = { mode: "default", timeout: 15 * MINUTES } as const;

/** Shows the booking, too, that the states of payments leave unfinished. */
const WITH_UNFINISHED_BOOKING = "message after saving";

/** Whether a family's state is of its appointments, payments and documents; the others are of its account. */
export function isOfVisits({ name, path }: State): boolean {
  return name === WITH_UNFINISHED_BOOKING || /^\/(appointments|receipts|invoices|video-call|documents)\b/.test(path);
}

/** Without a script only what is there at once, or is reached without one: the journeys go through the rest. Returns the forms with a script. */
export async function expectPagesPassAudit(browser: Browser, site: ScreenshotSite, states: State[], script: boolean) {
  const shown = script ? states : states.filter(({ act, actsWithoutScript }) => !act || actsWithoutScript);
  expect(shown.length).toBeGreaterThan(0);
  const { problems, forms } = await auditStates(browser, site, shown, script);
  expect.soft(problems).toEqual([]);
  return forms;
}

export { expect };
