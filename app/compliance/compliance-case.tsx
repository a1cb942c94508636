import { Form, Link } from "react-router";
import { createFormErrorResponse } from "../accounts/form-error-response.server.ts";
import { requirePerson } from "../accounts/guards.server.ts";
import { redirectWithFlash } from "../accounts/sessions/flash.server.ts";
import { readForm } from "../http/form.server.ts";
import { useSite } from "../practice/site.ts";
import { COMPLIANCE_CASES_PATH, phoneHref } from "../practice/site-links.ts";
import { Badge } from "../ui/badge.tsx";
import { Button, LinkButton } from "../ui/button.tsx";
import { RadioField } from "../ui/choice-fields.tsx";
import { formatLongPlainDate } from "../ui/format-date-time.ts";
import { ErrorSummary } from "../ui/error-summary.tsx";
import { useServerValidatedForm } from "../ui/use-server-validated-form.ts";
import { PageMeta } from "../ui/page-meta.tsx";
import { TextField } from "../ui/text-field.tsx";
import { ZonedTime } from "../ui/zoned-time.tsx";
import type { Route } from "./+types/compliance-case";
import { CaseFamilyField } from "./case-family-field.tsx";
import { closeCase, findCaseWithAudit } from "./compliance-cases.server.ts";
import { CASE_DEADLINE_TEXTS, OUTCOME_LABELS, outcomesForKind } from "./case-kinds.ts";
import { closeCaseSchema } from "./legal-request-schemas.ts";

const FORM_ERROR_OPTIONS = { title: "Not Closed" };

export async function loader({ context, params }: Route.LoaderArgs) {
  const found = await findCaseWithAudit(requirePerson(context), params.id);
  if (!found.ok) throw new Response(found.message, { status: 404, statusText: "Not Found" });
  return found.value;
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const submission = await readForm(request, closeCaseSchema);
  if (submission.status !== "success") return createFormErrorResponse(context, submission, null, FORM_ERROR_OPTIONS);
  const closed = await closeCase(requirePerson(context), params.id, submission.value);
  if (!closed.ok && closed.reason === "notFound")
    throw new Response(closed.message, { status: 404, statusText: "Not Found" });
  if (!closed.ok) return createFormErrorResponse(context, submission, closed, FORM_ERROR_OPTIONS);
  return redirectWithFlash(context, COMPLIANCE_CASES_PATH, { title: "Closed" });
}

/** Shows one request or incident with its deadline. The form closes it with what was done. */
export default function ComplianceCase({ loaderData: row, actionData }: Route.ComponentProps) {
  const { timeZone } = useSite().practice;
  const [form, fields] = useServerValidatedForm<{ outcome: string; userId: string; resolution: string }>({
    lastResult: actionData?.result,
    defaultValue: { userId: String(row.suggestedId ?? "") },
  });
  const title = `${row.label} ${row.id}`;
  const isIncident = row.kind === "incident";
  return (
    <main id="main" tabIndex={-1} className="narrow-page">
      <PageMeta hasError={form.status === "error"}>{title}</PageMeta>
      <ErrorSummary form={form} notice={actionData?.notice} />
      <h1>{title}</h1>
      <p>{row.closedAt ? <Badge color="green">closed</Badge> : <Badge color={row.color}>{row.timeLeft}</Badge>}</p>
      <dl className="facts">
        <dt>{isIncident ? "Found on" : "Came in on"}</dt>
        <dd>{formatLongPlainDate(row.receivedDay)}</dd>
        <dt>{isIncident ? "Notify by" : "Answer by"}</dt>
        <dd>{formatLongPlainDate(row.dueDay)}</dd>
        {row.name && (
          <>
            <dt>From</dt>
            <dd className="wrap-anywhere">{row.userId ? row.name : `${row.name} (no account)`}</dd>
          </>
        )}
        {row.userId && (
          <>
            <dt>Family</dt>
            <dd className="wrap-anywhere">
              <Link to={`/families/${row.userId}`}>{row.familyName}</Link>
            </dd>
          </>
        )}
        {row.email && (
          <>
            <dt>Email</dt>
            <dd className="wrap-anywhere">
              <a href={`mailto:${encodeURIComponent(row.email)}`}>{row.email}</a>
            </dd>
          </>
        )}
        {row.phone && (
          <>
            <dt>Phone</dt>
            <dd>
              <a href={phoneHref(row.phone)}>{row.phone}</a>
            </dd>
          </>
        )}
        <dt>{isIncident ? "What happened" : "What they ask"}</dt>
        <dd className="wrap-anywhere whitespace-pre-line">{row.text}</dd>
        {row.closedAt && (
          <>
            <dt>Closed on</dt>
            <dd>
              <ZonedTime instant={row.closedAt} zone={timeZone} inSentence />
            </dd>
            {row.outcome && (
              <>
                <dt>How it ended</dt>
                <dd>{row.outcome}</dd>
              </>
            )}
            {row.resolution && (
              <>
                <dt>What was done</dt>
                <dd className="wrap-anywhere whitespace-pre-line">{row.resolution}</dd>
              </>
            )}
          </>
        )}
      </dl>
      {!row.closedAt && (
        <>
          <p className="notice">
            {CASE_DEADLINE_TEXTS[row.kind]}
            {!isIncident &&
              !row.userId &&
              " Nobody has confirmed that the address is theirs: make sure you know who is asking."}
          </p>
          <Form method="post" noValidate>
            <RadioField
              field={fields.outcome}
              legend="How did it end?"
              options={outcomesForKind(row.kind).map((value) => ({ value, label: OUTCOME_LABELS[value] }))}
            />
            {row.userId === null && <CaseFamilyField field={fields.userId} families={row.families} />}
            <TextField
              field={fields.resolution}
              label="What you did"
              hint={
                isIncident
                  ? "Whom you notified, and when. Or why nobody had to be."
                  : "What you answered, and when. The family's copy of everything has it."
              }
              rows={4}
            />
            <Button variant="primary" busyText="Closing…">
              Close it
            </Button>
          </Form>
        </>
      )}
      <p>
        <LinkButton to={COMPLIANCE_CASES_PATH}>All requests and incidents</LinkButton>
      </p>
    </main>
  );
}
