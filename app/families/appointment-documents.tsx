import { personOf } from "../accounts/guards.server.ts";
import { findAppointment } from "../booking/appointments.server.ts";
import { uploadAddress } from "../documents/addresses.ts";
import { documentsOfAppointment } from "../documents/documents.server.ts";
import { ShortList } from "../documents/short-list.tsx";
import { readId } from "../http/fields.ts";
import { STATUS } from "../http/outcome.ts";
import { LinkButton } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { PageTitle } from "../ui/page-title.tsx";
import type { Route } from "./+types/appointment-documents";

const LIST = "/appointments";

/** What belongs to one appointment, from the folders of both. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const person = personOf(context);
  const found = await findAppointment(person, readId(params.id));
  if (!found.ok) throw new Response(found.message, { status: STATUS[found.reason] });
  const { id, title } = found.value;
  const documents = await documentsOfAppointment(person, id);
  return { id, title, documents };
}

export default function AppointmentDocuments({ loaderData }: Route.ComponentProps) {
  const { id, title, documents } = loaderData;
  return (
    <Dialog title={`Documents for ${title}`} closeTo={LIST}>
      <PageTitle>{`Documents for ${title}`}</PageTitle>
      {documents.length === 0 ? (
        <p>No document belongs to this appointment yet.</p>
      ) : (
        <ShortList documents={documents} />
      )}
      <LinkButton to={uploadAddress(id)} variant="primary">
        Upload a document for it
      </LinkButton>
    </Dialog>
  );
}
