import { Form, useLocation } from "react-router";
import { createFormErrorResponse, type FormErrorOptions } from "../accounts/form-error-response.server.ts";
import { requirePerson } from "../accounts/guards.server.ts";
import { redirectWithFlash } from "../accounts/sessions/flash.server.ts";
import { readForm } from "../http/form.server.ts";
import { Button, LinkButton } from "../ui/button.tsx";
import { CheckboxField } from "../ui/checkbox-field.tsx";
import { RadioField } from "../ui/choice-fields.tsx";
import { ErrorSummary } from "../ui/error-summary.tsx";
import { FormAutosave } from "../ui/form-autosave/form-autosave.tsx";
import { useServerValidatedForm } from "../ui/use-server-validated-form.ts";
import { PageMeta } from "../ui/page-meta.tsx";
import { TextField } from "../ui/text-field.tsx";
import type { Route } from "./+types/record-phone-request";
import { recordPhoneRequest } from "./record-phone-request.server.ts";
import { phoneRequestSchema } from "./consultation-request-schemas.ts";

const TITLE = "Add a request";
const FORM_ERROR_OPTIONS = { title: "The request was not added" } satisfies FormErrorOptions;
const URGENCY_CHOICES = [
  { value: "routine", label: "Routine" },
  { value: "urgent", label: "Urgent" },
  { value: "emergency", label: "Emergency" },
];
/** Parameters passed to the scheduling dialog: a time of the calendar, and the page to return to. */
const SCHEDULING_PARAMETERS = ["date", "time", "from"];
const MAX_PARAMETER_LENGTH = 540;

export async function action({ request, context, url }: Route.ActionArgs) {
  const submission = await readForm(request, phoneRequestSchema);
  if (submission.status !== "success") return createFormErrorResponse(context, submission, null, FORM_ERROR_OPTIONS);
  const entered = await recordPhoneRequest(requirePerson(context), submission.value);
  if (!entered.ok) return createFormErrorResponse(context, submission, entered, FORM_ERROR_OPTIONS);
  const { firstName, lastName, sendsConfirmation } = submission.value;
  const notificationSentence = sendsConfirmation ? " A message that we have it is on its way." : "";
  return redirectWithFlash(context, `/dashboard/requests/${entered.value}/schedule?${schedulingQuery(url)}`, {
    title: "Request added",
    description: `The request of ${firstName} ${lastName} is on your list. Schedule it now or later.${notificationSentence}`,
  });
}

function schedulingQuery({ searchParams }: URL): URLSearchParams {
  const query = new URLSearchParams({ from: "/requests" });
  for (const name of SCHEDULING_PARAMETERS) {
    const value = searchParams.get(name);
    if (value && value.length <= MAX_PARAMETER_LENGTH) query.set(name, value);
  }
  return query;
}

type Fields = Record<
  "firstName" | "lastName" | "phone" | "email" | "urgency" | "serviceNeeds" | "consent" | "sendsConfirmation",
  string
>;

/** Shows the form for a request that came by phone. Continues with scheduling it. */
export default function RecordPhoneRequest({ actionData }: Route.ComponentProps) {
  const [form, fields] = useServerValidatedForm<Fields>({
    lastResult: actionData?.result,
    defaultValue: { urgency: "routine" },
  });
  const { pathname } = useLocation();
  return (
    <main id="main" tabIndex={-1} className="narrow-page">
      <PageMeta hasError={form.status === "error"}>{TITLE}</PageMeta>
      <ErrorSummary form={form} notice={actionData?.notice} />
      <h1>{TITLE}</h1>
      <p>For somebody who called or wrote to you. Give a phone number or an email address. Scheduling it comes next.</p>
      <Form method="post" id={form.id} noValidate>
        <FormAutosave name={pathname} />
        <TextField field={fields.firstName} label="First name" autoComplete="off" />
        <TextField field={fields.lastName} label="Last name" autoComplete="off" />
        <TextField field={fields.phone} label="Phone" optional type="tel" autoComplete="off" />
        <TextField field={fields.email} label="Email address" optional type="email" autoComplete="off" />
        <TextField field={fields.serviceNeeds} label="What they need" rows={4} />
        <RadioField field={fields.urgency} legend="How soon do they need you?" options={URGENCY_CHOICES} />
        <CheckboxField field={fields.consent} label="They agreed that I may contact them about this." />
        <CheckboxField
          field={fields.sendsConfirmation}
          label="Email them that we have their request"
          hint="Only with an email address. Otherwise they get no message."
          optional
        />
        <div className="actions">
          <Button variant="primary" busyText="Adding…">
            Add the request
          </Button>
          <LinkButton to="/requests">All requests</LinkButton>
        </div>
      </Form>
    </main>
  );
}
