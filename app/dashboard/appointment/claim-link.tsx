import { data, Form, useLocation } from "react-router";
import { requirePerson } from "../../accounts/guards.server.ts";
import { redirectWithFlash } from "../../accounts/sessions/flash.server.ts";
import {
  appointmentDetailsPath,
  buildReturnPathQuery,
  manualNotificationPath,
} from "../../booking/appointment-paths.ts";
import { parseId } from "../../http/field-schemas.ts";
import { readNamedFormFields } from "../../http/form.server.ts";
import { type Refusal, HTTP_STATUS } from "../../http/outcome.ts";
import { formatPracticeDateTime } from "../../practice/format-practice-date-time.server.ts";
import { phoneHref } from "../../practice/site-links.ts";
import { useSite } from "../../practice/site.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { RouteDialog } from "../../ui/route-dialog.tsx";
import { PageMeta } from "../../ui/page-meta.tsx";
import { ZonedTime } from "../../ui/zoned-time.tsx";
import type { Route } from "./+types/claim-link";
import { pickAppointmentFilterParams } from "../appointment-filters.ts";
import { notFoundResponse } from "../not-found-response.ts";
import { OneTimeLink } from "../one-time-link.tsx";
import { loadClaimLinkPage, inviteVisitContact, createClaimLinkWithMailto } from "./claim-link.server.ts";

export async function loader({ context, params }: Route.LoaderArgs) {
  const page = await loadClaimLinkPage(requirePerson(context), parseId(params.id));
  if (page.ok) return page.value;
  throw toClaimLinkRefusalResponse(page);
}

/** Creates the link. With `invite`, sends an invitation to the person of the visit by email. */
export async function action({ context, params, request, url }: Route.ActionArgs) {
  const person = requirePerson(context);
  const id = parseId(params.id);
  if (!(await readNamedFormFields(request, ["invite"])).has("invite")) {
    const createdLink = await createClaimLinkWithMailto(person, id);
    if (createdLink.ok) return data({ link: createdLink.value, problem: null });
    throw toClaimLinkRefusalResponse(createdLink);
  }
  const invited = await inviteVisitContact(person, id);
  if (!invited.ok) return data({ link: null, problem: invited.message }, { status: HTTP_STATUS[invited.reason] });
  const { email, expiresAt, url: unsentUrl } = invited.value;
  if (unsentUrl)
    return data({ link: { url: unsentUrl, expiresAt: expiresAt.toISOString(), mailtoUrl: null }, problem: null });
  return redirectWithFlash(
    context,
    `${appointmentDetailsPath(Number(params.id))}${pickAppointmentFilterParams(url.search)}`,
    {
      title: "Invitation sent",
      description: `An email is on its way to ${email}. The link in it works until ${formatPracticeDateTime(expiresAt)}.`,
    },
  );
}

function toClaimLinkRefusalResponse({ reason, message }: Refusal): Response {
  return reason === "notFound"
    ? notFoundResponse(message)
    : new Response(message, { status: HTTP_STATUS[reason], statusText: "Conflict" });
}

export default function ClaimLink({ loaderData, actionData }: Route.ComponentProps) {
  const { id, start, kind, linkEndsAt, isVideo, contact } = loaderData;
  const { search } = useLocation();
  const { timeZone } = useSite().practice;
  const link = actionData?.link;
  const title = contact ? `Tell ${contact.name}` : "Link for the family";
  return (
    <RouteDialog title={title} closeTo={`${appointmentDetailsPath(id)}${pickAppointmentFilterParams(search)}`}>
      <PageMeta>{title}</PageMeta>
      {actionData?.problem && (
        <p role="alert" className="notice">
          {actionData.problem}
        </p>
      )}
      <p className="font-bold">
        <ZonedTime instant={start} zone={timeZone} inSentence />, {kind.toLowerCase()}
      </p>
      {contact && <VisitContactLinks contact={contact} />}
      {link ? (
        <>
          <OneTimeLink {...link} recipient={contact?.name ?? "the family"} />
          {link.mailtoUrl && (
            <p>
              <LinkButton href={link.mailtoUrl}>Write an email with the link in it</LinkButton>
            </p>
          )}
        </>
      ) : (
        <>
          <p>
            This visit belongs to no account.{isVideo && " They can join by video once it is in an account."} With an
            invitation or the link, the family signs in or creates an account and adds the visit to it. First, make sure
            you know who you're talking to: anyone with the link can take the visit.
          </p>
          {linkEndsAt && (
            <p>
              A link made earlier works until <ZonedTime instant={linkEndsAt} zone={timeZone} inSentence />. A new one
              ends it.
            </p>
          )}
          <Form method="post" preventScrollReset className="actions">
            {contact?.email && (
              <Button variant="primary" name="invite" value="mail" busyText="Inviting…">
                Send the invitation by mail
              </Button>
            )}
            <Button variant={contact?.email ? "secondary" : "primary"}>Make the link to send it yourself</Button>
          </Form>
        </>
      )}
      {loaderData.isNotificationPending && <MarkNotifiedForm id={id} query={pickAppointmentFilterParams(search)} />}
    </RouteDialog>
  );
}

function VisitContactLinks({ contact }: { contact: NonNullable<Route.ComponentProps["loaderData"]["contact"]> }) {
  return (
    <p className="flex flex-wrap gap-x-4 wrap-anywhere">
      {contact.phone && (
        <a className="link-target" href={phoneHref(contact.phone)}>
          {contact.phone}
        </a>
      )}
      {contact.mailtoUrl && (
        <a className="link-target min-w-0" href={contact.mailtoUrl}>
          {contact.email}
          <span className="sr-only">: write about this visit</span>
        </a>
      )}
    </p>
  );
}

/** Form that marks the person as notified. `query` contains the page to which the visit's dialog returns. */
function MarkNotifiedForm({ id, query }: { id: number; query: string }) {
  return (
    <Form
      method="post"
      action={`${manualNotificationPath(id)}${buildReturnPathQuery(`${appointmentDetailsPath(id)}${query}`)}`}
      preventScrollReset
    >
      <Button busyText="Saving…">I told them</Button>
    </Form>
  );
}
