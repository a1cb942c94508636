import { findFamilyName } from "../accounts/family-names.server.ts";
import { requirePerson } from "../accounts/guards.server.ts";
import { redirectWithFlash } from "../accounts/sessions/flash.server.ts";
import { parseId } from "../http/field-schemas.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { truncateWithEllipsis } from "../excerpt.ts";
import { PageMeta } from "../ui/page-meta.tsx";
import type { Route } from "./+types/delete-note";
import { findNoteWithAudit, deleteNote, noteNotFoundResponse } from "../booking/notes/family-notes.server.ts";

const TITLE = "Delete this note?";
/** Maximum length of the excerpt that identifies the note, in characters. */
const MAX_EXCERPT_LENGTH = 200;

export async function loader({ context, params }: Route.LoaderArgs) {
  const note = await findNoteWithAudit(requirePerson(context), params.id, params.note);
  if (!note) throw noteNotFoundResponse();
  return { text: truncateWithEllipsis(note.text, MAX_EXCERPT_LENGTH), returnPath: `/families/${params.id}` };
}

export async function action({ context, params }: Route.ActionArgs) {
  const isDeleted = await deleteNote(requirePerson(context), params.id, params.note);
  if (!isDeleted) throw noteNotFoundResponse();
  const description = `It was about ${await findFamilyName(parseId(params.id))}.`;
  return redirectWithFlash(context, `/families/${params.id}`, { title: "Note deleted", description });
}

export default function DeleteNote({ loaderData: { text, returnPath } }: Route.ComponentProps) {
  return (
    <>
      <PageMeta>{TITLE}</PageMeta>
      <ConfirmDialog
        title={TITLE}
        subject={<span className="whitespace-pre-line">{text}</span>}
        consequence="This action cannot be undone."
        confirmText="Delete note"
        busyText="Deleting…"
        cancelText="Keep note"
        closeTo={returnPath}
      />
    </>
  );
}
