import { useSite } from "../../practice/site.ts";
import { ZonedTime } from "../../ui/zoned-time.tsx";

type VisitNotesProps = { notes: readonly { id: number; text: string; createdAt: string }[] };

/** Shows the administrator's notes about one visit. Renders nothing when there are none. */
export function AppointmentNoteList({ notes }: VisitNotesProps) {
  const { timeZone } = useSite().practice;
  if (notes.length === 0) return null;
  return (
    <section>
      <h3 className="mb-1 text-lg">Your notes on this visit</h3>
      <ul className="rows">
        {notes.map(({ id, text, createdAt }) => (
          <li key={id} className="py-2">
            <p className="text-muted">
              <ZonedTime instant={createdAt} zone={timeZone} />
            </p>
            <p className="whitespace-pre-line wrap-anywhere">{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
