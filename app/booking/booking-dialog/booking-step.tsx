import type { ReactNode } from "react";
import { StepProgress } from "../../intake/step-heading.tsx";
import { Button } from "../../ui/button.tsx";
import { SeparatedList } from "../../ui/separated-list.tsx";
import { type BookingSteps, STEP_COUNT } from "./use-booking-steps.ts";

type BookingStepProps = {
  steps: BookingSteps;
  number: number;
  title: string;
  /** What was chosen in the groups before. */
  choices?: ReactNode[];
  /** The last group's button sends the form. */
  submitText?: string;
  busyText?: string;
  children: ReactNode;
};

/** One group of the schedule dialog: its heading, its fields, and with scripts the way to the next one. */
export function BookingStep({ steps, number, title, choices = [], submitText, busyText, children }: BookingStepProps) {
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
      </div>
      {children}
      <div className="booking-step-end">
        {steps.isStepped && number > 1 && (
          <Button type="button" variant="quiet" onClick={() => steps.show(number - 1)}>
            Back
          </Button>
        )}
        {steps.isStepped && !submitText && (
          <Button type="button" variant="primary" onClick={steps.showNext}>
            Continue
          </Button>
        )}
        {submitText && (
          <Button variant="primary" busyText={busyText}>
            {submitText}
          </Button>
        )}
      </div>
    </section>
  );
}
