import { Form, Link } from "react-router";
import { requirePerson } from "../../accounts/guards.server.ts";
import { EmailLink, PhoneLink } from "../../practice/contact-links.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { PageMeta } from "../../ui/page-meta.tsx";
import type { Route } from "./+types/choose-client";
import { calendarOriginPath } from "./calendar-paths.ts";
import { loadClientAndRequestChoices } from "./booking-client-choices.server.ts";

const TITLE = "New appointment";

export function loader({ context, url }: Route.LoaderArgs) {
  return loadClientAndRequestChoices(requirePerson(context), url.searchParams);
}

/** Selects for whom an appointment is booked: a family with an account, or an open request. */
export default function ChooseClient({ loaderData }: Route.ComponentProps) {
  const { origin, day, time, when, search, families, hasMoreFamilies, requests, requestCount } = loaderData;
  const returnPath = calendarOriginPath(origin);
  const query = new URLSearchParams({ ...(day ? { date: day } : {}), ...(time ? { time } : {}), from: returnPath });
  return (
    <main id="main" tabIndex={-1} className="page">
      <PageMeta>{when ? `${TITLE}: ${when}` : TITLE}</PageMeta>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div>
          <h1>{TITLE}</h1>
          {when && <p className="mt-1 text-lg font-bold">{when}</p>}
        </div>
        <LinkButton to={returnPath}>Back to the calendar</LinkButton>
      </div>
      <div className="grid gap-5 lg:grid-cols-2 lg:items-start">
        <Card title="Book for a family">
          <Form method="get" role="search" className="flex flex-wrap items-end gap-3">
            <input type="hidden" name="view" value={origin.view} />
            <input type="hidden" name="day" value={origin.day} />
            {time && <input type="hidden" name="time" value={time} />}
            {origin.showsEarlier && <input type="hidden" name="earlier" value="" />}
            <div className="field min-w-0 flex-1 basis-56">
              <label className="label" htmlFor="family-search">
                Find a family
              </label>
              <p className="hint" id="family-search-hint">
                A name, a child's name, an email address or a phone number.
              </p>
              <input
                key={search}
                id="family-search"
                type="search"
                name="q"
                className="input"
                defaultValue={search}
                maxLength={100}
                autoComplete="off"
                aria-describedby="family-search-hint"
              />
            </div>
            <Button>Search</Button>
          </Form>
          <p role="status" className="hint">
            {describeFamilies(families.length, hasMoreFamilies, search)}
          </p>
          <ul className="rows">
            {families.map(({ id, name, email, phone, childName }) => (
              <li key={id} className="row relative">
                <div className="min-w-0">
                  <BookingChoiceLink to={`/families/${id}/appointments/new?${query}`} purpose="Book for ">
                    {name}
                  </BookingChoiceLink>
                  {childName && <p className="wrap-anywhere">Child: {childName}</p>}
                  <p>
                    <EmailLink email={email} className="link-target relative z-1" />
                  </p>
                  {phone && (
                    <p>
                      <PhoneLink phone={phone} className="link-target relative z-1" />
                    </p>
                  )}
                </div>
              </li>
            ))}
          </ul>
        </Card>
        <Card
          title="Schedule a request"
          action={requestCount > requests.length && <Link to="/requests">All {requestCount} requests</Link>}
        >
          <p>
            <LinkButton to={`/requests/new?${query}`}>Someone new: add a request</LinkButton>
          </p>
          {requests.length === 0 && <p>No request is open.</p>}
          <ul className="rows">
            {requests.map(({ id, name, badge, serviceNeeds, phone, email }) => (
              <li key={id} className="row relative">
                <Badge color={badge.color}>{badge.label}</Badge>
                <div className="min-w-0 flex-1 basis-40">
                  <BookingChoiceLink
                    to={`/dashboard/requests/${id}/schedule?${query}`}
                    purpose="Schedule the request of "
                  >
                    {name}
                  </BookingChoiceLink>
                  <p className="clip text-muted">{serviceNeeds}</p>
                  <p className="flex flex-wrap gap-x-4">
                    {phone && <PhoneLink phone={phone} className="link-target relative z-1" />}
                    {email && <EmailLink email={email} className="link-target relative z-1" />}
                  </p>
                </div>
              </li>
            ))}
          </ul>
        </Card>
      </div>
    </main>
  );
}

function BookingChoiceLink({ to, purpose, children }: { to: string; purpose: string; children: string }) {
  return (
    <Link
      to={to}
      className="font-bold text-primary underline decoration-1 underline-offset-4 wrap-anywhere after:absolute after:inset-0 hover:decoration-2"
    >
      <span className="sr-only">{purpose}</span>
      {children}
    </Link>
  );
}

function describeFamilies(count: number, hasMore: boolean, search: string): string {
  if (search === "") return count === 0 ? "No family has an account yet." : "The newest accounts:";
  if (count === 0) return `No family was found for “${search}”.`;
  return hasMore ? `The first ${count} found for “${search}”. Type more words.` : `${count} found for “${search}”.`;
}
