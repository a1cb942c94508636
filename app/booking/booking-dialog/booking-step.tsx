import type { ReactNode } from "react";
import { StepProgress } from "../../intake/step-heading.tsx";
import { Button } from "../../ui/button.tsx";
import { SeparatedList } from "../../ui/separated-list.tsx";
import { type BookingSteps, STEP_COUNT, TIME_STEP } from "./use-booking-steps.ts";

type BookingStepProps = {
  steps: BookingSteps;
  number: number;
  title: string;
  /** What was chosen in the previous steps. */
  choices?: ReactNode[];
  /**
   * Whether the chosen time is held; null while that is not known, undefined where it isn't shown. Announced to screen
   * readers when it changes.
   */
  status?: ReactNode;
  children: ReactNode;
};

/** Shows one step of the schedule dialog: its heading and its fields. */
export function BookingStep({ steps, number, title, choices = [], status, children }: BookingStepProps) {
  const headingId = `booking-step-${number}`;
  return (
    <section
      hidden={steps.isStepped && steps.current !== number}
      aria-labelledby={headingId}
      data-booking-step={number}
      className="booking-step"
    >
      <div className="booking-step-head">
        <StepProgress stepCount={STEP_COUNT} currentStep={number} />
        <p className="text-muted">
          Step {number} of {STEP_COUNT}
        </p>
        <h3 id={headingId} tabIndex={-1} className="text-xl">
          {title}
        </h3>
        {choices.some(Boolean) && (
          <p className="booking-choices">
            <SeparatedList items={choices} />
          </p>
        )}
        {status !== undefined && (
          // Has its height before the answer, so that nothing moves under a finger.
          <p role="status" className="hint min-h-lh">
            {status}
          </p>
        )}
      </div>
      {children}
    </section>
  );
}

type BookingSubmitBarProps = {
  steps: BookingSteps;
  submitText: string;
  busyText: string;
  /** The chosen time in words. Shown in the step where it is chosen. */
  time: string | null;
};

/** Shows the dialog's buttons: back and next, and the submit button in the last step or without scripts. */
export function BookingSubmitBar({ steps, submitText, busyText, time }: BookingSubmitBarProps) {
  const isLast = !steps.isStepped || steps.current === STEP_COUNT;
  return (
    <div className="sheet-footer">
      {steps.isStepped && steps.current > 1 && (
        <Button type="button" variant="quiet" onClick={steps.showPrevious}>
          Back
        </Button>
      )}
      {steps.isStepped && steps.current === TIME_STEP && time && <p>{time}</p>}
      {/* Two keys, so that a press that shows the last step does not also activate the submit button. */}
      {isLast ? (
        <Button key="send" variant="primary" busyText={busyText}>
          {submitText}
        </Button>
      ) : (
        <Button
          key="next"
          type="button"
          variant="primary"
          aria-disabled={steps.isChecking}
          onClick={() => void steps.showNext()}
        >
          {steps.isChecking ? "Checking…" : "Continue"}
        </Button>
      )}
    </div>
  );
}
