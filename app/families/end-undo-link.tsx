import { endUndoLinksOfFamily, listUndoableChanges } from "../accounts/email/end-undo-links.server.ts";
import { requirePerson } from "../accounts/guards.server.ts";
import { fullName } from "../accounts/person.ts";
import { redirectWithFlash } from "../accounts/sessions/flash.server.ts";
import { parseId } from "../http/field-schemas.ts";
import { readNamedFormFields } from "../http/form.server.ts";
import { formatPracticeDateTime } from "../practice/format-practice-date-time.server.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { PageMeta } from "../ui/page-meta.tsx";
import type { Route } from "./+types/end-undo-link";
import { AccountRefusalDialog, accountRefusalOrThrowNotFound } from "./account-refusal.tsx";
import { findFamilyAccountWithAudit } from "./family-account.server.ts";

const TITLE = "End the link in the old mailbox?";
/** The newest change that the consultant was shown. */
const NEWEST_CHANGE = "newestChange";

export async function loader({ context, params }: Route.LoaderArgs) {
  const account = await findFamilyAccountWithAudit(requirePerson(context), params.id);
  if (!account.ok) return accountRefusalOrThrowNotFound(account);
  const { id, email } = account.value;
  const changes = await listUndoableChanges(id);
  const changedAt = changes.map((change) => formatPracticeDateTime(change.changedAt));
  const newestChangeId = changes[0]?.id ?? null;
  return { refusal: null, account: { id, email, name: fullName(account.value), newestChangeId, changedAt } };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const form = await readNamedFormFields(request, [NEWEST_CHANGE]);
  const newestShownId = parseId(String(form.get(NEWEST_CHANGE) ?? ""));
  const ended = await endUndoLinksOfFamily(requirePerson(context), parseId(params.id), newestShownId);
  if (!ended.ok) return accountRefusalOrThrowNotFound(ended);
  return redirectWithFlash(context, `/families/${params.id}`, {
    title: "Link ended",
    description: "The link in the family’s old mailbox no longer works.",
  });
}

/** For a family that left a mailbox which others read, and can't prove by itself that it is not a thief. */
export default function EndUndoLink({ loaderData, actionData, params }: Route.ComponentProps) {
  const { account } = loaderData;
  const refusal = actionData?.refusal ?? loaderData.refusal;
  if (!account || refusal)
    return <AccountRefusalDialog title={TITLE} message={refusal ?? ""} closeTo={`/families/${params.id}`} />;
  const { id, name, email, newestChangeId, changedAt } = account;
  return (
    <>
      <PageMeta>{TITLE}</PageMeta>
      <ConfirmDialog
        title={TITLE}
        subject={name}
        details={`The account has a new address, ${email}. For seven days a link in the old mailbox can take that back.`}
        consequence="Be sure that you speak with the family: whoever took the account from it would ask for the same. The family can then get the account back only through you. We tell the old address that the link was ended."
        confirmText="End the link"
        busyText="Ending…"
        cancelText="Keep the link"
        closeTo={`/families/${id}`}
      >
        <input type="hidden" name={NEWEST_CHANGE} value={newestChangeId ?? ""} />
        {changedAt.length > 0 && <p>Changed on {changedAt.join("; ")}.</p>}
      </ConfirmDialog>
    </>
  );
}
