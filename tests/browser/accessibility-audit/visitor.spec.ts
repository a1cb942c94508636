// Proves the accessibility of every page that a visitor sees, and of the consultant's pages on the first day.
import { firstDayStates } from "../../screenshots/admin-states.ts";
import { visitorStates } from "../../screenshots/visitor-states.ts";
import { IN_ORDER, expect, expectPagesPassAudit, test } from "../../support/browser/audit-fixture.ts";

test.use({ part: "visitor" });
test.describe.configure(IN_ORDER);

test("before the first family comes", async ({ browser, auditSite, javaScriptEnabled }) => {
  await expectPagesPassAudit(browser, auditSite, await firstDayStates(auditSite), javaScriptEnabled);
});

test("what a visitor sees", async ({ browser, auditSite, javaScriptEnabled }) => {
  const forms = await expectPagesPassAudit(browser, auditSite, await visitorStates(auditSite), javaScriptEnabled);
  if (javaScriptEnabled) expect(forms).toMatchSnapshot("visitor-forms.txt");
});
