import { Form, Link } from "react-router";
import { Button } from "../ui/button.tsx";
import { ErrorSummary } from "../ui/error-summary.tsx";
import type { Notice } from "../ui/toast.ts";
import { PageMeta } from "../ui/page-meta.tsx";
import { IntakeAnswerList } from "./intake-answer-list.tsx";
import { INTAKE_FORM_TITLE, intakeStepPath } from "./intake-sections.ts";
import { StepHeading } from "./step-heading.tsx";
import type { IntakeWizardData } from "./intake-wizard.server.ts";

type CheckAnswersProps = {
  data: Extract<IntakeWizardData, { view: "check" }>;
  /** Why the form could not be submitted. */
  failureMessage?: string;
  notice?: Notice | null;
  submitText: string;
  bookingVersion?: string;
};

/** Shows the last step: all answers, for review before submitting. */
export function CheckAnswersStep({
  data: { base, answers, progress, phoneOffer },
  failureMessage,
  notice,
  submitText,
  bookingVersion,
}: CheckAnswersProps) {
  const errors = failureMessage ? [failureMessage] : undefined;
  return (
    <>
      <PageMeta hasError={failureMessage !== undefined}>{`Check your answers – ${INTAKE_FORM_TITLE}`}</PageMeta>
      <ErrorSummary
        form={{ id: "intake-check", errors, allErrors: errors ? { "": errors } : {}, status: errors && "error" }}
        notice={notice}
      />
      <StepHeading stepCount={progress.length} currentStep={progress.length}>
        Check your answers
      </StepHeading>
      <IntakeAnswerList
        sections={answers}
        titleAs="h4"
        shouldCollapseUnanswered
        renderSectionAction={({ name, title }) => (
          <Link
            to={intakeStepPath(base, name)}
            preventScrollReset
            className="inline-flex min-h-11 min-w-11 items-center text-primary underline underline-offset-4"
          >
            Change<span className="sr-only"> {title}</span>
          </Link>
        )}
      />
      <Form
        method="post"
        action={intakeStepPath(base, "check")}
        preventScrollReset
        className="intake-submit mt-6 grid gap-5 justify-items-start"
      >
        {bookingVersion && <input type="hidden" name="bookingVersion" value={bookingVersion} />}
        {phoneOffer && (
          <label className="choice w-full">
            <input type="checkbox" name="savePhone" defaultChecked />
            <span>Save {phoneOffer} as the phone number of your account, too</span>
          </label>
        )}
        <Button variant="primary" busyText="Sending…">
          {submitText}
        </Button>
      </Form>
    </>
  );
}
