import type { ReactNode } from "react";

type NarrowPageProps = {
  heading: string;
  lead: string;
  /** The error summary, above everything else. */
  summary?: ReactNode;
  children: ReactNode;
};

/** A narrow page with one heading and one form, such as sign-in, registration, an invitation or a new password. */
export function NarrowPage({ heading, lead, summary, children }: NarrowPageProps) {
  return (
    <main id="main" tabIndex={-1} className="narrow-page">
      {summary}
      <h1>{heading}</h1>
      <p>{lead}</p>
      {children}
    </main>
  );
}
