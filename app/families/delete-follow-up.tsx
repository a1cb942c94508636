import { findFamilyName } from "../accounts/family-names.server.ts";
import { requirePerson } from "../accounts/guards.server.ts";
import { redirectWithFlash } from "../accounts/sessions/flash.server.ts";
import { changeFollowUp, findFollowUpWithAudit } from "../booking/follow-ups/follow-ups.server.ts";
import { parseId } from "../http/field-schemas.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { PageMeta } from "../ui/page-meta.tsx";
import type { Route } from "./+types/delete-follow-up";

const TITLE = "Delete this follow-up?";
const NOT_FOUND_MESSAGE = "There is no such follow-up.";

export async function loader({ context, params }: Route.LoaderArgs) {
  const followUp = await findFollowUpWithAudit(requirePerson(context), params.id, params.followUp);
  if (!followUp) throw notFoundResponse(NOT_FOUND_MESSAGE);
  return { text: followUp.text, returnPath: `/families/${params.id}` };
}

export async function action({ context, params }: Route.ActionArgs) {
  const { id: family, followUp } = params;
  const result = await changeFollowUp(requirePerson(context), { family, followUp, change: "deleted" });
  if (!result.ok) throw notFoundResponse(result.message);
  const description = `For ${await findFamilyName(parseId(family))}.`;
  return redirectWithFlash(context, `/families/${family}`, { title: "Follow-up deleted", description });
}

function notFoundResponse(message: string) {
  return new Response(message, { status: 404, statusText: "Not Found" });
}

export default function DeleteFollowUp({ loaderData: { text, returnPath } }: Route.ComponentProps) {
  return (
    <>
      <PageMeta>{TITLE}</PageMeta>
      <ConfirmDialog
        title={TITLE}
        subject={<span className="wrap-anywhere">{text}</span>}
        consequence="This action cannot be undone."
        confirmText="Delete follow-up"
        busyText="Deleting…"
        cancelText="Keep follow-up"
        closeTo={returnPath}
      />
    </>
  );
}
