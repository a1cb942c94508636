import { Link } from "react-router";
import { appointmentDetailsPath, buildReturnPathQuery } from "../booking/appointment-paths.ts";
import { AdminAppointmentSection } from "../booking/appointment-list/admin-appointment-section.tsx";
import { DocumentBadges, SharingButton } from "../documents/document-sharing.tsx";
import { DocumentDescription } from "../documents/expandable-document-description.tsx";
import { deleteDocumentPath, DOCUMENTS_PATH, uploadForFamilyPath } from "../documents/document-paths.ts";
import { DownloadDocumentLink, ViewDocumentLink } from "../documents/document-links.tsx";
import { useSite } from "../practice/site.ts";
import { LinkButton } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { TrashIcon } from "../ui/icons.tsx";
import { SeparatedList } from "../ui/separated-list.tsx";
import { ZonedTime } from "../ui/zoned-time.tsx";
import { BookNextVisitForm } from "./book-next-visit-form.tsx";
import type { FamilyPageData } from "./family-page-data.server.ts";

type FamilyAppointmentsProps = Pick<FamilyPageData, "id" | "upcoming" | "past" | "bookAgain">;

export function FamilyAppointments({ id, upcoming, past, bookAgain }: FamilyAppointmentsProps) {
  const query = buildReturnPathQuery(`/families/${id}`);
  const scheduled = upcoming.filter(({ isCancelled }) => !isCancelled);
  const canceled = upcoming.filter(({ isCancelled }) => isCancelled);
  return (
    <Card
      title="Appointments"
      action={
        <LinkButton to={`/families/${id}/appointments/new`} preventScrollReset>
          Book for this family
        </LinkButton>
      }
    >
      {upcoming.length + past.length === 0 && <p>None yet.</p>}
      {scheduled.length > 0 && (
        <AdminAppointmentSection heading="Coming up" rows={scheduled} filterQuery={query} hidesClientName />
      )}
      {canceled.length > 0 && (
        <AdminAppointmentSection heading="Canceled" rows={canceled} filterQuery={query} hidesClientName />
      )}
      {bookAgain && <BookNextVisitForm familyId={id} bookAgain={bookAgain} />}
      {past.length > 0 && <AdminAppointmentSection heading="Earlier" rows={past} filterQuery={query} hidesClientName />}
    </Card>
  );
}

type FamilyDocumentsProps = Pick<FamilyPageData, "id" | "email" | "documents" | "hasMoreDocuments">;

export function FamilyDocuments({ id: familyId, email, documents, hasMoreDocuments }: FamilyDocumentsProps) {
  const { timeZone } = useSite().practice;
  return (
    <Card
      title="Documents"
      action={
        <LinkButton to={uploadForFamilyPath(familyId)} preventScrollReset>
          Upload for this family
        </LinkButton>
      }
    >
      {documents.length === 0 && <p>None yet.</p>}
      <ul className="rows">
        {documents.map((row) => (
          <li key={row.id} className="row">
            <div className="min-w-0 flex-1 basis-72">
              <p className="font-bold wrap-anywhere">
                <bdi>{row.fileName}</bdi>
              </p>
              <DocumentBadges row={row} />
              {row.virusText && <p className="text-danger">{row.virusText}</p>}
              <DocumentDescription row={row} />
              <p className="text-muted">
                <SeparatedList items={[row.size, <ZonedTime key="when" instant={row.uploadedAt} zone={timeZone} />]} />
              </p>
            </div>
            <div className="row-actions">
              {!row.virusText && <ViewDocumentLink row={row} />}
              {!row.virusText && <DownloadDocumentLink row={row} />}
              <SharingButton row={row} returnsToFamily />
              <LinkButton to={deleteDocumentPath(row.id, true)} variant="quiet">
                <TrashIcon className="size-5" /> Delete
                <span className="sr-only"> {row.fileName}</span>
              </LinkButton>
            </div>
          </li>
        ))}
      </ul>
      {hasMoreDocuments && (
        <LinkButton variant="quiet" to={`${DOCUMENTS_PATH}?${new URLSearchParams({ q: email })}`}>
          All documents of this family
        </LinkButton>
      )}
    </Card>
  );
}

export function FamilyPayments({ id: familyId, payments }: Pick<FamilyPageData, "id" | "payments">) {
  const { timeZone } = useSite().practice;
  return (
    <Card title="Payments">
      {payments.length === 0 && <p>None yet.</p>}
      <ul className="rows">
        {payments.map(({ id, amount, refunded, method, paidAt, appointment }) => (
          <li key={id} className="row">
            <div className="min-w-0 flex-1 basis-72">
              <p>
                <SeparatedList items={[<b key="amount">{amount}</b>, method, refunded && `${refunded} went back`]} />
              </p>
              <p className="text-muted">
                <ZonedTime instant={paidAt} zone={timeZone} />
              </p>
            </div>
            <span className="wrap-anywhere">
              {appointment ? (
                <Link to={`${appointmentDetailsPath(appointment.id)}${buildReturnPathQuery(`/families/${familyId}`)}`}>
                  {appointment.title}
                  <span className="sr-only">, payment {id}</span>
                </Link>
              ) : (
                "Its appointment was deleted"
              )}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
