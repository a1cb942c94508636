import { useEffect, useRef } from "react";
import { SubmittedIntakeForm } from "../../intake/submitted-intake-form.tsx";
import type { VisitIntake } from "./visit-intake.server.ts";

/** Shows the family's intake form beside the details of its visit, below them in a narrow window. */
export function VisitIntakeForm({ intake: { owner, summary } }: { intake: VisitIntake }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section id="intake-form" aria-labelledby="visit-intake-heading" className="min-w-0">
      <h3
        ref={heading}
        id="visit-intake-heading"
        tabIndex={-1}
        data-first-focus
        data-print
        className="mb-2 scroll-mt-4 text-xl wrap-anywhere"
      >
        Intake form: {owner}
      </h3>
      <SubmittedIntakeForm summary={summary} titleAs="h4" />
    </section>
  );
}
