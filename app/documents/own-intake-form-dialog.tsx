import { recordAuditRead } from "../audit/record-audit.server.ts";
import { requirePerson } from "../accounts/guards.server.ts";
import { HTTP_STATUS } from "../http/outcome.ts";
import { findIntakeForm, toSubmittedIntakeFormData } from "../intake/intake-forms.server.ts";
import { SubmittedIntakeForm } from "../intake/submitted-intake-form.tsx";
import { RouteDialog } from "../ui/route-dialog.tsx";
import { PageMeta } from "../ui/page-meta.tsx";
import type { Route } from "./+types/own-intake-form-dialog";
import { DOCUMENTS_PATH } from "./document-paths.ts";

const TITLE = "Intake Form";

export async function loader({ context }: Route.LoaderArgs) {
  const form = await findIntakeForm(requirePerson(context));
  if (!form.ok) throw new Response(form.message, { status: HTTP_STATUS[form.reason] });
  await recordAuditRead({ action: "intake-opened", familyId: form.value.userId, objectId: form.value.id });
  return { summary: toSubmittedIntakeFormData(form.value) };
}

export default function SubmittedIntakeDialog({ loaderData }: Route.ComponentProps) {
  return (
    <RouteDialog title={TITLE} closeTo={DOCUMENTS_PATH} size="lg">
      <PageMeta>{TITLE}</PageMeta>
      <SubmittedIntakeForm summary={loaderData.summary} />
    </RouteDialog>
  );
}
