import { findFamilyName } from "../accounts/family-names.server.ts";
import { requirePerson } from "../accounts/guards.server.ts";
import { redirectWithFlash } from "../accounts/sessions/flash.server.ts";
import { findConsentToWithdraw, withdrawConsentOfFamily } from "../consents/withdraw-consent.server.ts";
import { parseId } from "../http/field-schemas.ts";
import { mailMode } from "../mail/mail-transport.server.ts";
import { formatPracticeDateTime } from "../practice/format-practice-date-time.server.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { PageMeta } from "../ui/page-meta.tsx";
import type { Route } from "./+types/withdraw-family-consent";
import { findFamilyAccountWithAudit } from "./family-account.server.ts";

const TITLE = "Did the family take it back?";

const notFoundResponse = ({ message }: { message: string }) =>
  new Response(message, { status: 404, statusText: "Not Found" });

export async function loader({ context, params }: Route.LoaderArgs) {
  const person = requirePerson(context);
  const account = await findFamilyAccountWithAudit(person, params.id);
  if (!account.ok) throw notFoundResponse(account);
  const consent = await findConsentToWithdraw(person, account.value.id, parseId(params.consent));
  if (!consent.ok) throw notFoundResponse(consent);
  const { title, signedName, signedAt } = consent.value;
  return { title, signedName, signedOn: formatPracticeDateTime(signedAt), hasMail: mailMode !== "none" };
}

export async function action({ context, params }: Route.ActionArgs) {
  const familyId = parseId(params.id);
  const result = await withdrawConsentOfFamily(requirePerson(context), familyId, parseId(params.consent));
  if (!result.ok) throw notFoundResponse(result);
  const description = `For ${await findFamilyName(familyId)}. It no longer counts.`;
  return redirectWithFlash(context, `/families/${params.id}`, { title: "Agreement taken back", description });
}

/**
 * Asks for confirmation before the consultant ends an agreement that a family withdrew during a visit or on the phone.
 */
export default function WithdrawFamilyConsent({ loaderData, params }: Route.ComponentProps) {
  const { title, signedName, signedOn, hasMail } = loaderData;
  return (
    <>
      <PageMeta>{TITLE}</PageMeta>
      <ConfirmDialog
        title={TITLE}
        subject={title}
        details={`Signed by ${signedName} on ${signedOn}. End it only if the family told you to.`}
        consequence={`It does not count any more from now on, and only the family can sign it again. ${hasMail ? "The family is told by email." : "We send no email: the family reads it under Messages."}`}
        confirmText="End the agreement"
        busyText="Ending…"
        cancelText="Keep it"
        closeTo={`/families/${params.id}`}
      />
    </>
  );
}
