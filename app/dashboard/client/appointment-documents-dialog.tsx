import { requirePerson } from "../../accounts/guards.server.ts";
import { findAppointmentWithAudit } from "../../booking/find-appointment.server.ts";
import { uploadForAppointmentPath } from "../../documents/document-paths.ts";
import { listAppointmentDocuments } from "../../documents/documents.server.ts";
import { CompactDocumentList } from "../../documents/compact-document-list.tsx";
import { parseId } from "../../http/field-schemas.ts";
import { HTTP_STATUS } from "../../http/outcome.ts";
import { useSite } from "../../practice/site.ts";
import { LinkButton } from "../../ui/button.tsx";
import { formatDateTime } from "../../ui/format-date-time.ts";
import { RouteDialog } from "../../ui/route-dialog.tsx";
import { PageMeta } from "../../ui/page-meta.tsx";
import { ZonedTime } from "../../ui/zoned-time.tsx";
import type { Route } from "./+types/appointment-documents-dialog";

const APPOINTMENTS_PATH = "/appointments";

/** Loads the documents of one appointment, both the family's and the administrator's. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const person = requirePerson(context);
  const outcome = await findAppointmentWithAudit(person, parseId(params.id));
  if (!outcome.ok) throw new Response(outcome.message, { status: HTTP_STATUS[outcome.reason] });
  const { id, title, appointmentDate } = outcome.value;
  const documents = await listAppointmentDocuments(person, id);
  return { id, title, start: appointmentDate.toISOString(), documents };
}

export default function AppointmentDocuments({ loaderData }: Route.ComponentProps) {
  const { id, title, start, documents } = loaderData;
  const { timeZone } = useSite().practice;
  return (
    <RouteDialog
      title={`Documents for ${title}`}
      description={<ZonedTime instant={start} zone={timeZone} />}
      closeTo={APPOINTMENTS_PATH}
    >
      <PageMeta>{`Documents for ${title}, ${formatDateTime(start, timeZone)}`}</PageMeta>
      {documents.rows.length === 0 ? (
        <p>No documents for this visit yet.</p>
      ) : (
        <CompactDocumentList documents={documents} />
      )}
      <LinkButton to={uploadForAppointmentPath(id)} variant="primary">
        Add a document
      </LinkButton>
    </RouteDialog>
  );
}
