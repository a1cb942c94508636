// Proves the accessibility of a family's pages about appointments, payments and documents, with and without script.
import { familyStates } from "../../screenshots/family-states.ts";
import { IN_ORDER, expect, expectPagesPassAudit, isOfVisits, test } from "../../support/browser/audit-fixture.ts";

test.use({ part: "family-visits" });
test.describe.configure(IN_ORDER);

test("what a family sees of its appointments and documents", async ({ browser, auditSite, javaScriptEnabled }) => {
  const states = familyStates(auditSite, await auditSite.seed()).filter(isOfVisits);
  const forms = await expectPagesPassAudit(browser, auditSite, states, javaScriptEnabled);
  if (javaScriptEnabled) expect(forms).toMatchSnapshot("family-visits-forms.txt");
});
