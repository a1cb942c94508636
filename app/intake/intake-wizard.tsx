import type { SubmissionResult } from "@conform-to/react";
import { Suspense, useEffect, useRef } from "react";
import { useActionData } from "react-router";
import type { Notice } from "../ui/toast.ts";
import { lazyComponent } from "../ui/lazy-component.ts";
import "./check-answers.css";
import { SectionStep } from "./section-step.tsx";
import type { IntakeWizardData } from "./intake-wizard.server.ts";
import { IntakeSectionOverview } from "./intake-section-overview.tsx";

/**
 * Loaded on demand, because it is the last step. Its stylesheet is imported above, because the server-rendered page needs
 * it even without scripts.
 */
const CheckAnswers = lazyComponent(async () => (await import("./check-answers-step.tsx")).CheckAnswersStep);

type IntakeActionData = { result?: SubmissionResult<string[]> | null; notice?: Notice | null; failureMessage?: string };

type IntakeWizardProps = {
  data: IntakeWizardData;
  /** Label of the last button, for example when a booking continues after the form. */
  submitText?: string;
  /** Whether a time is held until this form is submitted. The form then doesn't suggest finishing it later. */
  isTimeHeld?: boolean;
  /** Version of the booking that continues after the form, as the page showed it. */
  bookingVersion?: string;
};

/** Shows the intake form, for a dialog titled `INTAKE_FORM_TITLE`. Sets the page title itself. */
export function IntakeWizard({
  data,
  submitText = "Submit intake form",
  isTimeHeld = false,
  bookingVersion,
}: IntakeWizardProps) {
  const actionData = useActionData<IntakeActionData>();
  const stepKey = data.view === "section" ? data.section : data.view;
  const container = useFocusHeadingOnStep(stepKey);
  return (
    <div ref={container}>
      <Suspense>
        {data.view === "section" && <SectionStep key={stepKey} data={data} result={actionData?.result} />}
        {data.view === "check" && (
          <CheckAnswers
            data={data}
            failureMessage={actionData?.failureMessage}
            notice={actionData?.notice}
            submitText={submitText}
            bookingVersion={bookingVersion}
          />
        )}
        {data.view === "sections" && <IntakeSectionOverview data={data} isTimeHeld={isTimeHeld} />}
      </Suspense>
    </div>
  );
}

/** Focuses the heading of a new step, for screen readers. For the first step, the dialog sets the focus. */
function useFocusHeadingOnStep(stepKey: string) {
  const container = useRef<HTMLDivElement>(null);
  const previousStepKey = useRef(stepKey);
  useEffect(() => {
    if (previousStepKey.current === stepKey) return;
    previousStepKey.current = stepKey;
    container.current?.closest("dialog")?.scrollTo(0, 0);
    container.current?.querySelector<HTMLElement>("[data-step-heading]")?.focus({ preventScroll: true });
  }, [stepKey]);
  return container;
}
