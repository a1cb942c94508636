import type { ReactNode } from "react";

type AccountPageProps = {
  heading: string;
  lead: string;
  /** The error summary, above everything else. */
  summary?: ReactNode;
  children: ReactNode;
};

/** The layout of sign-in, registration and a new password. */
export function AccountPage({ heading, lead, summary, children }: AccountPageProps) {
  return (
    <main id="main" tabIndex={-1} className="account-page">
      {summary}
      <h1>{heading}</h1>
      <p>{lead}</p>
      {children}
    </main>
  );
}
