import { LinkButton } from "../ui/button.tsx";
import { zoneAbbreviation } from "../ui/format-date-time.ts";
import { createIcon, MailIcon } from "../ui/icons.tsx";
import { PhoneIcon } from "./phone-icon.tsx";
import { EMAIL_RESPONSE_TIME, EMERGENCY_AVAILABILITY, SERVICE_AREA_LINES } from "./site-content.ts";
import { formatOfficeHoursTable, type WeeklyHours } from "./office-hours.ts";
import { HomeSection } from "./home-section.tsx";
import { phoneHref, REQUEST_CONSULTATION_PATH } from "./site-links.ts";
import { useSite } from "./site.ts";

const PinIcon = createIcon(
  <>
    <path d="M12 21.25s7-6 7-11.25a7 7 0 0 0-14 0c0 5.25 7 11.25 7 11.25Z" />
    <circle cx="12" cy="10" r="2.5" />
  </>,
);

/** Any instant works, because the abbreviation of the zone is the same all year. */
const SAMPLE_INSTANT = "2026-01-01T12:00:00Z";

/** Shows how and when to reach the practice. */
export function ContactSection({ isPrimary, week }: { isPrimary: boolean; week: WeeklyHours }) {
  const { phone, email, timeZone } = useSite().practice;
  return (
    <HomeSection
      id="contact"
      title="Contact"
      className="band"
      lead="Call, write, or send a short request. A person answers."
      isLast
    >
      <div className="grid gap-10 md:grid-cols-2">
        <ul className="grid content-start gap-6">
          <li className="flex gap-4">
            <PhoneIcon className="mt-2 size-7" />
            <div>
              <h3>Phone</h3>
              <a className="band-link" href={phoneHref(phone)}>
                {phone}
              </a>
            </div>
          </li>
          <li className="flex gap-4">
            <MailIcon className="mt-2 size-7" />
            <div className="min-w-0">
              <h3>Email</h3>
              <a className="band-link" href={`mailto:${email}`}>
                {email}
              </a>
              <p>{EMAIL_RESPONSE_TIME}</p>
            </div>
          </li>
          <li className="flex gap-4">
            <PinIcon className="mt-2 size-7" />
            <div>
              <h3>Service area</h3>
              {SERVICE_AREA_LINES.map((line) => (
                <p key={line} className="mt-1">
                  {line}
                </p>
              ))}
            </div>
          </li>
          <li>
            <LinkButton variant={isPrimary ? "primary" : "secondary"} href={REQUEST_CONSULTATION_PATH}>
              Request a consultation
            </LinkButton>
            <p className="button-note mt-1">You write a few lines. We call you back.</p>
          </li>
        </ul>
        <div>
          <h3>Office hours</h3>
          <p className="mt-1">All times are {zoneAbbreviation(SAMPLE_INSTANT, timeZone)}.</p>
          <dl className="hours mt-2">
            {formatOfficeHoursTable(week).map(({ day, hours }) => (
              <div key={day}>
                <dt className="font-bold">{day}</dt>
                <dd>{hours}</dd>
              </div>
            ))}
          </dl>
          <p className="mt-4 font-bold">{EMERGENCY_AVAILABILITY}</p>
        </div>
      </div>
    </HomeSection>
  );
}
