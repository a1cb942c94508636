import { ROOM_LINK_LABELS } from "../../booking/room-hours.ts";
import { LinkButton } from "../../ui/button.tsx";
import type { WelcomeData } from "./welcome.server.ts";

/** Greets a signed-in person on the public page, with one button for the next step. */
export function WelcomeBanner({ welcome }: { welcome: WelcomeData }) {
  return (
    <div role="region" aria-label="Welcome" className="welcome">
      {welcome.role === "administrator" ? <AdminDayGreeting {...welcome} /> : <FamilyGreeting {...welcome} />}
    </div>
  );
}

function AdminDayGreeting({ visits, requests, next }: Extract<WelcomeData, { role: "administrator" }>) {
  return (
    <>
      <div className="min-w-0">
        <p className="font-display text-xl text-ink">
          Your day: {countText(visits, "visit")}, {countText(requests, "request")}
        </p>
        {next && (
          <p className="text-muted wrap-anywhere">
            {next.isOngoing ? "Now" : "Next"}: {next.text}
          </p>
        )}
      </div>
      <p className="actions">
        {next?.callPath && (
          <LinkButton variant="primary" href={next.callPath}>
            Join
          </LinkButton>
        )}
        <LinkButton variant={next?.callPath ? "secondary" : "primary"} href="/dashboard">
          Go to your dashboard
        </LinkButton>
      </p>
    </>
  );
}

function FamilyGreeting({ firstName, isFirstVisit, booking, visit }: Extract<WelcomeData, { role: "client" }>) {
  return (
    <>
      <div className="min-w-0">
        <p className="font-display text-xl text-ink">
          {isFirstVisit ? "Welcome" : "Welcome back"}, {firstName}.
        </p>
        {visit && (
          <p className="text-muted">
            {visit.isOngoing ? "Your visit now" : "Your next visit"}: {visit.text}
          </p>
        )}
        {booking?.time && !visit?.roomLink && <p className="text-muted">{booking.time.text}</p>}
      </div>
      {visit?.roomLink ? (
        <p className="actions">
          <LinkButton variant="primary" href={visit.callPath}>
            {ROOM_LINK_LABELS[visit.roomLink]}
          </LinkButton>
          <LinkButton href="/dashboard">Go to your dashboard</LinkButton>
        </p>
      ) : booking ? (
        <LinkButton variant="primary" href={booking.path}>
          {booking.time?.isUnavailable
            ? "Pick a new time"
            : `Continue booking your ${booking.title === "Your visit" ? "visit" : booking.title}`}
        </LinkButton>
      ) : (
        <LinkButton href="/dashboard">Go to your dashboard</LinkButton>
      )}
    </>
  );
}

function countText(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
