import { Link, redirect } from "react-router";
import { isEmailUnconfirmed } from "../../accounts/email/unconfirmed-email.server.ts";
import { requirePerson } from "../../accounts/guards.server.ts";
import { now } from "../../clock.ts";
import { env } from "../../env.server.ts";
import { parseId } from "../../http/field-schemas.ts";
import { HTTP_STATUS } from "../../http/outcome.ts";
import { ConsultantByline } from "../../practice/consultant-introduction.tsx";
import { useSite } from "../../practice/site.ts";
import { TextWithPhone } from "../../practice/text-with-phone.tsx";
import { ROOM_LINK_LABELS } from "../room-hours.ts";
import { Badge } from "../../ui/badge.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { formatDateTime, formatTimeWithZone } from "../../ui/format-date-time.ts";
import { mailMode } from "../../mail/mail-transport.server.ts";
import { CalendarIcon, CheckIcon, VideoIcon } from "../../ui/icons.tsx";
import { formatCents } from "../../ui/format-currency.ts";
import { offlinePaymentText } from "../prices/offline-payment-text.ts";
import { PageMeta } from "../../ui/page-meta.tsx";
import { useRevalidateAfter } from "../../ui/use-revalidate-after.ts";
import type { Route } from "./+types/booking-confirmation";
import { findAppointment, recordAppointmentOpened } from "../find-appointment.server.ts";
import { toBookedVisitDetails } from "./booked-visit-details.ts";
import { inPersonPlaceText } from "../meeting-place.server.ts";
import { MoveByPhoneNotice } from "../move/move-by-phone-notice.tsx";
import {
  APPOINTMENTS_PATH,
  appointmentDocumentsPath,
  calendarFilePath,
  familyCancelPath,
  deviceCheckPath,
  familyMovePath,
  visitQuestionsPath,
  videoCallPath,
} from "../appointment-paths.ts";
import { hasVisitAnswers } from "../visit-answers/visit-answers.server.ts";
import { VisitTime } from "../visit-time.tsx";

type BookedVisit = Route.ComponentProps["loaderData"];

export async function loader({ context, params }: Route.LoaderArgs) {
  const person = requirePerson(context);
  const found = await findAppointment(person, parseId(params.id));
  if (!found.ok) throw new Response(found.message, { status: HTTP_STATUS.notFound, statusText: "Not Found" });
  const details = toBookedVisitDetails(found.value, now(), env.practice.timeZone);
  if (found.value.status === "cancelled" || details.timeStatus === "past") throw redirect(APPOINTMENTS_PATH);
  await recordAppointmentOpened(found.value);
  const email = mailMode === "none" ? null : { address: person.email, isUnconfirmed: isEmailUnconfirmed(context) };
  const isAnswered = await hasVisitAnswers(found.value.id);
  return { ...details, place: inPersonPlaceText(found.value, now()), email, isAnswered };
}

/** Shows the confirmation of a booked or moved visit: when, how to meet, what was paid, and the available actions. */
export default function BookingConfirmation({ loaderData: visit }: Route.ComponentProps) {
  const { timeZone } = useSite().practice;
  const heading = headingOf(visit);
  // The waiting room opens while the page is open.
  useRevalidateAfter(visit.refreshInMs);
  return (
    <main id="main" tabIndex={-1} className="page booked">
      <PageMeta>{`${heading}: ${visit.title}, ${formatDateTime(visit.start, timeZone)}`}</PageMeta>
      <h1 className="flex items-center gap-3">
        <span className="booked-check">
          <CheckIcon className="size-7" />
        </span>
        {heading}
      </h1>
      <div role="region" className="card" aria-label="Your visit">
        <div>
          <p className="text-muted wrap-anywhere">{visit.title}</p>
          <VisitTime start={visit.start} end={visit.end} />
          {visit.lengthToConfirm && <p>{visit.lengthToConfirm}.</p>}
        </div>
        <p aria-live="polite" className="wrap-anywhere">
          <MeetingPlace visit={visit} />
        </p>
        <p className="actions">
          {visit.offeredRoomLink && (
            <LinkButton to={videoCallPath(visit.id)} variant="primary" className="max-sm:w-full">
              <VideoIcon /> {ROOM_LINK_LABELS[visit.offeredRoomLink]}
            </LinkButton>
          )}
          <LinkButton
            href={calendarFilePath(visit.id)}
            variant={visit.offeredRoomLink ? "secondary" : "primary"}
            className="max-sm:w-full"
          >
            <CalendarIcon /> Add to calendar
          </LinkButton>
        </p>
        <ConsultantByline />
        <dl className="facts">
          <dt>Payment</dt>
          <dd>
            <PaymentSummary visit={visit} />
          </dd>
          <dt>Reference</dt>
          <dd>{visit.id}</dd>
        </dl>
        {visit.email && (
          <p className="wrap-anywhere">
            We email about this visit to {visit.email.address}.{" "}
            {visit.email.isUnconfirmed && <a href="/change-email">Wrong address? Change it</a>}
          </p>
        )}
      </div>
      <section className="card" aria-labelledby="before">
        <h2 id="before" className="text-xl">
          Before we talk
        </h2>
        <ul className="list-disc space-y-2 pl-6">
          <li>Find the papers you have: school letters, evaluations, an IEP or 504 plan. None yet? That's fine.</li>
          {visit.kind !== "in-person" && <li>Pick a quiet spot, and charge your phone or laptop.</li>}
          {visit.isAnswered && <li>You have answered the three questions.</li>}
        </ul>
        <p className="actions">
          <LinkButton to={appointmentDocumentsPath(visit.id)} className="max-sm:w-full">
            Add a document
          </LinkButton>
          {visit.kind === "video" && !visit.offeredRoomLink && (
            <LinkButton to={deviceCheckPath(visit.id)} className="scripted max-sm:w-full">
              Check your camera and sound
            </LinkButton>
          )}
          <LinkButton to={visitQuestionsPath(visit.id)} className="max-sm:w-full">
            {visit.isAnswered ? "Change your answers" : "Answer three questions"}
          </LinkButton>
        </p>
      </section>
      <ChangeAndCancelSection visit={visit} />
      <p>
        <Link to={APPOINTMENTS_PATH} className="button button-quiet -ml-3">
          All your appointments
        </Link>
      </p>
    </main>
  );
}

function headingOf({ isMoved, offeredRoomLink }: BookedVisit): string {
  if (offeredRoomLink) return offeredRoomLink === "join-now" ? "Your visit is now" : "Your visit starts soon";
  return isMoved ? "Your visit is moved" : "You are booked";
}

function MeetingPlace({ visit: { kind, meetingLink, roomOpensAt, place, offeredRoomLink } }: { visit: BookedVisit }) {
  const { timeZone } = useSite().practice;
  if (offeredRoomLink) return "Video visit, on this site. The room is open.";
  if (kind === "video")
    return (
      <>
        Video visit, on this site. The <strong>Waiting Room</strong> button appears here and on your dashboard at{" "}
        {formatTimeWithZone(roomOpensAt, timeZone)}.
      </>
    );
  if (kind === "link" && meetingLink)
    return (
      <>
        Online meeting:{" "}
        <a href={meetingLink} target="_blank" rel="noopener noreferrer" className="wrap-anywhere">
          Join Meeting<span className="sr-only"> (opens in a new tab)</span>
        </a>
      </>
    );
  return <TextWithPhone text={place} />;
}

function PaymentSummary({
  visit: { kind, paidCents, unpaidCents, isSettling, isPaid, receipts },
}: {
  visit: BookedVisit;
}) {
  if (isSettling) return "Your card payment is being confirmed. It will show here in a minute.";
  if (receipts.length === 0) return unpaidCents > 0 ? offlinePaymentText(kind, unpaidCents) : "Nothing to pay";
  return (
    <>
      {formatCents(paidCents)} {isPaid ? <Badge color="green">PAID</Badge> : "paid"}{" "}
      {receipts.map((id) => (
        <Link key={id} to={`/receipts/${id}`}>
          Receipt
        </Link>
      ))}
    </>
  );
}

/** Explains moving and canceling, and what they cost. */
function ChangeAndCancelSection({ visit }: { visit: BookedVisit }) {
  if (!visit.canCancel) return null;
  return (
    <section className="card" aria-labelledby="changes">
      <h2 id="changes" className="text-xl">
        Need to change it?
      </h2>
      <p>{visit.moveAndCancellationTerms}</p>
      {visit.isMovableByPhoneOnly && <MoveByPhoneNotice />}
      <p className="actions">
        {visit.canMove && <LinkButton to={familyMovePath(visit.id)}>Move this visit</LinkButton>}
        <LinkButton to={familyCancelPath(visit.id)} variant="quiet" className="max-sm:-ml-3">
          Cancel this visit
        </LinkButton>
      </p>
    </section>
  );
}
