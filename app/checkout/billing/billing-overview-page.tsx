import { type ReactNode, useLayoutEffect, useRef } from "react";
import { Link } from "react-router";
import type { FormErrorData } from "../../accounts/form-error-response.server.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorSummary } from "../../ui/error-summary.tsx";
import { DownloadIcon } from "../../ui/icons.tsx";
import { formatCents } from "../../ui/format-currency.ts";
import { useServerValidatedForm } from "../../ui/use-server-validated-form.ts";
import { PageMeta } from "../../ui/page-meta.tsx";
import { Pagination } from "../../ui/pagination.tsx";
import { SeparatedList } from "../../ui/separated-list.tsx";
import stylesheet from "./billing.css?url";
import { OutstandingBalancesForm } from "./outstanding-balances-form.tsx";
import type { BillingOverviewPageData } from "./billing-overview-page.server.ts";

const TITLE = "Money";

type BillingOverviewPageProps = { data: BillingOverviewPageData; formError?: FormErrorData; dialog?: ReactNode };

/**
 * Shows the outstanding balances, and the payments and refunds of a period. Also rendered behind a dialog that is
 * opened from it.
 */
export function BillingOverviewPage({ data, formError, dialog }: BillingOverviewPageProps) {
  const { due, counts, ledger, period, path } = data;
  const { dueCents, upcomingCents } = due.totals;
  const [form, fields] = useServerValidatedForm<{ visit: string; method: string; note: string }>({
    id: `due-${dueCents}-${upcomingCents}`,
    lastResult: formError?.result,
  });
  const card = useFocusAfterSaving(form.id);
  return (
    <main id="main" tabIndex={-1} className="page">
      <link rel="stylesheet" href={stylesheet} precedence="page" />
      {!dialog && <PageMeta hasError={form.status === "error"}>{TITLE}</PageMeta>}
      <h1>{TITLE}</h1>
      <ErrorSummary form={form} notice={formError?.notice} />
      <dl className="money-figures">
        <TotalAmount label="Due now" cents={dueCents} text={counts.due} isStrong={dueCents > 0} />
        <TotalAmount label="Upcoming visits, not paid" cents={upcomingCents} text={counts.coming} />
        <TotalAmount
          label={`Received in ${period.name}`}
          cents={ledger.paidCents - ledger.refundedCents}
          text={ledger.refundedCents > 0 ? `after ${formatCents(ledger.refundedCents)} refunded` : "nothing refunded"}
        />
      </dl>
      <div ref={card} className="contents">
        <Card title="Who owes what">
          {due.families.length === 0 ? (
            <p>Nobody owes you anything. Visits that are to be paid in person show up here.</p>
          ) : (
            <OutstandingBalancesForm path={path} families={due.families} form={form} fields={fields} />
          )}
          <Pagination page={due.page} pageCount={due.pageCount} label="Pages of families" path={path} />
        </Card>
      </div>
      <PeriodCard {...data} />
      {dialog}
    </main>
  );
}

/**
 * Moves the focus to the heading above the form after saving, because a form with the remaining visits replaces the
 * submitted one.
 */
function useFocusAfterSaving(formId: string) {
  const card = useRef<HTMLDivElement>(null);
  const shownId = useRef(formId);
  useLayoutEffect(() => {
    if (shownId.current !== formId && document.activeElement === document.body)
      card.current?.querySelector("h2")?.focus();
    shownId.current = formId;
  }, [formId]);
  return card;
}

type FigureProps = { label: string; cents: number; text: string; isStrong?: boolean };

function TotalAmount({ label, cents, text, isStrong = false }: FigureProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <strong className={isStrong ? "text-warn" : ""}>{formatCents(cents)}</strong> <span>{text}</span>
      </dd>
    </div>
  );
}

function PeriodCard({
  ledger,
  period,
  otherPeriods,
}: Pick<BillingOverviewPageData, "ledger" | "period" | "otherPeriods">) {
  const { paidCents, refundedCents, waivedCents, families, familyCount } = ledger;
  return (
    <Card title={period.name}>
      <p>
        <SeparatedList
          items={[
            `${formatCents(paidCents)} paid`,
            `${formatCents(refundedCents)} refunded`,
            waivedCents > 0 && `${formatCents(waivedCents)} waived`,
            <strong key="received">{formatCents(paidCents - refundedCents)} received</strong>,
          ]}
        />
      </p>
      <ul className="rows">
        {families.map((family) => (
          <li key={family.userId ?? 0} className="row">
            <span className="min-w-0 flex-1 basis-40 wrap-anywhere">
              {family.userId === null ? (
                "Without an account"
              ) : (
                <Link to={`/families/${family.userId}`}>
                  {family.name}
                  <span className="sr-only">, {period.name}</span>
                </Link>
              )}
            </span>
            <span>
              <SeparatedList
                items={[
                  `${formatCents(family.paidCents)} paid`,
                  family.refundedCents > 0 && `${formatCents(family.refundedCents)} refunded`,
                ]}
              />
            </span>
          </li>
        ))}
      </ul>
      {familyCount > families.length && (
        <p>
          These are the first {families.length} of {familyCount} families. The download has all of them.
        </p>
      )}
      <p data-screen-only>
        <LinkButton href={`/money.csv?period=${period.value}`}>
          <DownloadIcon /> Download {period.name} (CSV)
        </LinkButton>
      </p>
      <nav aria-label="Other months and years" className="actions" data-screen-only>
        {otherPeriods.map(({ value, name }) => (
          <LinkButton key={value} to={`/money?period=${value}`} preventScrollReset>
            {name}
          </LinkButton>
        ))}
      </nav>
    </Card>
  );
}
