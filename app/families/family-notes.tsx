import { Form, Link } from "react-router";
import type { FormErrorData } from "../accounts/form-error-response.server.ts";
import { appointmentDetailsPath, buildReturnPathQuery } from "../booking/appointment-paths.ts";
import { NOTE_PRIVACY_HINT } from "../booking/notes/note-privacy.ts";
import { useSite } from "../practice/site.ts";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { SelectField } from "../ui/choice-fields.tsx";
import { formatShortDate } from "../ui/format-date-time.ts";
import { ErrorSummary } from "../ui/error-summary.tsx";
import { TrashIcon } from "../ui/icons.tsx";
import { FormAutosave } from "../ui/form-autosave/form-autosave.tsx";
import { ZonedTime } from "../ui/zoned-time.tsx";
import { Pagination } from "../ui/pagination.tsx";
import { useServerValidatedForm } from "../ui/use-server-validated-form.ts";
import { TextField } from "../ui/text-field.tsx";

type Note = { id: number; text: string; createdAt: string; visit: { id: number; start: string } | null };
type NotesPage = { rows: Note[]; page: number; pageCount: number };
type NotesProps = {
  familyId: number;
  name: string;
  notes: NotesPage;
  /** The visits that a new note can be about, and the one that is chosen. */
  noteVisits: readonly { id: number; label: string }[];
  noteVisitId: number | null;
  formError?: FormErrorData;
};

/** Shows the administrator's private notes about the family. */
export function FamilyNotes({ familyId, name, notes, noteVisits, noteVisitId, formError }: NotesProps) {
  const { rows, page, pageCount } = notes;
  const { timeZone } = useSite().practice;
  const [form, fields] = useServerValidatedForm<{ text: string; visit: string }>({
    id: `note-${rows[0]?.id ?? 0}-${noteVisitId ?? 0}`,
    lastResult: formError?.result,
    defaultValue: { visit: noteVisitId === null ? "" : String(noteVisitId) },
  });
  return (
    <Card title="Private notes">
      <ul className="rows">
        {rows.map((note) => (
          <li key={note.id} className="row items-start">
            <div className="min-w-0 flex-1 basis-72">
              <p className="text-muted">
                <ZonedTime instant={note.createdAt} zone={timeZone} />
                {note.visit && (
                  <>
                    {" · "}
                    <Link
                      to={`${appointmentDetailsPath(note.visit.id)}${buildReturnPathQuery(`/families/${familyId}`)}`}
                    >
                      Visit of {formatShortDate(note.visit.start, timeZone)}
                      <span className="sr-only">, note {note.id}</span>
                    </Link>
                  </>
                )}
              </p>
              <p className="whitespace-pre-line wrap-anywhere">{note.text}</p>
            </div>
            <div className="row-actions">
              <Link
                to={`/families/${familyId}/notes/${note.id}/edit`}
                preventScrollReset
                className="button button-quiet"
                aria-label={`Change the note: ${note.text.slice(0, 40)}`}
              >
                Change
              </Link>
              <Link
                to={`/families/${familyId}/notes/${note.id}/delete`}
                preventScrollReset
                className="button button-quiet button-icon"
                aria-label={`Delete the note: ${note.text.slice(0, 40)}`}
              >
                <TrashIcon />
              </Link>
            </div>
          </li>
        ))}
      </ul>
      <Pagination page={page} pageCount={pageCount} label="Pages of notes" path={`/families/${familyId}`} />
      <p>{NOTE_PRIVACY_HINT}</p>
      <ErrorSummary form={form} notice={formError?.notice} />
      <Form
        key={form.id}
        method="post"
        action={`/families/${familyId}`}
        id={form.id}
        noValidate
        preventScrollReset
        className="grid gap-3"
      >
        <FormAutosave name={`/families/${familyId}`} />
        <div id="new-note">
          <TextField field={fields.text} label={`New note about ${name}`} rows={3} />
        </div>
        {noteVisits.length > 0 && (
          // What the address or the day says counts, not what was chosen on an earlier page.
          <div data-skip-restore={noteVisitId === null ? undefined : ""}>
            <SelectField
              field={fields.visit}
              label="About"
              options={[
                { value: "", label: "No visit in particular" },
                ...noteVisits.map(({ id, label }) => ({ value: String(id), label })),
              ]}
              optional
            />
          </div>
        )}
        <Button busyText="Saving…" className="justify-self-start">
          Save note
        </Button>
      </Form>
    </Card>
  );
}
