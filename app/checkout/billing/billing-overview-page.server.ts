import type { Person } from "../../accounts/person.ts";
import { findFamilyNamesById } from "../../accounts/family-names.server.ts";
import { recordListRead } from "../../audit/record-list-reads.server.ts";
import { practiceToday } from "../../booking/practice-today.server.ts";
import { formatCountWithNoun } from "../../format-count-with-noun.ts";
import { readPageNumber } from "../../http/list-query.ts";
import { loadLedgerSummary } from "./ledger.server.ts";
import { loadOutstandingBalances } from "./outstanding-balances.server.ts";
import { parsePeriod, formatPeriod, shiftPeriod } from "./billing-period.ts";

export type BillingOverviewPageData = Awaited<ReturnType<typeof loadBillingOverviewWithAudit>>;

/**
 * Loads the outstanding balances, and the payments and refunds of the period in the query (default: the current month).
 * Amounts are US cents.
 */
export async function loadBillingOverviewWithAudit(person: Person, query: URLSearchParams) {
  await recordListRead();
  const month = practiceToday().slice(0, "2026-11".length);
  const period = parsePeriod(query.get("period")) ?? month;
  const [due, ledger] = await Promise.all([
    loadOutstandingBalances(person, readPageNumber(query)),
    loadLedgerSummary(person, period),
  ]);
  const families = [...due.families, ...ledger.families];
  const names = await findFamilyNamesById(families.flatMap(({ userId }) => userId ?? []));
  const withName = <Family extends { userId: number | null }>(family: Family) => ({
    ...family,
    name: family.userId === null ? null : (names.get(family.userId) ?? null),
  });
  const isYear = period.length === "2026".length;
  const next = shiftPeriod(period, 1);
  const periods = [
    shiftPeriod(period, -1),
    next && next <= month ? next : null,
    isYear ? month : period.slice(0, "2026".length),
  ];
  const { dueCount, upcomingCount } = due.totals;
  return {
    path: `/money${query.size > 0 ? `?${query}` : ""}`,
    due: { ...due, families: due.families.map(withName) },
    counts: { due: formatCountWithNoun(dueCount, "visit"), coming: formatCountWithNoun(upcomingCount, "visit") },
    ledger: { ...ledger, families: ledger.families.map(withName) },
    period: { value: period, name: formatPeriod(period) },
    otherPeriods: periods.flatMap((value) => (value === null ? [] : [{ value, name: formatPeriod(value) }])),
  };
}
