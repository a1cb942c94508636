import { Link } from "react-router";

export const ACCEPT_TERMS_PATH = "/accept-terms";

/** Asks a family to read and accept terms that are newer than those it accepted. */
export function NewTermsNote() {
  return (
    <aside className="privacy-note" aria-label="Our terms">
      Our terms and privacy policy have changed. <Link to={ACCEPT_TERMS_PATH}>Read them and agree</Link>
    </aside>
  );
}
