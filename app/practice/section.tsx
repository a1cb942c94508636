import type { ReactNode } from "react";
import { Knot } from "./thread.tsx";

type SectionProps = {
  id: string;
  title: string;
  lead?: string;
  className?: string;
  last?: boolean;
  children: ReactNode;
};

/** A section of the public page, hung on the thread. Its heading names it; links lead to its id. */
export function Section({ id, title, lead, className = "", last = false, children }: SectionProps) {
  const headingId = `${id}-title`;
  return (
    <section id={id} aria-labelledby={headingId} className={`section ${className}`.trim()}>
      <div className="section-grid">
        <div className="rail rail-top" />
        <Knot />
        {!last && <div className="rail" />}
        <div className="section-head">
          <h2 id={headingId}>{title}</h2>
          {lead && <p className="text-lg">{lead}</p>}
        </div>
        {children}
      </div>
    </section>
  );
}
