import { LinkButton } from "../ui/button.tsx";
import { ACCOUNT_REQUIRED_MESSAGE, formatServicePrice, type Service, SERVICES } from "./site-content.ts";
import { HomeSection } from "./home-section.tsx";
import { buildServiceBookingPath, REQUEST_CONSULTATION_PATH } from "./site-links.ts";

type ServicesSectionProps = { isSignedIn: boolean; nextFreeTime: string | null };

export function ServicesSection({ isSignedIn, nextFreeTime }: ServicesSectionProps) {
  return (
    <HomeSection
      id="services"
      title="Services"
      lead="Payment is due at booking. Cancel 24 hours or more ahead, and you get a full refund or a new time."
    >
      {!isSignedIn && (
        <div className="notice mb-6 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <p className="font-bold">Create an account to book an appointment</p>
          <LinkButton href="/register">Create Account</LinkButton>
        </div>
      )}
      <ul className="offers">
        {SERVICES.map((service, index) => (
          <li key={service.title} className={index === 0 ? "card offer offer-first" : "card offer"}>
            <ServiceCard service={service} isSignedIn={isSignedIn} isFirst={index === 0} nextFreeTime={nextFreeTime} />
          </li>
        ))}
      </ul>
      <div className="mt-8 flex flex-wrap items-center gap-x-6 gap-y-3">
        <div className="grid gap-1">
          <LinkButton href="#contact">Schedule Your Consultation</LinkButton>
          <p className="button-note">Call or write to us first.</p>
        </div>
        <p>
          Not sure which one fits? <a href={REQUEST_CONSULTATION_PATH}>Tell us what you need</a> and we'll call you.
        </p>
      </div>
    </HomeSection>
  );
}

type ServiceCardProps = { service: Service; isSignedIn: boolean; isFirst: boolean; nextFreeTime: string | null };

function ServiceCard({ service, isSignedIn, isFirst, nextFreeTime }: ServiceCardProps) {
  const { title, description, features } = service;
  return (
    <>
      <div>
        {isFirst && <p className="offer-ribbon">Most families start here</p>}
        <h3>{title}</h3>
        <p className="mt-2 font-display text-3xl text-ink">{formatServicePrice(service)}</p>
      </div>
      <p>{description}</p>
      <ul className="stitched">
        {features.map((feature) => (
          <li key={feature}>{feature}</li>
        ))}
      </ul>
      <div className="offer-action">
        {isFirst && nextFreeTime && (
          <p>
            Next open time: <strong>{nextFreeTime}</strong>
          </p>
        )}
        <RequestToBookButton title={title} isSignedIn={isSignedIn} />
        <p className="button-note">You pick a time{isSignedIn ? "" : ", after you create an account"}.</p>
      </div>
    </>
  );
}

/** Shows the booking button. Visitors get an alert; without JavaScript the linked page shows the same text. */
function RequestToBookButton({ title, isSignedIn }: { title: string; isSignedIn: boolean }) {
  const label = (
    <>
      Request to Book<span className="sr-only"> {title}</span>
    </>
  );
  if (isSignedIn) return <LinkButton href={buildServiceBookingPath(title)}>{label}</LinkButton>;
  const service = encodeURIComponent(title);
  return (
    <LinkButton
      href={`/register?from=booking&service=${service}`}
      data-alert={ACCOUNT_REQUIRED_MESSAGE}
      data-href={`/register?service=${service}`}
    >
      {label}
    </LinkButton>
  );
}
