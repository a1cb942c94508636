import type { ReactNode } from "react";
import type { FormErrorData } from "../accounts/form-error-response.server.ts";
import { buildReturnPathQuery, familyIntakeFormPath } from "../booking/appointment-paths.ts";
import { SubmittedIntakeForm } from "../intake/submitted-intake-form.tsx";
import { LinkButton } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { PageMeta } from "../ui/page-meta.tsx";
import { FamilyAppointments, FamilyDocuments, FamilyPayments } from "./family-page-cards.tsx";
import { FamilyConsents } from "./family-consents.tsx";
import { AccountCard, FamilyHeader } from "./family-header.tsx";
import type { FamilyPageData } from "./family-page-data.server.ts";
import { FamilyFollowUps } from "./family-follow-ups.tsx";
import { FamilyNotes } from "./family-notes.tsx";

type FamilyPageProps = { family: FamilyPageData; formError?: FormErrorData; dialog: ReactNode };

/** The administrator's page of one family. Also shown behind a dialog that was opened from it. */
export function FamilyPage({ family, formError, dialog }: FamilyPageProps) {
  return (
    <main id="main" tabIndex={-1} className="page">
      {!dialog && <PageMeta hasError={formError?.result.status === "error"}>{family.name}</PageMeta>}
      <h1 className="wrap-anywhere">{family.name}</h1>
      <FamilyHeader family={family} />
      {family.profile && family.profile.concerns.length > 0 && (
        <Card title="Concerns">
          <ul className="list-disc space-y-1 pl-5 wrap-anywhere">
            {family.profile.concerns.map((concern) => (
              <li key={concern}>{concern}</li>
            ))}
          </ul>
        </Card>
      )}
      <div id="notes">
        <FamilyNotes familyId={family.id} {...family} formError={formError} />
      </div>
      <div id="follow-ups">
        <FamilyFollowUps familyId={family.id} followUps={family.followUps} />
      </div>
      <div id="documents">
        <FamilyDocuments {...family} />
      </div>
      <FamilyAppointments {...family} />
      <FamilyPayments id={family.id} payments={family.payments} />
      <Card title="Intake form">
        <FamilyIntakeForm {...family} />
      </Card>
      <div id="agreements">
        <FamilyConsents familyId={family.id} consents={family.consents} />
      </div>
      <AccountCard family={family} />
      {dialog}
    </main>
  );
}

/** What is new is opened by itself: this page alone does not take it off the list of what is unread. */
function FamilyIntakeForm({ id, intake, isIntakeUnread }: FamilyPageData) {
  if (!intake) return <p>This family has not filled it out yet.</p>;
  if (isIntakeUnread)
    return (
      <LinkButton to={familyIntakeFormPath(id, buildReturnPathQuery(`/families/${id}`))} preventScrollReset>
        Read the new answers
      </LinkButton>
    );
  return (
    <details className="disclosure">
      <summary>Read the whole form</summary>
      <SubmittedIntakeForm summary={intake} />
    </details>
  );
}
