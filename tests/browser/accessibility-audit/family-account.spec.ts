// Proves the accessibility of a family's pages about its account, its agreements and its intake form, with and without script.
import { familyStates } from "../../screenshots/family-states.ts";
import { IN_ORDER, expect, expectPagesPassAudit, isOfVisits, test } from "../../support/browser/audit-fixture.ts";

test.use({ part: "family-account" });
test.describe.configure(IN_ORDER);

test("what a family sees of its account and its story", async ({ browser, auditSite, javaScriptEnabled }) => {
  const states = familyStates(auditSite, await auditSite.seed()).filter((state) => !isOfVisits(state));
  const forms = await expectPagesPassAudit(browser, auditSite, states, javaScriptEnabled);
  if (javaScriptEnabled) expect(forms).toMatchSnapshot("family-account-forms.txt");
});
