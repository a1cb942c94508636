import { findFamilyName } from "../accounts/family-names.server.ts";
import { requirePerson } from "../accounts/guards.server.ts";
import { fullName } from "../accounts/person.ts";
import { redirectWithFlash } from "../accounts/sessions/flash.server.ts";
import { parseId } from "../http/field-schemas.ts";
import { HTTP_STATUS } from "../http/outcome.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { PageMeta } from "../ui/page-meta.tsx";
import type { Route } from "./+types/reopen-family-account";
import { findFamilyAccountWithAudit, reopenFamilyAccount } from "./family-account.server.ts";

const TITLE = "Open this account again?";

export async function loader({ context, params }: Route.LoaderArgs) {
  const account = await findFamilyAccountWithAudit(requirePerson(context), params.id);
  if (!account.ok) throw new Response(account.message, { status: 404, statusText: "Not Found" });
  return { id: account.value.id, name: fullName(account.value) };
}

export async function action({ context, params }: Route.ActionArgs) {
  const result = await reopenFamilyAccount(requirePerson(context), params.id);
  if (!result.ok) throw new Response(result.message, { status: HTTP_STATUS[result.reason] });
  return redirectWithFlash(context, `/families/${params.id}`, {
    title: "Account open again",
    description: `${await findFamilyName(parseId(params.id))} can sign in with a new password.`,
  });
}

export default function ReopenFamilyAccountDialog({ loaderData: { id, name } }: Route.ComponentProps) {
  return (
    <>
      <PageMeta>{TITLE}</PageMeta>
      <ConfirmDialog
        title={TITLE}
        subject={name}
        consequence="The family chooses a new password first: make a password link for it, or it asks for one by email. Canceled appointments stay canceled."
        confirmText="Open account"
        busyText="Opening…"
        cancelText="Keep it closed"
        closeTo={`/families/${id}`}
        isDestructive={false}
      />
    </>
  );
}
