import { Suspense } from "react";
import { data, Form } from "react-router";
import { createFormErrorResponse, type FormErrorOptions } from "../../accounts/form-error-response.server.ts";
import { requirePerson } from "../../accounts/guards.server.ts";
import { invitationSchema, invitationChangeSchema } from "../../accounts/account-schemas.ts";
import { redirectWithFlash } from "../../accounts/sessions/flash.server.ts";
import {
  findInviteeWithAudit,
  inviteFamily,
  listOpenInvitationsWithAudit,
  resendInvitation,
  withdrawInvitation,
} from "../../booking/invitations/invitations.server.ts";
import { findUnclaimedVisitsByName } from "../../booking/invitations/unclaimed-visits.server.ts";
import { invitationsPath } from "../../booking/appointment-paths.ts";
import { parseId } from "../../http/field-schemas.ts";
import { fieldNames, parseForm, readNamedFormFields } from "../../http/form.server.ts";
import { HTTP_STATUS } from "../../http/outcome.ts";
import { formatPracticeDateTime } from "../../practice/format-practice-date-time.server.ts";
import { Card } from "../../ui/card.tsx";
import { ErrorSummary } from "../../ui/error-summary.tsx";
import { lazyComponent } from "../../ui/lazy-component.ts";
import { useServerValidatedForm } from "../../ui/use-server-validated-form.ts";
import { PageMeta } from "../../ui/page-meta.tsx";
import type { Route } from "./+types/invitations";
import { notFoundResponse } from "../not-found-response.ts";
import { InviteForm, type InviteFields } from "./invite-form.tsx";
import { OpenInvitations } from "./open-invitations.tsx";

/** Loaded on demand: a link is shown only right after it was made. */
const OneTimeLink = lazyComponent(async () => (await import("../one-time-link.tsx")).OneTimeLink);

const TITLE = "Invitations";
const INVITE_ERROR_OPTIONS = { title: "The invitation was not sent" } satisfies FormErrorOptions;
const CHANGE_ERROR_OPTIONS = { title: "The invitation was not changed" } satisfies FormErrorOptions;

export async function loader({ context, url }: Route.LoaderArgs) {
  const person = requirePerson(context);
  const appointment = url.searchParams.get("appointment");
  const [invitations, visit] = [
    await listOpenInvitationsWithAudit(person),
    appointment === null ? null : await findInviteeWithAudit(person, parseId(appointment)),
  ];
  if (visit && !visit.ok) {
    if (visit.reason === "notFound") throw notFoundResponse(visit.message);
    throw new Response(visit.message, { status: HTTP_STATUS[visit.reason], statusText: "Conflict" });
  }
  return { invitations, visit: visit?.value ?? null };
}

/**
 * Invites a family. Asks once if a person with the same name has a visit without an account. With `change`, sends an
 * open invitation again or withdraws it.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const person = requirePerson(context);
  const names = [invitationSchema, invitationChangeSchema].flatMap(fieldNames);
  const form = await readNamedFormFields(request, [...names, "asked"]);
  const wasVisitOffered = form.has("asked");
  form.delete("asked");
  if (form.has("change")) return resendOrWithdrawInvitation(context, form);
  const submission = parseForm(form, invitationSchema);
  if (submission.status !== "success") return createFormErrorResponse(context, submission, null, INVITE_ERROR_OPTIONS);
  if (!wasVisitOffered && submission.value.appointmentId === undefined) {
    const visits = await findUnclaimedVisitsByName(person, submission.value);
    if (visits.length > 0) return data({ result: submission.reply(), visits }, { status: HTTP_STATUS.conflict });
  }
  const invited = await inviteFamily(person, submission.value);
  return invited.ok
    ? toSentResponse(context, invited.value)
    : createFormErrorResponse(context, submission, invited, INVITE_ERROR_OPTIONS);
}

async function resendOrWithdrawInvitation(context: Route.ActionArgs["context"], form: FormData) {
  const submission = parseForm(form, invitationChangeSchema);
  if (submission.status !== "success") return createFormErrorResponse(context, submission, null, CHANGE_ERROR_OPTIONS);
  const { id, change } = submission.value;
  if (change === "resend") {
    const invited = await resendInvitation(requirePerson(context), id);
    return invited.ok
      ? toSentResponse(context, invited.value)
      : createFormErrorResponse(context, submission, invited, CHANGE_ERROR_OPTIONS);
  }
  const withdrawn = await withdrawInvitation(requirePerson(context), id);
  if (!withdrawn.ok) return createFormErrorResponse(context, submission, withdrawn, CHANGE_ERROR_OPTIONS);
  const description = `The link that went to ${withdrawn.value.email} no longer works.`;
  return redirectWithFlash(context, invitationsPath(), { title: "Invitation withdrawn", description });
}

type SentInvitationResponse = Extract<Awaited<ReturnType<typeof inviteFamily>>, { ok: true }>["value"];

/** Shows the link only if no email is sent; otherwise redirects with a notice. */
function toSentResponse(context: Route.ActionArgs["context"], { email, url, expiresAt }: SentInvitationResponse) {
  if (url) return data({ result: null, link: { url, email, expiresAt: expiresAt.toISOString() } });
  const description = `An email is on its way to ${email}. The link in it works until ${formatPracticeDateTime(expiresAt)}.`;
  return redirectWithFlash(context, invitationsPath(), { title: "Invitation sent", description });
}

export default function Invitations({ loaderData, actionData }: Route.ComponentProps) {
  const { invitations, visit } = loaderData;
  // The new id clears the form after an invitation was sent.
  const id = `invite-${visit?.appointmentId ?? "a-family"}-${Date.parse(invitations[0]?.sentAt ?? "") || "first"}`;
  const [form, fields] = useServerValidatedForm<InviteFields>({
    id,
    lastResult: actionData?.result,
    defaultValue: visit?.invitee ?? undefined,
  });
  const offeredVisits = actionData && "visits" in actionData ? actionData.visits : [];
  const link = actionData && "link" in actionData ? actionData.link : null;
  return (
    <main id="main" tabIndex={-1} className="page">
      <PageMeta hasError={form.status === "error"}>{TITLE}</PageMeta>
      <ErrorSummary form={form} notice={actionData && "notice" in actionData ? actionData.notice : null} />
      <h1>{TITLE}</h1>
      {link && (
        <Card title="The link for the family">
          <p>Mail is not set up on this site, so nothing was sent to {link.email}.</p>
          <Suspense>
            <OneTimeLink url={link.url} expiresAt={link.expiresAt} recipient="the family" />
          </Suspense>
        </Card>
      )}
      <Card title="Invite a family">
        <Form method="post" id={form.id} key={id} noValidate className="grid max-w-xl gap-4">
          <InviteForm fields={fields} visit={visit} offered={offeredVisits} />
        </Form>
      </Card>
      <OpenInvitations invitations={invitations} />
    </main>
  );
}
