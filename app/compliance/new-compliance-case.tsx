import { Form, useLocation } from "react-router";
import { findFamilyChoicesWithAudit } from "../accounts/family-names.server.ts";
import { createFormErrorResponse } from "../accounts/form-error-response.server.ts";
import { requirePerson } from "../accounts/guards.server.ts";
import { redirectWithFlash } from "../accounts/sessions/flash.server.ts";
import { parseId } from "../http/field-schemas.ts";
import { readForm } from "../http/form.server.ts";
import { COMPLIANCE_CASES_PATH } from "../practice/site-links.ts";
import { Button, LinkButton } from "../ui/button.tsx";
import { RadioField } from "../ui/choice-fields.tsx";
import { ErrorSummary } from "../ui/error-summary.tsx";
import { FormAutosave } from "../ui/form-autosave/form-autosave.tsx";
import { useServerValidatedForm } from "../ui/use-server-validated-form.ts";
import { PageMeta } from "../ui/page-meta.tsx";
import { TextField } from "../ui/text-field.tsx";
import type { Route } from "./+types/new-compliance-case";
import { practiceToday } from "../booking/practice-today.server.ts";
import { CaseFamilyField } from "./case-family-field.tsx";
import { addCase } from "./compliance-cases.server.ts";
import { CASE_KINDS, KIND_LABELS, CASE_DEADLINE_TEXTS } from "./case-kinds.ts";
import { type CaseValues, createCaseSchema } from "./legal-request-schemas.ts";

const TITLE = "Enter a request or an incident";
const FORM_ERROR_OPTIONS = { title: "Not Saved" };
const KIND_CHOICES = CASE_KINDS.map((value) => ({
  value,
  label: KIND_LABELS[value],
  hint: CASE_DEADLINE_TEXTS[value],
}));

/** Preselects the family of `?userId=`, which a family's page passes. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { isAdmin } = requirePerson(context);
  const userId = url.searchParams.get("userId") ?? "";
  return { today: practiceToday(), userId, families: isAdmin ? await findFamilyChoicesWithAudit(parseId(userId)) : [] };
}

export async function action({ request, context }: Route.ActionArgs) {
  const submission = await readForm(request, createCaseSchema(practiceToday()));
  if (submission.status !== "success") return createFormErrorResponse(context, submission, null, FORM_ERROR_OPTIONS);
  const added = await addCase(requirePerson(context), submission.value);
  if (!added.ok) return createFormErrorResponse(context, submission, added, FORM_ERROR_OPTIONS);
  const description = "It stays under Needs attention until you close it.";
  return redirectWithFlash(context, `${COMPLIANCE_CASES_PATH}/${added.value}`, { title: "Saved", description });
}

/** Shows the form for requests that came by phone or mail, and for incidents. */
export default function NewComplianceCase({
  loaderData: { today, userId, families },
  actionData,
}: Route.ComponentProps) {
  const [form, fields] = useServerValidatedForm<Required<Omit<CaseValues, "userId">> & { userId: string }>({
    lastResult: actionData?.result,
    defaultValue: { receivedDay: today, userId },
  });
  const { pathname } = useLocation();
  return (
    <main id="main" tabIndex={-1} className="narrow-page">
      <PageMeta hasError={form.status === "error"}>{TITLE}</PageMeta>
      <ErrorSummary form={form} notice={actionData?.notice} />
      <h1>{TITLE}</h1>
      <Form method="post" noValidate>
        <FormAutosave name={pathname} />
        <RadioField field={fields.kind} legend="What is it?" options={KIND_CHOICES} />
        <TextField
          field={fields.receivedDay}
          label="Day it came in, or you found out"
          type="date"
          max={today}
          width="short"
        />
        <CaseFamilyField field={fields.userId} families={families} />
        <TextField field={fields.name} label="Who asked" hint="Leave it empty for an incident." optional />
        <TextField
          field={fields.text}
          label="What it is about"
          hint="For an incident: what happened, whose information and which, and what you are doing about it."
          rows={6}
        />
        <Button variant="primary" busyText="Saving…">
          Save
        </Button>
      </Form>
      <p>
        <LinkButton to={COMPLIANCE_CASES_PATH}>All requests and incidents</LinkButton>
      </p>
    </main>
  );
}
