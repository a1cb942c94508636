import { formatCents } from "../../ui/format-currency.ts";
import type { VisitKind } from "../visit-kind.ts";

/** How a visit without an online payment is paid: at the meeting, or as the consultant arranges it for one by video or link. */
export function payInPersonText(kind: VisitKind, cents: number): string {
  return kind === "in-person"
    ? `You pay ${formatCents(cents)} when we meet.`
    : `You pay ${formatCents(cents)} by check or cash. Your consultant arranges that with you.`;
}
