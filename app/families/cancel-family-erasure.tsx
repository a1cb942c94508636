import { findFamilyName } from "../accounts/family-names.server.ts";
import { requirePerson } from "../accounts/guards.server.ts";
import { redirectWithFlash } from "../accounts/sessions/flash.server.ts";
import { parseId } from "../http/field-schemas.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { PageMeta } from "../ui/page-meta.tsx";
import type { Route } from "./+types/cancel-family-erasure";
import { AccountRefusalDialog, accountRefusalOrThrowNotFound } from "./account-refusal.tsx";
import { cancelErasureByIdParam, findErasureStatusWithAudit } from "./family-erasure.server.ts";

const NO_ERASURE_PENDING_MESSAGE = "This account is not about to be deleted.";
const TITLE = "Keep this account?";

export async function loader({ context, params }: Route.LoaderArgs) {
  const account = await findErasureStatusWithAudit(requirePerson(context), params.id);
  return account.ok ? { refusal: null, account: account.value } : accountRefusalOrThrowNotFound(account);
}

export async function action({ context, params }: Route.ActionArgs) {
  const result = await cancelErasureByIdParam(requirePerson(context), params.id);
  if (!result.ok) return accountRefusalOrThrowNotFound(result);
  return redirectWithFlash(context, `/families/${params.id}`, {
    title: "Account stays",
    description: `Nothing about ${await findFamilyName(parseId(params.id))} is deleted.`,
  });
}

/**
 * Dialog that cancels the scheduled deletion of a family's account, whether the family or the consultant requested it.
 */
export default function CancelFamilyErasure({ loaderData: { account }, actionData, params }: Route.ComponentProps) {
  const closeTo = `/families/${params.id}`;
  if (!account?.eraseOn)
    return <AccountRefusalDialog title={TITLE} message={NO_ERASURE_PENDING_MESSAGE} closeTo={closeTo} />;
  if (actionData) return <AccountRefusalDialog title={TITLE} message={actionData.refusal} closeTo={closeTo} />;
  const { name, eraseOn, isByPractice, isClosed, hasMail } = account;
  const accountStateSentence = isClosed ? "The account stays closed." : "The family can sign in as before.";
  return (
    <>
      <PageMeta>{TITLE}</PageMeta>
      <ConfirmDialog
        title={TITLE}
        subject={name}
        details={
          isByPractice
            ? `You scheduled its deletion for ${eraseOn}.`
            : `The family asked for its deletion, for ${eraseOn}. Keep the account only if the family wants that, or did not ask itself.`
        }
        consequence={`Nothing is deleted. ${accountStateSentence} Canceled visits stay canceled. ${hasMail ? "The family is told by email." : "We send no email: please tell the family."}`}
        confirmText="Keep this account"
        busyText="Keeping…"
        cancelText="Let it be deleted"
        closeTo={closeTo}
        isDestructive={false}
      />
    </>
  );
}
