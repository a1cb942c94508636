import { useOutlet } from "react-router";
import { requirePerson } from "../accounts/guards.server.ts";
import { formError } from "../accounts/form-error.server.ts";
import { redirectWithFlash } from "../accounts/sessions/flash.server.ts";
import { readForm } from "../http/form.server.ts";
import { IntakeSummary } from "../intake/summary.tsx";
import { useSite } from "../practice/site.ts";
import { phoneLink } from "../practice/site-links.ts";
import { LinkButton } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { PageTitle } from "../ui/page-title.tsx";
import { When } from "../ui/when.tsx";
import type { Route } from "./+types/family";
import { FamilyAppointments, FamilyDocuments, FamilyPayments } from "./family-cards.tsx";
import { findFamily } from "./family.server.ts";
import { noteSchema } from "./note-schema.ts";
import { addNote } from "./notes.server.ts";
import { Notes } from "./notes.tsx";

export async function loader({ context, params }: Route.LoaderArgs) {
  const family = await findFamily(requirePerson(context), params.id);
  if (!family.ok) throw new Response(family.message, { status: 404, statusText: "Not Found" });
  return family.value;
}

/** Adds a note. */
export async function action({ context, params, request }: Route.ActionArgs) {
  const formFailure = { title: "The note was not saved" };
  const submission = await readForm(request, noteSchema);
  if (submission.status !== "success") return formError(context, submission, null, formFailure);
  const result = await addNote(requirePerson(context), params.id, submission.value.text);
  if (!result.ok) return formError(context, submission, result, formFailure);
  return redirectWithFlash(context, `/families/${params.id}`, { title: "Note saved" });
}

/** The administrator's page of one family. */
export default function Family({ loaderData: family, actionData }: Route.ComponentProps) {
  const { timeZone } = useSite().practice;
  const dialog = useOutlet();
  const hasUpcoming = family.upcoming.some(({ isCancelled }) => !isCancelled);
  return (
    <main id="main" tabIndex={-1} className="page">
      {!dialog && <PageTitle hasError={actionData?.result.status === "error"}>{family.name}</PageTitle>}
      <h1 className="wrap-anywhere">{family.name}</h1>
      <Card title="Contact">
        <dl className="facts">
          <dt>Email</dt>
          <dd>
            <a href={`mailto:${family.email}`}>{family.email}</a>
          </dd>
          <dt>Phone</dt>
          <dd>{family.phone ? <a href={phoneLink(family.phone)}>{family.phone}</a> : "Not given"}</dd>
          <dt>Family since</dt>
          <dd>
            <When instant={family.createdAt} zone={timeZone} />
          </dd>
        </dl>
        {family.closedAt && (
          <p role="note" className="notice">
            You closed this account on <When instant={family.closedAt} zone={timeZone} inSentence />. The family can't
            sign in.
          </p>
        )}
        <div className="actions">
          {!family.closedAt && <LinkButton to="/dashboard/reset-link">Password link</LinkButton>}
          {family.closedAt && (
            <LinkButton to={`/families/${family.id}/open`} preventScrollReset>
              Open account again
            </LinkButton>
          )}
          {(!family.closedAt || hasUpcoming) && (
            <LinkButton to={`/families/${family.id}/close`} preventScrollReset>
              {family.closedAt ? "Cancel what is left" : "Close account"}
            </LinkButton>
          )}
          <LinkButton to="/families">All families</LinkButton>
        </div>
      </Card>
      <Notes familyId={family.id} notes={family.notes} actionData={actionData} />
      <FamilyAppointments id={family.id} upcoming={family.upcoming} past={family.past} />
      <FamilyPayments id={family.id} payments={family.payments} />
      <FamilyDocuments id={family.id} documents={family.documents} />
      <Card title="Intake form">
        {family.intake ? <IntakeSummary summary={family.intake} /> : <p>This family has not filled it out yet.</p>}
      </Card>
      {dialog}
    </main>
  );
}
