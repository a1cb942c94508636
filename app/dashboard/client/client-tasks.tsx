import { appointmentDocumentsPath } from "../../booking/paths.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";

type ClientTasksProps = { hasIntake: boolean; isIntakeBegun: boolean; nextVisitId: number | null };

/** What the family can do before its next visit. Renders nothing when all is done. */
export function ClientTasks({ hasIntake, isIntakeBegun, nextVisitId }: ClientTasksProps) {
  const needsIntake = isIntakeBegun || !hasIntake;
  if (!needsIntake && nextVisitId === null) return null;
  return (
    <Card title="To do">
      <ul className="rows">
        {needsIntake && (
          <li className="row">
            <p className="min-w-0 flex-1 basis-64">
              <strong>{isIntakeBegun ? "Finish your intake form" : "Fill in the intake form"}</strong>
              <br />
              {isIntakeBegun ? "What you wrote is saved." : "About ten minutes. You can stop and finish later."}
            </p>
            <LinkButton to="/dashboard/intake-form">
              {isIntakeBegun ? "Continue" : "Start"}
              <span className="sr-only"> the intake form</span>
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
