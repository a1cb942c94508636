import { setTimeout as wait } from "node:timers/promises";
import { useForm } from "@conform-to/react";
import { Form, redirectDocument } from "react-router";
import { questionLikelyEmailTypo } from "../accounts/email/email-typo.server.ts";
import { QUESTIONED_EMAIL_FIELD, QuestionedEmailField } from "../accounts/email/questioned-email-field.tsx";
import { getPerson } from "../accounts/guards.server.ts";
import { getSubmissionSource } from "../accounts/form-rate-limits.server.ts";
import { createFormErrorResponse, type FormErrorOptions } from "../accounts/form-error-response.server.ts";
import { now } from "../clock.ts";
import { runWithSlotReleasedThenRequeue } from "../http/fair-queue/fair-queue-middleware.server.ts";
import { fieldNames, parseForm, readNamedFormFields } from "../http/form.server.ts";
import { refused } from "../http/outcome.ts";
import { phoneHref } from "../practice/site-links.ts";
import { useSite } from "../practice/site.ts";
import { Button, LinkButton } from "../ui/button.tsx";
import { CheckboxField } from "../ui/checkbox-field.tsx";
import { RadioField } from "../ui/choice-fields.tsx";
import { ErrorSummary } from "../ui/error-summary.tsx";
import type { PageHandle } from "../ui/page-handle.ts";
import { PageMeta } from "../ui/page-meta.tsx";
import { TextField } from "../ui/text-field.tsx";
import type { Route } from "./+types/consultation-request-form";
import { honeypotError, STARTED_AT_FIELD, computeFastSubmissionDelayMs, HONEYPOT_FIELD } from "./form-bot-detection.ts";
import { createConsultationRequest } from "./consultation-requests.server.ts";
import { type ConsultationRequestValues, consultationRequestSchema } from "./consultation-request-schemas.ts";

export const handle: PageHandle = { unhydrated: true };

const TITLE = "Request a Consultation";
const BUTTON_LABEL = "Send my request";
const FORM_ERROR_OPTIONS = { title: "Your request was not sent" } satisfies FormErrorOptions;

export function loader({ context, url }: Route.LoaderArgs) {
  const person = getPerson(context);
  return {
    isSent: url.searchParams.has("sent"),
    startedAt: now().getTime(),
    account: person && !person.isAdmin ? { ...person, phone: person.phone ?? "" } : null,
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readNamedFormFields(request, [
    ...fieldNames(consultationRequestSchema),
    HONEYPOT_FIELD,
    STARTED_AT_FIELD,
    QUESTIONED_EMAIL_FIELD,
  ]);
  const submission = parseForm(form, consultationRequestSchema);
  const question = questionLikelyEmailTypo(form, BUTTON_LABEL);
  if (submission.status !== "success" || question)
    return createFormErrorResponse(context, submission, question, FORM_ERROR_OPTIONS);
  const problem = honeypotError(form);
  if (problem) return createFormErrorResponse(context, submission, refused("invalid", problem), FORM_ERROR_OPTIONS);
  // A sender who disconnects during the delay creates no request.
  await runWithSlotReleasedThenRequeue(() =>
    wait(computeFastSubmissionDelayMs(form, now()), null, { signal: request.signal }),
  );
  request.signal.throwIfAborted();
  const outcome = await createConsultationRequest(submission.value, getSubmissionSource(context, request));
  if (!outcome.ok) return createFormErrorResponse(context, submission, outcome, FORM_ERROR_OPTIONS);
  return redirectDocument("/request-consultation?sent");
}

export default function RequestConsultation({ loaderData, actionData }: Route.ComponentProps) {
  const { isSent, account, startedAt } = loaderData;
  const [form, fields] = useForm<ConsultationRequestValues>({
    lastResult: actionData?.result,
    defaultValue: account && {
      firstName: account.firstName,
      lastName: account.lastName,
      email: account.email,
      phone: account.phone,
    },
  });
  if (isSent) return <RequestSent />;
  // After an error, the form keeps its original start time, so that submitting it again is not delayed.
  const startedAtValue = String(actionData?.result.initialValue?.[STARTED_AT_FIELD] ?? startedAt);
  return (
    <main id="main" tabIndex={-1} className="narrow-page">
      <PageMeta
        hasError={form.status === "error"}
        description="Ask for a consultation in a few words. We answer within 24 hours."
      >
        {TITLE}
      </PageMeta>
      <ErrorSummary form={form} notice={actionData?.notice} />
      <h1>{TITLE}</h1>
      <p>Tell us in a few words what you need. We answer within 24 hours. You don't need an account.</p>
      <EmergencyNote isChosen={fields.urgency.initialValue === "emergency"} />
      <Form method="post" noValidate>
        <TextField field={fields.firstName} label="First Name" autoComplete="given-name" />
        <TextField field={fields.lastName} label="Last Name" autoComplete="family-name" />
        <TextField field={fields.email} label="Email" type="email" autoComplete="email" />
        <QuestionedEmailField email={fields.email} lastResult={actionData?.result} />
        <TextField field={fields.phone} label="Phone" optional type="tel" autoComplete="tel" />
        <TextField
          field={fields.serviceNeeds}
          label="What do you need help with?"
          hint="For example: a school meeting, a new diagnosis, finding a provider."
          rows={3}
        />
        <RadioField field={fields.urgency} legend="How soon do you need us?" optional options={URGENCY_CHOICES} />
        <TextField field={fields.message} label="Anything else we should know" optional rows={4} />
        <CheckboxField field={fields.consent} label="I agree that you may contact me about this request." />
        <div className="sr-only" aria-hidden="true">
          <label>
            Leave this empty
            <input type="text" name={HONEYPOT_FIELD} tabIndex={-1} autoComplete="off" />
          </label>
        </div>
        <input type="hidden" name={STARTED_AT_FIELD} value={startedAtValue} />
        <Button variant="primary" busyText="Sending…">
          {BUTTON_LABEL}
        </Button>
      </Form>
    </main>
  );
}

const URGENCY_CHOICES = [
  { value: "routine", label: "Routine", hint: "Sometime in the next few weeks is fine." },
  { value: "urgent", label: "Urgent", hint: "This week, for example before a meeting at school." },
  { value: "emergency", label: "Emergency", hint: "As soon as possible. This is not an emergency service: see above." },
];

function RequestSent() {
  const { phone } = useSite().practice;
  return (
    <main id="main" tabIndex={-1} className="narrow-page">
      <PageMeta>Your request is on its way</PageMeta>
      <h1>Your request is on its way</h1>
      <p>Thank you. We have it, and we answer within 24 hours, by email or by phone.</p>
      <p>
        If something changes, call <a href={phoneHref(phone)}>{phone}</a>.
      </p>
      <p>
        <LinkButton href="/">Back to homepage</LinkButton>
      </p>
    </main>
  );
}

/** Shows a note that the practice is not an emergency service. It becomes an alert once *emergency* is chosen. */
function EmergencyNote({ isChosen }: { isChosen: boolean }) {
  return (
    <div role={isChosen ? "alert" : "note"} className="notice">
      <p>
        <strong>This is not an emergency service.</strong> If someone is in danger, call <a href="tel:911">911</a>. To
        talk to someone in a crisis, call or text <a href="tel:988">988</a>, day and night.
      </p>
    </div>
  );
}
