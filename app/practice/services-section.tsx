import { LinkButton } from "../ui/button.tsx";
import { ACCOUNT_FIRST, priceText, type Service, SERVICES } from "./facts.ts";
import { Section } from "./section.tsx";
import { bookServicePath, REQUEST_CONSULTATION_PATH } from "./site-links.ts";

export function ServicesSection({ isSignedIn }: { isSignedIn: boolean }) {
  return (
    <Section
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
        {SERVICES.map((service) => (
          <li key={service.title} className="card offer">
            <ServiceCard service={service} isSignedIn={isSignedIn} />
          </li>
        ))}
      </ul>
      <div className="mt-8 flex flex-wrap items-center gap-x-6 gap-y-3">
        <LinkButton href="#contact">Schedule Your Consultation</LinkButton>
        <p>
          Not sure which one fits? <a href={REQUEST_CONSULTATION_PATH}>Tell us what you need</a> and we will call you.
        </p>
      </div>
    </Section>
  );
}

function ServiceCard({ service, isSignedIn }: { service: Service; isSignedIn: boolean }) {
  const { title, description, features } = service;
  return (
    <>
      <div>
        <h3>{title}</h3>
        <p className="mt-2 font-display text-3xl text-ink">{priceText(service)}</p>
      </div>
      <p>{description}</p>
      <ul className="stitched">
        {features.map((feature) => (
          <li key={feature}>{feature}</li>
        ))}
      </ul>
      <RequestToBook title={title} isSignedIn={isSignedIn} />
    </>
  );
}

/** Visitors get an alert, or without JavaScript the same text on the linked page. */
function RequestToBook({ title, isSignedIn }: { title: string; isSignedIn: boolean }) {
  const label = (
    <>
      Request to Book<span className="sr-only"> {title}</span>
    </>
  );
  if (isSignedIn) return <LinkButton href={bookServicePath(title)}>{label}</LinkButton>;
  const service = encodeURIComponent(title);
  return (
    <LinkButton
      href={`/register?from=booking&service=${service}`}
      data-alert={ACCOUNT_FIRST}
      data-href={`/register?service=${service}`}
    >
      {label}
    </LinkButton>
  );
}
