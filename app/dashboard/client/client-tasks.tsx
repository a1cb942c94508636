import { appointmentDocumentsPath } from "../../booking/paths.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { formatLongDay } from "../../ui/dates.ts";

type ClientTasksProps = {
  needsIntake: boolean;
  needsEmailConfirmation: boolean;
  nextVisitId: number | null;
  /** What the consultant planned with the family. */
  followUps: readonly { id: number; text: string; dueDay: string }[];
  /** Whether the first of its buttons is the next thing to do on the page. */
  isPrimary: boolean;
};

/** What the family planned with the consultant, and can do before its next visit. Renders nothing when all is done. */
export function ClientTasks({
  needsIntake,
  needsEmailConfirmation,
  nextVisitId,
  followUps,
  isPrimary,
}: ClientTasksProps) {
  if (!needsIntake && !needsEmailConfirmation && nextVisitId === null && followUps.length === 0) return null;
  return (
    <Card title="To do">
      <ul className="rows">
        {followUps.map(({ id, text, dueDay }) => (
          <li key={id} className="row">
            <p className="min-w-0 flex-1 basis-64">
              <strong className="wrap-anywhere">{text}</strong>
              <br />
              By {formatLongDay(dueDay)}
            </p>
          </li>
        ))}
        {needsIntake && (
          <li className="row">
            <p className="min-w-0 flex-1 basis-64">
              <strong>Fill in the intake form</strong>
              <br />
              About 10 minutes. You can stop and finish later.
            </p>
            <LinkButton to="/dashboard/intake-form" variant={isPrimary ? "primary" : "secondary"}>
              Start<span className="sr-only"> the intake form</span>
            </LinkButton>
          </li>
        )}
        {needsEmailConfirmation && (
          <li className="row">
            <p className="min-w-0 flex-1 basis-64">
              <strong>Confirm your email address</strong>
              <br />
              Use the link we emailed you, so that our reminders reach you.
            </p>
            <LinkButton to="/messages" variant={isPrimary && !needsIntake ? "primary" : "secondary"}>
              Confirm your email
            </LinkButton>
          </li>
        )}
        {nextVisitId !== null && (
          <li className="row">
            <p className="min-w-0 flex-1 basis-64">
              <strong>Upload papers for your next visit</strong>
              <br />
              School letters, evaluations or plans, if you have them.
            </p>
            <LinkButton to={appointmentDocumentsPath(nextVisitId)}>
              Upload<span className="sr-only"> papers for your next visit</span>
            </LinkButton>
          </li>
        )}
      </ul>
    </Card>
  );
}
