import { personOf } from "../accounts/guards.server.ts";
import { redirectWith } from "../accounts/session.server.ts";
import { Confirm } from "../ui/confirm.tsx";
import { PageTitle } from "../ui/page-title.tsx";
import type { Route } from "./+types/delete-note";
import { findNote, removeNote, unknownNote } from "./notes.server.ts";

const TITLE = "Delete this note?";

export async function loader({ context, params }: Route.LoaderArgs) {
  const note = await findNote(personOf(context), params.id, params.note);
  if (!note) throw unknownNote();
  return { text: note.text, back: `/families/${params.id}` };
}

export async function action({ context, params }: Route.ActionArgs) {
  const isRemoved = await removeNote(personOf(context), params.id, params.note);
  if (!isRemoved) throw unknownNote();
  return redirectWith(context, `/families/${params.id}`, { title: "Note deleted" });
}

export default function DeleteNote({ loaderData: { text, back } }: Route.ComponentProps) {
  return (
    <>
      <PageTitle>{TITLE}</PageTitle>
      <Confirm
        title={TITLE}
        what={<span className="line-clamp-6 whitespace-pre-line wrap-anywhere">{text}</span>}
        consequence="This action cannot be undone."
        confirmText="Delete note"
        busyText="Deleting…"
        keepText="Keep note"
        closeTo={back}
      />
    </>
  );
}
