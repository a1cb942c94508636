import { ThreadProgress } from "../practice/thread.tsx";
import { SECTIONS } from "./questions.ts";

/** The heading of one step, below the dialog's own; it takes the focus when the step changes. */
export function StepHeading({ children, above, reached }: { children: string; above?: string; reached: number }) {
  return (
    <div className="mb-5 grid gap-2">
      <ThreadProgress parts={SECTIONS.length} reached={reached} />
      {above && <p className="text-muted">{above}</p>}
      <h3 tabIndex={-1} data-step-heading className="text-xl">
        {children}
      </h3>
    </div>
  );
}
