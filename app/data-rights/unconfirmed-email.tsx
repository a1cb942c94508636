import type { ReactNode } from "react";
import { Link } from "react-router";
import { useSite } from "../practice/site.ts";

type UnconfirmedEmailProps = {
  unconfirmed: { email: string; hasMail: boolean };
  /** Additional text on one of the two pages. */
  children?: ReactNode;
};

/** Explains that records sent with an unconfirmed address are neither exported nor erased with the account. */
export function UnconfirmedEmail({ unconfirmed: { email, hasMail }, children }: UnconfirmedEmailProps) {
  const { phone } = useSite().practice;
  return (
    <div role="note" className="notice wrap-anywhere">
      <p>
        What was sent to us with {email} while nobody was signed in is not part of this, nor are the visits and payments
        that came of it. The address is not confirmed, so they may be somebody else's.
      </p>
      {children}
      {hasMail ? (
        <p>
          If they are yours, <Link to="/messages">confirm your email address</Link> first.
        </p>
      ) : (
        <p>If they are yours, please call us first: {phone}.</p>
      )}
    </div>
  );
}
