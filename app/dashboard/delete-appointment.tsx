import { useLocation } from "react-router";
import { requirePerson } from "../accounts/guards.server.ts";
import { redirectWithFlash } from "../accounts/session.server.ts";
import { adminRow } from "../booking/admin-rows.ts";
import { findAppointment } from "../booking/appointments.server.ts";
import { dueOnDeleting, findPaidOnline, remove } from "../booking/cancel.server.ts";
import { refundMessage } from "../booking/cancellation.ts";
import { dollars } from "../booking/money.ts";
import { now } from "../clock.ts";
import { parseId } from "../http/fields.ts";
import { useSite } from "../practice/site.ts";
import { ConfirmDialog } from "../ui/confirm.tsx";
import { formatDateTime } from "../ui/dates.ts";
import { PageTitle } from "../ui/page-title.tsx";
import { When } from "../ui/when.tsx";
import type { Route } from "./+types/delete-appointment";
import { dashboardAddress } from "./filters.ts";
import { notFound } from "./not-found.ts";

const TITLE = "Delete this appointment?";

export async function loader({ context, params }: Route.LoaderArgs) {
  const found = await findAppointment(requirePerson(context), parseId(params.id));
  if (!found.ok) throw notFound(found.message);
  const { client, title } = adminRow(found.value, now());
  const name = client.account ? `${client.name} (account: ${client.account})` : client.name;
  const paid = await findPaidOnline(found.value.id);
  const due = paid ? dueOnDeleting(found.value, paid, now()) : 0;
  const money = due > 0 ? ` ${dollars(due)} goes back to the card.` : paid ? " Nothing goes back to the card." : "";
  return {
    what: `${name}: ${title}`,
    start: found.value.appointmentDate,
    consequence: `This action cannot be undone. It also disappears from the family's list, and nobody is told.${money}`,
  };
}

export async function action({ context, params, url }: Route.ActionArgs) {
  const done = await remove(requirePerson(context), parseId(params.id));
  const back = dashboardAddress(url.search);
  if (done.ok) {
    return redirectWithFlash(context, back, {
      title: "Appointment Deleted",
      description: `${done.value.appointment.title}${refundMessage(done.value) || "."}`,
    });
  }
  return redirectWithFlash(context, back, {
    title: "Delete Failed",
    description: `Failed to delete appointment. Please try again. ${done.message}`,
    style: "destructive",
  });
}

export default function DeleteAppointment({ loaderData: { what, start, consequence } }: Route.ComponentProps) {
  const { search } = useLocation();
  const { timeZone } = useSite().practice;
  return (
    <>
      <PageTitle>{`${TITLE} ${what}, ${formatDateTime(start, timeZone)}`}</PageTitle>
      <ConfirmDialog
        title={TITLE}
        subject={
          <>
            {what}, <When instant={start} zone={timeZone} inSentence />
          </>
        }
        consequence={consequence}
        confirmText="Delete appointment"
        busyText="Deleting…"
        cancelText="Keep appointment"
        closeTo={dashboardAddress(search)}
      />
    </>
  );
}
