import { Form, Link } from "react-router";
import { Button } from "../ui/button.tsx";
import { ErrorSummary } from "../ui/form.tsx";
import type { Notice } from "../ui/notice.ts";
import { PageTitle } from "../ui/page-title.tsx";
import { AnswerList } from "./answer-list.tsx";
import { FORM_TITLE, stepAddress } from "./sections.ts";
import { StepHeading } from "./step-heading.tsx";
import type { IntakeStepsData } from "./steps.server.ts";

type CheckAnswersProps = {
  data: Extract<IntakeStepsData, { view: "check" }>;
  /** Why it could not be sent in, and the message that says so. */
  failed?: string;
  notice?: Notice | null;
  submitText: string;
};

/** The last step: everything once more, before it is sent. */
export function CheckAnswers({ data: { base, answers, progress }, failed, notice, submitText }: CheckAnswersProps) {
  const errors = failed ? [failed] : undefined;
  return (
    <>
      <PageTitle hasError={failed !== undefined}>{`Check your answers – ${FORM_TITLE}`}</PageTitle>
      <ErrorSummary
        form={{ id: "intake-check", errors, allErrors: errors ? { "": errors } : {}, status: errors && "error" }}
        notice={notice}
      />
      <StepHeading parts={progress.length} reached={progress.length}>
        Check your answers
      </StepHeading>
      <AnswerList
        sections={answers}
        titleAs="h4"
        renderBeside={({ name, title }) => (
          <Link
            to={stepAddress(base, name)}
            preventScrollReset
            className="inline-flex min-h-11 min-w-11 items-center text-pine underline underline-offset-4"
          >
            Change<span className="sr-only"> {title}</span>
          </Link>
        )}
      />
      <Form method="post" action={stepAddress(base, "check")} preventScrollReset className="mt-6">
        <Button variant="primary" busyText="Sending…">
          {submitText}
        </Button>
      </Form>
    </>
  );
}
