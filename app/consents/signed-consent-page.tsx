import { Form, Link } from "react-router";
import { useSite } from "../practice/site.ts";
import { Button, LinkButton } from "../ui/button.tsx";
import { PageMeta } from "../ui/page-meta.tsx";
import { CONSENTS_PATH, consentPath, signedConsentPath } from "./consent-paths.ts";
import { type SignedText, SignedTextWithSignature } from "./signed-text.tsx";

type SignedPageProps = { id: string; signed: SignedText; earlier?: SignedText[]; canWithdraw?: boolean };

/** Shows a signed text with its signature, to read and to print. */
export function SignedConsentPage({ id, signed, earlier = [], canWithdraw = false }: SignedPageProps) {
  const { practice } = useSite();
  return (
    <main id="main" tabIndex={-1} className="narrow-page">
      <PageMeta>{signed.title}</PageMeta>
      <div data-print className="grid gap-4">
        <h1>{signed.title}</h1>
        <p className="text-muted">
          {practice.name}. Text of {signed.version}.
        </p>
        <SignedTextWithSignature signed={signed} />
      </div>
      <EarlierSignatures id={id} earlier={earlier} />
      <div className="actions">
        <Button type="button" className="scripted" onClick={() => window.print()}>
          Print
        </Button>
        {canWithdraw && <WithdrawConsentForm />}
        {!canWithdraw && <LinkButton to={consentPath(id)}>What is offered now</LinkButton>}
        <LinkButton to={CONSENTS_PATH}>All agreements</LinkButton>
      </div>
    </main>
  );
}

export function WithdrawConsentForm() {
  return (
    <Form method="post" className="contents">
      <Button name="intent" value="withdraw" variant="danger" busyText="Taking back…">
        Take it back
      </Button>
    </Form>
  );
}

/** Links to the texts of the signatures that have ended or were replaced. */
export function EarlierSignatures({ id, earlier }: { id: string; earlier: SignedText[] }) {
  if (earlier.length === 0) return null;
  return (
    <details className="disclosure">
      <summary>What you signed before</summary>
      <ul className="list-disc space-y-1 pl-5">
        {earlier.map((each) => (
          <li key={each.id}>
            <Link to={signedConsentPath(id, each.id)}>Signed on {each.signedOn}</Link>
            {each.endedOn && `, ended on ${each.endedOn}`}
          </li>
        ))}
      </ul>
    </details>
  );
}
