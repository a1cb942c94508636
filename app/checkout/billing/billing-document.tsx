import { Link, useLocation } from "react-router";
import "../../ui/styles/print.css";
import { PRACTICE_DETAILS_PATH } from "../../practice/site-links.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { PageMeta } from "../../ui/page-meta.tsx";
import { SeparatedList } from "../../ui/separated-list.tsx";
import type { billingDocumentIssuer } from "./invoices.server.ts";

export type BillingDocumentDetail = { term: string; text: string; isStrong?: boolean };

export type BillingDocumentData = {
  title: string;
  issuer: ReturnType<typeof billingDocumentIssuer>;
  details: BillingDocumentDetail[];
  child: { isKnown: boolean; name: string | null };
  backPath: string;
  /** Whether the administrator should add practice details that insurers require (address, tax id). */
  isIncomplete: boolean;
};

/** Shows an invoice or a receipt, on screen and in print. */
export function BillingDocument({
  bill: { title, issuer, details, child, backPath, isIncomplete },
}: {
  bill: BillingDocumentData;
}) {
  const { pathname } = useLocation();
  return (
    <main id="main" tabIndex={-1} className="narrow-page">
      <PageMeta>{title}</PageMeta>
      {isIncomplete && (
        <p role="note" className="notice" data-screen-only>
          Insurers and health savings accounts ask for your address and tax number.{" "}
          <Link to={PRACTICE_DETAILS_PATH}>Add them</Link>, and they show up here.
        </p>
      )}
      <div data-print className="grid gap-4">
        <h1>{title}</h1>
        <div className="wrap-anywhere">
          <p className="font-bold">{issuer.name}</p>
          {issuer.address && <p>{issuer.address}</p>}
          <p>
            <SeparatedList items={[issuer.phone, issuer.email]} />
          </p>
          {issuer.taxId && <p>Tax ID (EIN): {issuer.taxId}</p>}
        </div>
        <dl className="facts">
          {issuer.provider && (
            <Detail term="Provider" text={[issuer.provider, issuer.license].filter(Boolean).join(", ")} />
          )}
          {details.map((detail) => (
            <Detail key={`${detail.term} ${detail.text}`} {...detail} />
          ))}
        </dl>
      </div>
      <div className="actions">
        <Button type="button" variant="primary" className="scripted" onClick={() => window.print()}>
          Print
        </Button>
        {child.isKnown && (
          <LinkButton to={child.name === null ? `${pathname}?child=shown` : pathname} preventScrollReset replace>
            {child.name === null ? "Show the child's name" : "Hide the child's name"}
          </LinkButton>
        )}
        <LinkButton to={backPath}>Back</LinkButton>
      </div>
    </main>
  );
}

function Detail({ term, text, isStrong = false }: BillingDocumentDetail) {
  return (
    <>
      <dt>{term}</dt>
      <dd className={isStrong ? "font-bold" : ""}>{text}</dd>
    </>
  );
}
