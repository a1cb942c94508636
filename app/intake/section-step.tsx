import { type SubmissionResult } from "@conform-to/react";
import { Form, Link } from "react-router";
import { Button } from "../ui/button.tsx";
import { CheckboxListField, RadioField } from "../ui/choice-fields.tsx";
import { ErrorSummary } from "../ui/error-summary.tsx";
import { type AnyField, useServerValidatedForm } from "../ui/use-server-validated-form.ts";
import { useUnsentForm } from "../ui/unsent-form-context.ts";
import { PageMeta } from "../ui/page-meta.tsx";
import { TextField } from "../ui/text-field.tsx";
import { useAnswersRefreshAfterReload } from "./use-answers-refresh-after-reload.ts";
import { useSectionAutosave } from "./use-section-autosave.ts";
import type { Answers, Question } from "./intake-questions.ts";
import { INTAKE_FORM_TITLE, intakeStepPath } from "./intake-sections.ts";
import { StepHeading } from "./step-heading.tsx";
import type { IntakeWizardData } from "./intake-wizard.server.ts";

type SectionStepProps = {
  data: Extract<IntakeWizardData, { view: "section" }>;
  result: SubmissionResult<string[]> | null | undefined;
};

/** Shows one section as a separate form. All buttons and links that leave it save it. */
export function SectionStep({ data, result }: SectionStepProps) {
  const { base, section, title, intro, values, questions, progress } = data;
  const unsentValues = useUnsentForm()?.values;
  // The browser submits nothing for a list without a selection.
  const answers: Answers = unsentValues ? { ...values, primaryConcerns: [], ...unsentValues } : values;
  const [form, fields] = useServerValidatedForm<Answers>({
    id: `intake-${section}`,
    lastResult: result ?? undefined,
    defaultValue: answers,
  });
  const stepUrl = intakeStepPath(base, section);
  const { formProps, isSignedOut } = useSectionAutosave(stepUrl);
  useAnswersRefreshAfterReload(formProps.ref, answers);
  const stepNumber = progress.findIndex(({ name }) => name === section) + 1;
  return (
    <>
      <PageMeta hasError={form.status === "error"}>{`${title} – ${INTAKE_FORM_TITLE}`}</PageMeta>
      <ErrorSummary form={form} />
      <StepHeading
        caption={`Step ${stepNumber} of ${progress.length}`}
        stepCount={progress.length}
        currentStep={stepNumber}
      >
        {title}
      </StepHeading>
      <p className="mb-6">{intro}</p>
      <Form
        method="post"
        action={stepUrl}
        id={form.id}
        noValidate
        preventScrollReset
        {...formProps}
        className="grid gap-6"
      >
        {questions.map(({ name, question }) => (
          <QuestionField key={name} question={question} field={fields[name] as AnyField} />
        ))}
        {isSignedOut && <SignedOutNotice />}
        <div className="flex flex-wrap items-center gap-3">
          <Button variant="primary" name="intent" value="continue" busyText="Saving…">
            Save and continue
          </Button>
          <Button variant="secondary" name="intent" value="later" busyText="Saving…">
            Save and come back later
          </Button>
        </div>
      </Form>
      <p className="mt-6">
        <Link
          to={intakeStepPath(base, "sections")}
          preventScrollReset
          className="inline-block py-2 text-primary underline underline-offset-4"
        >
          All sections of the form
        </Link>
      </p>
    </>
  );
}

/**
 * Stays visible wherever in the form the person is typing. Its button submits the form, which redirects to the sign-in
 * page and from there back to the form.
 */
function SignedOutNotice() {
  return (
    <p role="alert" className="notice sticky bottom-2">
      You've been signed out.{" "}
      <Button variant="quiet" name="intent" value="later">
        Sign in
      </Button>{" "}
      to keep saving.
    </p>
  );
}

function QuestionField({ question, field }: { question: Question; field: AnyField }) {
  const { label, kind, hint, required, maxLength, autoComplete = "off", isShort, options = [] } = question;
  const sharedProps = { field, hint, optional: !required };
  // A choice always has an answer, so it is never marked optional.
  if (kind === "choice") return <RadioField {...sharedProps} optional={false} legend={label} options={options} />;
  if (kind === "list") return <CheckboxListField {...sharedProps} legend={label} options={options} />;
  if (kind === "text") return <TextField {...sharedProps} label={label} rows={4} autoComplete={autoComplete} />;
  return (
    <TextField
      {...sharedProps}
      label={label}
      type={kind === "line" ? "text" : kind}
      maxLength={maxLength}
      width={isShort && "short"}
      autoComplete={autoComplete}
    />
  );
}
