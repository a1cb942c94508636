// Proves the accessibility of every page and dialog of the consultant in its states, with and without script.
import { adminStates } from "../../screenshots/admin-states.ts";
import { IN_ORDER, expect, expectPagesPassAudit, test } from "../../support/browser/audit-fixture.ts";

test.use({ part: "consultant" });
test.describe.configure(IN_ORDER);

test("what the consultant sees", async ({ browser, auditSite, javaScriptEnabled }) => {
  const states = await adminStates(auditSite, await auditSite.seed());
  const forms = await expectPagesPassAudit(browser, auditSite, states, javaScriptEnabled);
  if (javaScriptEnabled) expect(forms).toMatchSnapshot("consultant-forms.txt");
});
