import { Link } from "react-router";
import { AdminRow } from "../booking/admin-row.tsx";
import type { AdminRow as Row } from "../booking/admin-rows.ts";
import { useSite } from "../practice/site.ts";
import { LinkButton } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { When } from "../ui/when.tsx";
import type { FamilyPage } from "./family.server.ts";

export function FamilyAppointments({ id, coming, earlier }: Pick<FamilyPage, "id" | "coming" | "earlier">) {
  return (
    <Card
      title="Appointments"
      action={
        <LinkButton to={`/families/${id}/appointments/new`} preventScrollReset>
          Book for this family
        </LinkButton>
      }
    >
      {coming.length + earlier.length === 0 && <p>None yet.</p>}
      {coming.length > 0 && <Rows heading="Coming up" rows={coming} />}
      {earlier.length > 0 && <Rows heading="Earlier" rows={earlier} />}
    </Card>
  );
}

function Rows({ heading, rows }: { heading: string; rows: Row[] }) {
  return (
    <section>
      <h3>{heading}</h3>
      <ul className="rows">
        {rows.map((row) => (
          <AdminRow
            key={row.id}
            row={row}
            details={`/dashboard/appointments/${row.id}`}
            remove={`/dashboard/appointments/${row.id}/delete`}
          />
        ))}
      </ul>
    </section>
  );
}

export function FamilyDocuments({ documents }: Pick<FamilyPage, "documents">) {
  const { timeZone } = useSite().practice;
  return (
    <Card title="Documents" action={<LinkButton to="/documents">All documents</LinkButton>}>
      {documents.length === 0 && <p>None yet.</p>}
      <ul className="rows">
        {documents.map(({ id, fileName, size, description, uploadedAt }) => (
          <li key={id} className="row">
            <strong>
              <bdi>{fileName}</bdi>
            </strong>
            {description && <span className="wrap-anywhere">{description}</span>}
            <span className="text-muted">
              {size}, <When instant={uploadedAt} zone={timeZone} />
            </span>
            <span className="actions row-end">
              <LinkButton variant="quiet" href={`/api/documents/${id}`} target="_blank" rel="noopener noreferrer">
                View<span className="sr-only"> {fileName}</span>
              </LinkButton>
              <LinkButton variant="quiet" href={`/api/documents/${id}/download`}>
                Download<span className="sr-only"> {fileName}</span>
              </LinkButton>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

export function FamilyPayments({ payments }: Pick<FamilyPage, "payments">) {
  const { timeZone } = useSite().practice;
  return (
    <Card title="Payments">
      {payments.length === 0 && <p>None yet.</p>}
      <ul className="rows">
        {payments.map(({ id, amount, refunded, method, at, appointment }) => (
          <li key={id} className="row">
            <span className="font-bold">{amount}</span>
            <span>{method}</span>
            <span className="text-muted">
              <When instant={at} zone={timeZone} />
            </span>
            {refunded && <span>{refunded} went back</span>}
            <span className="row-end wrap-anywhere">
              {appointment ? (
                <Link to={`/dashboard/appointments/${appointment.id}`}>{appointment.title}</Link>
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
