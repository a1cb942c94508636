type StepHeadingProps = { children: string; caption?: string; stepCount: number; currentStep: number };

/** Shows the heading of a step, below the dialog's title. Receives the focus when the step changes. */
export function StepHeading({ children, caption, stepCount, currentStep }: StepHeadingProps) {
  return (
    <div className="mb-5 grid grid-cols-1 gap-2">
      <StepProgress stepCount={stepCount} currentStep={currentStep} />
      {caption && <p className="text-muted">{caption}</p>}
      <h3 tabIndex={-1} data-step-heading className="text-xl">
        {children}
      </h3>
    </div>
  );
}

const LOOP_PATH = "c34 6 64 4 82-10s-2-20-10-8 4 24 22 22 24-8 38-4";
const LOOP_WIDTH = 132;

/** Shows a decorative progress line with one loop for each step. The text next to it gives the same information. */
export function StepProgress({ stepCount, currentStep }: { stepCount: number; currentStep: number }) {
  const path = `M3 26${LOOP_PATH.repeat(stepCount)}`;
  return (
    <svg
      className="thread-progress"
      viewBox={`0 0 ${stepCount * LOOP_WIDTH + 6} 36`}
      fill="none"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <path className="thread-ahead" d={path} />
      {currentStep > 0 && <path className="thread" d={`M3 26${LOOP_PATH.repeat(currentStep)}`} />}
    </svg>
  );
}
