import { findFamilyName } from "../accounts/family-names.server.ts";
import { requirePerson } from "../accounts/guards.server.ts";
import { redirectWithFlash } from "../accounts/sessions/flash.server.ts";
import { parseId } from "../http/field-schemas.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { PageMeta } from "../ui/page-meta.tsx";
import type { Route } from "./+types/close-family-account";
import { AccountRefusalDialog, accountRefusalOrThrowNotFound } from "./account-refusal.tsx";
import { closeFamilyAccount, previewAccountClosing, describeClosing } from "./family-account.server.ts";

const TITLE = "Close this account?";

export async function loader({ context, params }: Route.LoaderArgs) {
  const account = await previewAccountClosing(requirePerson(context), params.id);
  return account.ok ? { refusal: null, account: account.value } : accountRefusalOrThrowNotFound(account);
}

export async function action({ context, params }: Route.ActionArgs) {
  const result = await closeFamilyAccount(requirePerson(context), params.id);
  if (!result.ok) return accountRefusalOrThrowNotFound(result);
  return redirectWithFlash(context, `/families/${params.id}`, {
    title: "Account closed",
    description: describeClosing(await findFamilyName(parseId(params.id)), result.value),
  });
}

export default function CloseFamilyAccountDialog({ loaderData, actionData, params }: Route.ComponentProps) {
  const { account } = loaderData;
  const refusal = actionData?.refusal ?? loaderData.refusal;
  if (!account || refusal)
    return <AccountRefusalDialog title={TITLE} message={refusal ?? ""} closeTo={`/families/${params.id}`} />;
  const { id, name, upcomingCount, refund, hasMail } = account;
  return (
    <>
      <PageMeta>{TITLE}</PageMeta>
      <ConfirmDialog
        title={TITLE}
        subject={name}
        details={
          upcomingCount > 0
            ? cancellationText(upcomingCount, refund, hasMail)
            : "The family has no upcoming appointments."
        }
        consequence="The family is signed out on every device and can't sign in. Everything you have about it stays here. You can open the account again, but canceled appointments do not come back."
        confirmText="Close account"
        busyText="Closing…"
        cancelText="Keep account"
        closeTo={`/families/${id}`}
      />
    </>
  );
}

function cancellationText(upcomingCount: number, refund: string | null, hasMail: boolean): string {
  const visits =
    upcomingCount === 1 ? "1 upcoming appointment is canceled" : `${upcomingCount} upcoming appointments are canceled`;
  const refundClause = refund ? `${refund} goes back to the card in full` : "nothing was paid online";
  const notificationSentence = hasMail
    ? `The family is told of ${upcomingCount === 1 ? "it" : "each of them"} by email.`
    : "We send no email: please tell the family.";
  return `${visits}, and ${refundClause}. You give back yourself what was paid in person. ${notificationSentence}`;
}
