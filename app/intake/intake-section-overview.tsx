import { Link } from "react-router";
import { Badge, type BadgeColor } from "../ui/badge.tsx";
import { LinkButton } from "../ui/button.tsx";
import { CheckIcon } from "../ui/icons.tsx";
import { PageMeta } from "../ui/page-meta.tsx";
import type { SectionStatus } from "./section-progress.ts";
import { INTAKE_FORM_TITLE, intakeStepPath } from "./intake-sections.ts";
import { StepHeading } from "./step-heading.tsx";
import type { IntakeWizardData } from "./intake-wizard.server.ts";

const STATUS_COLORS: Record<SectionStatus, BadgeColor> = {
  "Not started": "grey",
  "In progress": "yellow",
  Completed: "green",
};

const SECTIONS_NOTE = "Four short sections, about 10 minutes. Each is saved as you go";

/** Shows the overview of the form: its sections and their status. */
export function IntakeSectionOverview({ data, isTimeHeld }: { data: IntakeWizardData; isTimeHeld: boolean }) {
  const { base, progress, next, isUpdate, isSaved } = data;
  const completedCount = progress.filter(({ status }) => status === "Completed").length;
  const isStarted = progress.some(({ status }) => status !== "Not started");
  return (
    <>
      <PageMeta>{INTAKE_FORM_TITLE}</PageMeta>
      <StepHeading stepCount={progress.length} currentStep={completedCount}>
        {isUpdate ? "Update your answers" : "Tell us your family's story"}
      </StepHeading>
      <p>
        {isUpdate
          ? "Choose a section to change. Then check all your answers and submit the form again. It replaces the one you sent before."
          : isTimeHeld
            ? `${SECTIONS_NOTE}.`
            : `${SECTIONS_NOTE}, so you can stop anytime and finish later, on any device.`}
      </p>
      {isSaved && (
        <p className="mt-4 flex gap-3 rounded-md bg-good-soft p-3 text-good">
          <CheckIcon className="mt-0.5 size-6 shrink-0" />
          {isUpdate
            ? "Your changes are saved, but not submitted yet."
            : `Your answers so far are saved.${isTimeHeld ? "" : " You can close this form and finish later."}`}
        </p>
      )}
      <LinkButton variant="primary" to={intakeStepPath(base, next)} preventScrollReset className="mt-4 max-sm:w-full">
        {nextButtonText({ next, progress }, isStarted)}
      </LinkButton>
      <p className="mt-5 text-muted">
        {completedCount} of {progress.length} sections completed
      </p>
      <ol className="mt-2 border-t border-line">
        {progress.map(({ name, title, status }) => (
          <li key={name} className="border-b border-line">
            <Link
              to={intakeStepPath(base, name)}
              preventScrollReset
              className="flex min-h-14 flex-wrap items-center justify-between gap-x-4 gap-y-1 py-3 text-primary"
            >
              <span className="grow basis-30 underline decoration-1 underline-offset-4">{title}</span>
              <Badge color={STATUS_COLORS[status]}>{status}</Badge>
            </Link>
          </li>
        ))}
      </ol>
    </>
  );
}

function nextButtonText({ next, progress }: Pick<IntakeWizardData, "next" | "progress">, isStarted: boolean): string {
  if (next === "check") return "Check your answers";
  const title = progress.find(({ name }) => name === next)?.title;
  return isStarted ? `Continue: ${title}` : "Start the form";
}
