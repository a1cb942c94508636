import { formatCents } from "../../ui/format-currency.ts";
import { sum } from "../../sum.ts";
import type { AdminRow } from "./admin-appointment-row-data.ts";

type Priced = Pick<AdminRow, "start" | "dueCents" | "unpaidCents">;

/**
 * Returns the unpaid amount of visits that have begun as text in US dollars; null when nothing is due. The amount of
 * visits since `todayStart`, the start of the day in the practice's time zone, is named apart.
 */
export function amountDueText(visits: readonly Priced[], todayStart: Date): string | null {
  const from = todayStart.toISOString();
  const todaysVisits = visits.filter(({ start, dueCents }) => dueCents > 0 && start >= from);
  const earlierCents = sum(visits.filter(({ start }) => start < from).map(({ dueCents }) => dueCents));
  if (todaysVisits.length === 0) return earlierCents > 0 ? formatCents(earlierCents) : null;
  const noun = todaysVisits.length === 1 ? "today's visit" : "today's visits";
  const forToday = `${formatCents(sum(todaysVisits.map(({ dueCents }) => dueCents)))} for ${noun}`;
  return earlierCents > 0 ? `${formatCents(earlierCents)} from earlier, ${forToday}` : forToday;
}

/** Returns the amount that is to be paid for visits to come as text in US dollars; null when there is none. */
export function formatUpcomingAmount(visits: readonly Priced[]): string | null {
  const cents = sum(visits.map(({ unpaidCents, dueCents }) => unpaidCents - dueCents));
  return cents > 0 ? `${formatCents(cents)} to come` : null;
}
