import { Link } from "react-router";
import { appointmentDetailsPath, newNotePath } from "../../booking/appointment-paths.ts";
import { Badge } from "../../ui/badge.tsx";
import { LinkButton } from "../../ui/button.tsx";
import type { AppointmentDetails } from "./appointment-details.server.ts";
import { addIntakeToQuery } from "./visit-intake-query.ts";

/** Shows whose visit it is, its time and kind, and the amount due. */
export function AppointmentHeader({ details }: { details: AppointmentDetails }) {
  const { client, child, summary, badge, roomOpensAt } = details;
  return (
    <div>
      <p className="text-lg font-bold wrap-anywhere">
        {client.id === null ? (
          client.name
        ) : (
          <Link to={`/families/${client.id}`}>
            {client.name}
            <span className="sr-only">, the family</span>
          </Link>
        )}
      </p>
      {child && (
        <p className="wrap-anywhere">{[`${child.name}, ${child.age}`, child.diagnosis].filter(Boolean).join(" · ")}</p>
      )}
      <p className="flex flex-wrap items-center gap-x-2 wrap-anywhere">
        {summary} <Badge color={badge.color}>{badge.label}</Badge>
      </p>
      {roomOpensAt && <p className="text-muted">The video room opens {roomOpensAt}.</p>}
    </div>
  );
}

type IntakeAndNoteLinksProps = { details: AppointmentDetails; query: string; isIntakeOpen: boolean };

/**
 * Shows links to what the administrator reads and writes before and after the visit. `query` is the query of the
 * details page, including the question mark.
 */
export function IntakeAndNoteLinks({ details: { id, client, account }, query, isIntakeOpen }: IntakeAndNoteLinksProps) {
  if (!account || client.id === null) return null;
  const path = appointmentDetailsPath(id);
  return (
    <div className="actions" data-screen-only>
      {account.hasIntake ? (
        <LinkButton
          variant="quiet"
          to={isIntakeOpen ? `${path}${query}` : `${path}${addIntakeToQuery(query)}#intake-form`}
          preventScrollReset
        >
          {isIntakeOpen ? "Hide the intake form" : "Read the intake form"}
        </LinkButton>
      ) : (
        <p>The intake form is not filled out yet.</p>
      )}
      <LinkButton variant="quiet" to={newNotePath(client.id, id)}>
        Write a note
      </LinkButton>
    </div>
  );
}
