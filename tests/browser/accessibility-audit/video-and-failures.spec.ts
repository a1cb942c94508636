// Proves the accessibility of a visit and of what fails, and that no page of the route table is left out of the audit.
import { adminStates } from "../../screenshots/admin-states.ts";
import { errorStates } from "../../screenshots/error-states.ts";
import { familyStates } from "../../screenshots/family-states.ts";
import { videoCallStates } from "../../screenshots/video-call-states.ts";
import { visitorStates } from "../../screenshots/visitor-states.ts";
import { IN_ORDER, expect, expectPagesPassAudit, test } from "../../support/browser/audit-fixture.ts";
import { routePaths } from "../../support/route-table.ts";

test.use({ part: "video-and-failures" });
test.describe.configure(IN_ORDER);

/** Leads on to the card provider by itself. */
const PASSED_THROUGH = ["/appointments/pay/checkout"];

/** One of each kind: what else is drawn of them has the same parts, and the other files live through it. */
const OF_A_VISIT = [
  "waiting room without a script",
  "waiting room",
  "reconnecting",
  "nothing gets through",
  "open in another tab",
];
const OF_TROUBLE = ["pay, on its way", "form without an answer"];

test("what a family sees of a visit, and of what fails", async ({
  playwright,
  launchOptions,
  auditSite,
  javaScriptEnabled,
}) => {
  // The headless shell has no cameras.
  const executablePath = process.env.TEST_CHROMIUM || undefined;
  const browser = await playwright.chromium.launch({ ...launchOptions, executablePath });
  const full = await auditSite.seed();
  const visit = OF_A_VISIT.map((name) => `visit, ${name}`);
  const states = [...(await videoCallStates(auditSite, full)), ...errorStates(auditSite, full)];
  const some = states.filter(({ role, name }) => role === "Family" && [...visit, ...OF_TROUBLE].includes(name));
  expect(some).toHaveLength(OF_A_VISIT.length + OF_TROUBLE.length);
  await expectPagesPassAudit(browser, auditSite, some, javaScriptEnabled);
  await browser.close();
});

test("no page of the route table is left out", async ({ auditSite }) => {
  const full = await auditSite.seed();
  const ofConsultant = await adminStates(auditSite, full);
  const states = [...(await visitorStates(auditSite)), ...familyStates(auditSite, full), ...ofConsultant];
  const seen = states.map(({ path, shows }) => (shows ?? path).replace(/[?#].*/, ""));
  const patterns = routePaths.filter(({ file }) => file.endsWith(".tsx")).map(({ path }) => path);
  const unseen = patterns.filter((pattern) => !seen.some((path) => path === pattern || matches(pattern, path)));
  expect(patterns.length).toBeGreaterThan(30);
  expect(unseen).toEqual(PASSED_THROUGH);
});

/** Whether `path` is best described by `pattern`: `/families` is not the page for any address there is. */
function matches(pattern: string, path: string): boolean {
  return new RegExp(`^${pattern.replace(/:\w+/g, "[^/]+").replace("/*", "/nothing.*")}$`).test(path);
}
