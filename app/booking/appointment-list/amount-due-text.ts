import { formatCents } from "../../ui/format-currency.ts";
import { sum } from "../prices/sum.ts";
import type { AdminRow } from "./admin-row-data.ts";

type DuePart = Pick<AdminRow, "start" | "dueCents">;

/**
 * Returns the unpaid amount of visits up to the end of today as text in US dollars; null when nothing is due. The
 * amount for today's visits, over or not, is listed separately. `today` is the current day in the practice's time zone.
 */
export function amountDueText(visits: readonly DuePart[], today: { from: Date; until: Date }): string | null {
  const [from, until] = [today.from.toISOString(), today.until.toISOString()];
  const ofToday = visits.filter(({ start, dueCents }) => dueCents > 0 && start >= from && start < until);
  const earlierCents = sum(visits.filter(({ start }) => start < from).map(({ dueCents }) => dueCents));
  if (ofToday.length === 0) return earlierCents > 0 ? formatCents(earlierCents) : null;
  const noun = ofToday.length === 1 ? "today's visit" : "today's visits";
  const forToday = `${formatCents(sum(ofToday.map(({ dueCents }) => dueCents)))} for ${noun}`;
  return earlierCents > 0 ? `${formatCents(earlierCents)} from earlier, ${forToday}` : forToday;
}
