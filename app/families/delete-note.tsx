import { requirePerson } from "../accounts/guards.server.ts";
import { redirectWithFlash } from "../accounts/session.server.ts";
import { ConfirmDialog } from "../ui/confirm.tsx";
import { PageTitle } from "../ui/page-title.tsx";
import type { Route } from "./+types/delete-note";
import { findNote, removeNote, unknownNote } from "./notes.server.ts";

const TITLE = "Delete this note?";
/** Enough to know it by. */
const MOST_OF_IT = 200;

export async function loader({ context, params }: Route.LoaderArgs) {
  const note = await findNote(requirePerson(context), params.id, params.note);
  if (!note) throw unknownNote();
  const start = [...note.text].slice(0, MOST_OF_IT).join("");
  return { text: start === note.text ? start : `${start.trimEnd()}…`, back: `/families/${params.id}` };
}

export async function action({ context, params }: Route.ActionArgs) {
  const isRemoved = await removeNote(requirePerson(context), params.id, params.note);
  if (!isRemoved) throw unknownNote();
  return redirectWithFlash(context, `/families/${params.id}`, { title: "Note deleted" });
}

export default function DeleteNote({ loaderData: { text, back } }: Route.ComponentProps) {
  return (
    <>
      <PageTitle>{TITLE}</PageTitle>
      <ConfirmDialog
        title={TITLE}
        subject={<span className="whitespace-pre-line">{text}</span>}
        consequence="This action cannot be undone."
        confirmText="Delete note"
        busyText="Deleting…"
        cancelText="Keep note"
        closeTo={back}
      />
    </>
  );
}
