import { Form, useLocation } from "react-router";
import { findFamilyName } from "../accounts/family-names.server.ts";
import { requirePerson } from "../accounts/guards.server.ts";
import { createFormErrorResponse } from "../accounts/form-error-response.server.ts";
import { redirectWithFlash } from "../accounts/sessions/flash.server.ts";
import { parseId } from "../http/field-schemas.ts";
import { readForm } from "../http/form.server.ts";
import { Button } from "../ui/button.tsx";
import { FormAutosave } from "../ui/form-autosave/form-autosave.tsx";
import { RouteDialog } from "../ui/route-dialog.tsx";
import { ErrorSummary } from "../ui/error-summary.tsx";
import { useServerValidatedForm } from "../ui/use-server-validated-form.ts";
import { PageMeta } from "../ui/page-meta.tsx";
import { TextField } from "../ui/text-field.tsx";
import type { Route } from "./+types/edit-note";
import { NOTE_PRIVACY_HINT } from "../booking/notes/note-privacy.ts";
import { noteSchema } from "../booking/notes/note-schema.ts";
import { updateNote, findNoteWithAudit, noteNotFoundResponse } from "../booking/notes/family-notes.server.ts";

const TITLE = "Change this note";

export async function loader({ context, params }: Route.LoaderArgs) {
  const note = await findNoteWithAudit(requirePerson(context), params.id, params.note);
  if (!note) throw noteNotFoundResponse();
  return { text: note.text, returnPath: `/families/${params.id}` };
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const submission = await readForm(request, noteSchema);
  if (submission.status !== "success")
    return createFormErrorResponse(context, submission, null, { title: "The note was not changed" });
  if (!(await updateNote(requirePerson(context), params.id, params.note, submission.value.text)))
    throw noteNotFoundResponse();
  const description = `About ${await findFamilyName(parseId(params.id))}.`;
  return redirectWithFlash(context, `/families/${params.id}`, { title: "Note changed", description });
}

export default function EditNote({ loaderData: { text, returnPath }, actionData }: Route.ComponentProps) {
  const [form, fields] = useServerValidatedForm<{ text: string }>({
    lastResult: actionData?.result,
    defaultValue: { text },
  });
  const { pathname } = useLocation();
  return (
    <RouteDialog title={TITLE} closeTo={returnPath}>
      <PageMeta hasError={form.status === "error"}>{TITLE}</PageMeta>
      <ErrorSummary form={form} notice={actionData?.notice} />
      <Form method="post" id={form.id} noValidate preventScrollReset className="grid gap-4">
        <FormAutosave name={pathname} />
        <TextField field={fields.text} label="Note" hint={NOTE_PRIVACY_HINT} rows={8} />
        <Button variant="primary" busyText="Saving…" className="justify-self-start">
          Save note
        </Button>
      </Form>
    </RouteDialog>
  );
}
