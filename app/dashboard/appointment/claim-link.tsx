import { data, Form, useLocation } from "react-router";
import { requirePerson } from "../../accounts/guards.server.ts";
import { appointmentDetailsPath } from "../../booking/paths.ts";
import { findClaimLink, createClaimLink } from "../../booking/claims/claims.server.ts";
import { parseId } from "../../http/field-schemas.ts";
import { type Refusal, HTTP_STATUS } from "../../http/outcome.ts";
import { useSite } from "../../practice/site.ts";
import { Button } from "../../ui/button.tsx";
import { RouteDialog } from "../../ui/route-dialog.tsx";
import { PageTitle } from "../../ui/page-title.tsx";
import { ZonedTime } from "../../ui/zoned-time.tsx";
import type { Route } from "./+types/claim-link";
import { filterQuery } from "../appointment-filters.ts";
import { notFoundResponse } from "../not-found.ts";
import { OneTimeLink } from "../one-time-link.tsx";

const TITLE = "Link for the family";

export async function loader({ context, params }: Route.LoaderArgs) {
  const found = await findClaimLink(requirePerson(context), parseId(params.id));
  if (found.ok) return { id: Number(params.id), linkEndsAt: found.value.linkEndsAt?.toISOString() ?? null };
  throw toResponse(found);
}

export async function action({ context, params }: Route.ActionArgs) {
  const made = await createClaimLink(requirePerson(context), parseId(params.id));
  if (made.ok) return data({ link: { url: made.value.url, expiresAt: made.value.expiresAt.toISOString() } });
  throw toResponse(made);
}

function toResponse({ reason, message }: Refusal): Response {
  return reason === "notFound"
    ? notFoundResponse(message)
    : new Response(message, { status: HTTP_STATUS[reason], statusText: "Conflict" });
}

export default function ClaimLink({ loaderData: { id, linkEndsAt }, actionData }: Route.ComponentProps) {
  const { search } = useLocation();
  const { timeZone } = useSite().practice;
  const link = actionData?.link;
  return (
    <RouteDialog title={TITLE} closeTo={`${appointmentDetailsPath(id)}${filterQuery(search)}`}>
      <PageTitle>{TITLE}</PageTitle>
      {link ? (
        <OneTimeLink {...link} recipient="the family" />
      ) : (
        <>
          <p>
            This appointment belongs to no account. With the link, the family signs in or creates an account and adds
            the visit to it. First, make sure you know who you're talking to: anyone with the link can take the visit.
          </p>
          {linkEndsAt && (
            <p>
              A link made earlier works until <ZonedTime instant={linkEndsAt} zone={timeZone} inSentence />. A new one
              ends it.
            </p>
          )}
          <Form method="post" preventScrollReset>
            <Button variant="primary" type="submit">
              Make the link
            </Button>
          </Form>
        </>
      )}
    </RouteDialog>
  );
}
