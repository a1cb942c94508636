import { lazy, Suspense } from "react";
import { Link, Outlet, useOutlet } from "react-router";
import { requirePerson } from "../../accounts/guards.server.ts";
import { getChosenService } from "../../accounts/sessions/chosen-service.server.ts";
import { mergeUnsentFormIntoQuery } from "../../accounts/sessions/unsent-form.server.ts";
import { now } from "../../clock.ts";
import { hasSubmittedIntakeForm } from "../../intake/intake-forms.server.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { PlusIcon } from "../../ui/icons.tsx";
import { lazyComponent } from "../../ui/lazy-component.ts";
import { PageMeta } from "../../ui/page-meta.tsx";
import { useRevalidateAfter } from "../../ui/use-revalidate-after.ts";
import type { Route } from "./+types/appointments";
import { APPOINTMENTS_PATH, NEW_APPOINTMENT_PATH, WAITING_LIST_PATH } from "../appointment-paths.ts";
import { FamilyAppointmentRow } from "./family-appointment-row.tsx";
import { groupFamilyAppointmentsByTime } from "./group-family-appointments.ts";
import { listOwnAppointments } from "./list-appointments.server.ts";
import { MAX_PAST_OR_CANCELED_ROWS } from "./appointment-list-limits.ts";
import { UnfinishedBookingCard } from "../resume/unfinished-booking-card.tsx";
import { findUnfinishedBookingAndIntake } from "../resume/unfinished-booking.server.ts";
import { listOpenOffers } from "../waiting-list/open-waiting-list-offers.server.ts";
import { loadBookingDialogData } from "../booking-dialog/booking-dialog-data.server.ts";

// Loaded only when needed. There is no Suspense boundary, because without scripts nothing would replace its fallback.
const ScheduleDialog = lazy(() =>
  import("../booking-dialog/booking-dialog.tsx").then((module) => ({ default: module.BookingDialog })),
);

/** Loaded on demand: few families are offered a time. */
const HeldOffersCard = lazyComponent(async () => (await import("../waiting-list/held-offers.tsx")).HeldOffersCard);

export async function loader({ context, request, url }: Route.LoaderArgs) {
  const person = requirePerson(context);
  const hasServiceParam = url.pathname === APPOINTMENTS_PATH && url.searchParams.has("service");
  const isListShown = url.pathname === APPOINTMENTS_PATH && !hasServiceParam;
  return {
    offers: isListShown ? await listOpenOffers(person) : [],
    unfinished: isListShown ? await loadUnfinishedBooking(context) : null,
    ...(await listOwnAppointments(person, (appointments) => groupFamilyAppointmentsByTime(appointments, now()))),
    schedule: hasServiceParam
      ? await loadBookingDialogData(person, await mergeUnsentFormIntoQuery(context, request, url))
      : null,
  };
}

async function loadUnfinishedBooking(context: Route.LoaderArgs["context"]) {
  const person = requirePerson(context);
  return findUnfinishedBookingAndIntake(person, {
    chosenService: getChosenService(context),
    hasIntake: await hasSubmittedIntakeForm(person),
  });
}

/** Shows a family's appointments. `?service=` opens the schedule dialog with that service. */
export default function Appointments({ loaderData }: Route.ComponentProps) {
  const { offers, unfinished, inProgress, upcoming, cancelled, past, hasOlderVisits, refreshInMs, schedule } =
    loaderData;
  const dialog = useOutlet();
  // A family that can join a visit now gets that as the primary action.
  const canJoinNow = [...inProgress, ...upcoming].some(({ offeredRoomLink: entry }) => entry);
  const isOfferPrimary = offers.length > 0 && !canJoinNow;
  const isPrimary = !canJoinNow && !isOfferPrimary && !unfinished?.booking && !unfinished?.intake;
  const hasVisits = inProgress.length + cancelled.length + past.length > 0;
  // Waiting rooms open and appointments begin while the page is open.
  useRevalidateAfter(refreshInMs);
  return (
    <main id="main" tabIndex={-1} className="page">
      {!dialog && !schedule && <PageMeta>Appointments</PageMeta>}
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h1>Appointments</h1>
        <LinkButton to={NEW_APPOINTMENT_PATH} variant={isPrimary ? "primary" : "secondary"} preventScrollReset>
          <PlusIcon /> Schedule Appointment
        </LinkButton>
      </div>
      {inProgress.length > 0 && (
        <Card title="Happening now">
          <ul className="rows">
            {inProgress.map((row) => (
              <FamilyAppointmentRow key={row.id} row={row} />
            ))}
          </ul>
        </Card>
      )}
      {offers.length > 0 && (
        <Suspense>
          <HeldOffersCard offers={offers} isPrimary={isOfferPrimary} />
        </Suspense>
      )}
      {unfinished && <UnfinishedBookingCard unfinished={unfinished} isPrimary={!canJoinNow && !isOfferPrimary} />}
      <Card title="Upcoming Appointments">
        {upcoming.length === 0 ? (
          hasVisits ? (
            <EmptyState
              illustration="calendar"
              title="No upcoming appointments"
              action={<LinkButton to={NEW_APPOINTMENT_PATH}>Book again</LinkButton>}
            />
          ) : (
            <EmptyState
              illustration="calendar"
              title="No upcoming appointments"
              text="Schedule your first consultation to get started"
            />
          )
        ) : (
          <ul className="rows">
            {upcoming.map((row) => (
              <FamilyAppointmentRow key={row.id} row={row} />
            ))}
          </ul>
        )}
      </Card>
      {cancelled.length > 0 && (
        <Card title="Canceled Appointments">
          <ul className="rows">
            {cancelled.map((row) => (
              <FamilyAppointmentRow key={row.id} row={row} />
            ))}
          </ul>
        </Card>
      )}
      {past.length > 0 && (
        <Card title="Past Appointments">
          <ul className="rows">
            {past.map((row) => (
              <FamilyAppointmentRow key={row.id} row={row} isPast />
            ))}
          </ul>
          {hasOlderVisits && (
            <p className="text-muted">
              Only your latest {MAX_PAST_OR_CANCELED_ROWS} are shown here. Please call us about older ones.
            </p>
          )}
        </Card>
      )}
      <p>
        Is the day you need full? <Link to={WAITING_LIST_PATH}>See the waiting list</Link>
      </p>
      {schedule && !dialog && <ScheduleDialog data={schedule} />}
      <Outlet />
    </main>
  );
}
