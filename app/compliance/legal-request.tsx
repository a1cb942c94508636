import { useForm } from "@conform-to/react";
import { Form, redirectDocument } from "react-router";
import { getPerson } from "../accounts/guards.server.ts";
import { getSubmissionSource } from "../accounts/form-rate-limits.server.ts";
import { createFormErrorResponse } from "../accounts/form-error-response.server.ts";
import { fullName } from "../accounts/person.ts";
import { readForm } from "../http/form.server.ts";
import { LEGAL_REQUEST_PATH, phoneHref } from "../practice/site-links.ts";
import { useSite } from "../practice/site.ts";
import { Button, LinkButton } from "../ui/button.tsx";
import { RadioField } from "../ui/choice-fields.tsx";
import { formatLongPlainDate } from "../ui/format-date-time.ts";
import { ErrorSummary } from "../ui/error-summary.tsx";
import type { PageHandle } from "../ui/page-handle.ts";
import { PageMeta } from "../ui/page-meta.tsx";
import { TextField } from "../ui/text-field.tsx";
import type { Route } from "./+types/legal-request";
import { parseDay } from "../booking/wall-time.ts";
import { submitComplianceRequest } from "./legal-requests.server.ts";
import { type ComplianceRequestValues, complianceRequestSchema } from "./legal-request-schemas.ts";

export const handle: PageHandle = { unhydrated: true };

const TITLE = "Ask us, or tell us";
const FORM_ERROR_OPTIONS = { title: "Your message was not sent" };

export function loader({ context, url }: Route.LoaderArgs) {
  const person = getPerson(context);
  const dueDay = parseDay(url.searchParams.get("sent") ?? "");
  return {
    answerBy: dueDay && formatLongPlainDate(dueDay),
    kind: url.searchParams.get("kind") === "accessibility" ? "accessibility" : "privacy",
    account:
      person && !person.isAdmin ? { name: fullName(person), email: person.email, phone: person.phone ?? "" } : null,
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const submission = await readForm(request, complianceRequestSchema);
  if (submission.status !== "success") return createFormErrorResponse(context, submission, null, FORM_ERROR_OPTIONS);
  const sent = await submitComplianceRequest(submission.value, getSubmissionSource(context, request));
  if (!sent.ok) return createFormErrorResponse(context, submission, sent, FORM_ERROR_OPTIONS);
  return redirectDocument(`${LEGAL_REQUEST_PATH}?sent=${sent.value.dueDay}`);
}

const KIND_CHOICES = [
  { value: "privacy", label: "My privacy or my records", hint: "We answer within 30 days." },
  { value: "accessibility", label: "Something on this site is hard to use", hint: "We answer within 2 business days." },
];

/** Shows the form of the legal pages, for people with and without an account. */
export default function LegalRequest({ loaderData, actionData }: Route.ComponentProps) {
  const { answerBy, kind, account } = loaderData;
  const { phone } = useSite().practice;
  const [form, fields] = useForm<ComplianceRequestValues>({
    lastResult: actionData?.result,
    defaultValue: { kind, ...account },
  });
  if (answerBy) return <RequestSent answerBy={answerBy} />;
  return (
    <main id="main" tabIndex={-1} className="narrow-page">
      <PageMeta
        hasError={form.status === "error"}
        description="Ask about your records and your privacy, or tell us what on this site is hard to use."
      >
        {TITLE}
      </PageMeta>
      <ErrorSummary form={form} notice={actionData?.notice} />
      <h1>{TITLE}</h1>
      <p>You don't need an account. Asking costs nothing and never changes how we treat you.</p>
      <Form method="post" noValidate>
        <RadioField field={fields.kind} legend="What is it about?" options={KIND_CHOICES} />
        <TextField field={fields.name} label="Your name" autoComplete="name" />
        <TextField field={fields.email} label="Email" type="email" autoComplete="email" />
        <TextField field={fields.phone} label="Phone" optional type="tel" autoComplete="tel" />
        <TextField
          field={fields.text}
          label="What would you like?"
          hint="For example: a copy of my child's file. Or: which page it was, and what happened."
          rows={5}
        />
        <Button variant="primary" type="submit">
          Send
        </Button>
      </Form>
      <p>
        Would you rather talk? Call <a href={phoneHref(phone)}>{phone}</a>.
      </p>
    </main>
  );
}

function RequestSent({ answerBy }: { answerBy: string }) {
  const { phone } = useSite().practice;
  return (
    <main id="main" tabIndex={-1} className="narrow-page">
      <PageMeta>We have your message</PageMeta>
      <h1>We have your message</h1>
      <p>Thank you. We answer by {answerBy}. Before we send records to anyone, we make sure we know who is asking.</p>
      <p>
        If it can't wait, call <a href={phoneHref(phone)}>{phone}</a>.
      </p>
      <p>
        <LinkButton href="/">Back to homepage</LinkButton>
      </p>
    </main>
  );
}
