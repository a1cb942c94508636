/** The heading of one step, below the dialog's own; it takes the focus when the step changes. */
export function StepHeading({ children, above }: { children: string; above?: string }) {
  return (
    <div className="mb-5">
      {above && <p className="text-muted">{above}</p>}
      <h3 tabIndex={-1} data-step-heading className="text-xl">
        {children}
      </h3>
    </div>
  );
}
