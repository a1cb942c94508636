import { formatCents } from "../../ui/format-currency.ts";
import type { AdminRow } from "./admin-row-data.ts";

/** What is unpaid of past visits, as text in US dollars; null when nothing is. */
export function pastDueText(past: readonly AdminRow[]): string | null {
  const cents = past.reduce((sum, { dueCents }) => sum + dueCents, 0);
  return cents > 0 ? formatCents(cents) : null;
}
