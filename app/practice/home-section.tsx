import type { ReactNode } from "react";
import { DecorativeLine } from "./brand-art.tsx";

type SectionProps = {
  id: string;
  title: string;
  lead?: string;
  className?: string;
  isLast?: boolean;
  children: ReactNode;
};

/** Renders a section of the public page with the thread next to it. Its heading is its name; links lead to its id. */
export function HomeSection({ id, title, lead, className = "", isLast = false, children }: SectionProps) {
  const headingId = `${id}-title`;
  return (
    <section id={id} aria-labelledby={headingId} className={`section ${className}`.trim()}>
      <div className="section-grid">
        <div className="rail rail-top" />
        <DecorativeLoop />
        {!isLast && <div className="rail" />}
        <div className="section-head">
          <h2 id={headingId}>{title}</h2>
          {lead && <p className="text-lg">{lead}</p>}
        </div>
        {children}
      </div>
    </section>
  );
}

const THREAD_LOOP_PATH =
  "M240 0c0 29 1 132 0 175c-1 44-3 58-8 84c-4 26-12 51-21 73c-9 21-21 40-33 55c-12 14-25 25-38 31c-13 6-26 7-38 5c-12-2-24-10-33-19c-9-9-17-23-21-37c-5-14-8-31-8-47c0-16 3-33 8-47c4-14 12-28 21-37c9-9 21-17 33-19c12-2 25-1 38 5c13 6 26 17 38 31c12 15 24 34 33 55c9 22 17 47 21 73c5 26 7 40 8 84c1 43 0 146 0 175";

/**
 * Draws a loop of the thread at the beginning of a section. It starts at the top and ends at the bottom, in the middle.
 */
function DecorativeLoop() {
  return <DecorativeLine className="knot" viewBox="0 0 480 640" path={THREAD_LOOP_PATH} hasConstantStrokeWidth />;
}
