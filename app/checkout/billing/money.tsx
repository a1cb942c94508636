import { Link } from "react-router";
import { formError, type FormErrorOptions } from "../../accounts/form-error.server.ts";
import { requirePerson } from "../../accounts/guards.server.ts";
import { redirectWithFlash } from "../../accounts/sessions/flash.server.ts";
import { recordListRead } from "../../audit/list-reads.server.ts";
import { formatCount } from "../../format-count.ts";
import { readForm } from "../../http/form.server.ts";
import { readPage } from "../../http/list-query.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorSummary } from "../../ui/error-summary.tsx";
import { DownloadIcon } from "../../ui/icons.tsx";
import { formatCents } from "../../ui/money.ts";
import { usePageForm } from "../../ui/page-form.ts";
import { PageTitle } from "../../ui/page-title.tsx";
import { Pagination } from "../../ui/pagination.tsx";
import { SeparatedList } from "../../ui/separated-list.tsx";
import { recordInPersonPayments } from "../admin-payments.server.ts";
import "./billing.css";
import type { Route } from "./+types/money";
import { ledgerOf } from "./ledger.server.ts";
import { markPaidSchema } from "./mark-paid-schema.ts";
import { moneyDue } from "./money-due.server.ts";
import { MoneyDueForm } from "./money-due-form.tsx";
import { parsePeriod, periodName, shiftPeriod } from "./period.ts";
import { practiceToday } from "../../booking/practice-today.server.ts";

const TITLE = "Money";
const NOT_RECORDED = { title: "Nothing was recorded" } satisfies FormErrorOptions;

export async function loader({ context, url }: Route.LoaderArgs) {
  const person = requirePerson(context);
  await recordListRead();
  const month = practiceToday().slice(0, "2026-11".length);
  const period = parsePeriod(url.searchParams.get("period")) ?? month;
  const [due, ledger] = await Promise.all([moneyDue(person, readPage(url.searchParams)), ledgerOf(person, period)]);
  const isYear = period.length === "2026".length;
  const next = shiftPeriod(period, 1);
  const periods = [
    shiftPeriod(period, -1),
    next && next <= month ? next : null,
    isYear ? month : period.slice(0, "2026".length),
  ];
  const { dueCount, comingCount } = due.totals;
  return {
    due,
    counts: { due: formatCount(dueCount, "visit"), coming: formatCount(comingCount, "visit") },
    ledger,
    period: { value: period, name: periodName(period) },
    otherPeriods: periods.flatMap((value) => (value === null ? [] : [{ value, name: periodName(value) }])),
  };
}

/** Marks the chosen visits as paid in person. */
export async function action({ context, request, url }: Route.ActionArgs) {
  const submission = await readForm(request, markPaidSchema);
  if (submission.status !== "success") return formError(context, submission, null, NOT_RECORDED);
  const { visit, ...how } = submission.value;
  const result = await recordInPersonPayments(requirePerson(context), visit, how);
  if (!result.ok) return formError(context, submission, result, NOT_RECORDED);
  const { recordedIds, refusedIds, amountCents } = result.value;
  const refusedText = ` Not recorded, because paid or cancelled in the meantime: ${formatCount(refusedIds.length, "visit")} (reference ${refusedIds.join(", ")}).`;
  return redirectWithFlash(context, `${url.pathname}${url.search}`, {
    title: "Payments recorded",
    description: `${formatCount(recordedIds.length, "visit")}, ${formatCents(amountCents)}.${refusedIds.length > 0 ? refusedText : ""}`,
  });
}

/** Who owes what, and what came in and went back. */
export default function Money({ loaderData, actionData }: Route.ComponentProps) {
  const { due, counts, ledger, period } = loaderData;
  const { dueCents, comingCents } = due.totals;
  const [form, fields] = usePageForm<{ visit: string; method: string; note: string }>({
    id: `due-${dueCents}-${comingCents}`,
    lastResult: actionData?.result,
  });
  return (
    <main id="main" tabIndex={-1} className="page">
      <PageTitle hasError={form.status === "error"}>{TITLE}</PageTitle>
      <h1>{TITLE}</h1>
      <ErrorSummary form={form} notice={actionData?.notice} />
      <dl className="money-figures">
        <Figure label="Due now" cents={dueCents} text={counts.due} isStrong={dueCents > 0} />
        <Figure label="Visits to come, not paid" cents={comingCents} text={counts.coming} />
        <Figure
          label={`Received in ${period.name}`}
          cents={ledger.paidCents - ledger.refundedCents}
          text={ledger.refundedCents > 0 ? `after ${formatCents(ledger.refundedCents)} refunded` : "nothing refunded"}
        />
      </dl>
      <Card title="Who owes what">
        {due.families.length === 0 ? (
          <p>Nobody owes you anything. Visits that are to be paid in person show up here.</p>
        ) : (
          <MoneyDueForm families={due.families} form={form} fields={fields} />
        )}
        <Pagination page={due.page} pageCount={due.pageCount} label="Pages of families" />
      </Card>
      <PeriodCard {...loaderData} />
    </main>
  );
}

type FigureProps = { label: string; cents: number; text: string; isStrong?: boolean };

function Figure({ label, cents, text, isStrong = false }: FigureProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <strong className={isStrong ? "text-warn" : ""}>{formatCents(cents)}</strong> <span>{text}</span>
      </dd>
    </div>
  );
}

type Loaded = Awaited<ReturnType<typeof loader>>;

function PeriodCard({ ledger, period, otherPeriods }: Pick<Loaded, "ledger" | "period" | "otherPeriods">) {
  const { paidCents, refundedCents, families, familyCount } = ledger;
  return (
    <Card
      title={period.name}
      action={
        <LinkButton href={`/money.csv?period=${period.value}`}>
          <DownloadIcon /> Spreadsheet<span className="sr-only"> of {period.name} (CSV)</span>
        </LinkButton>
      }
    >
      <p>
        <SeparatedList
          items={[
            `${formatCents(paidCents)} paid`,
            `${formatCents(refundedCents)} refunded`,
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
          These are the first {families.length} of {familyCount} families. The spreadsheet has all of them.
        </p>
      )}
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
