import type { ReactNode } from "react";

/** The frame of sign-in, registration and a new password. */
export function AccountPage({ heading, lead, children }: { heading: string; lead: string; children: ReactNode }) {
  return (
    <main id="main" tabIndex={-1} className="account-page">
      <h1>{heading}</h1>
      <p>{lead}</p>
      {children}
    </main>
  );
}
