import { formatCents } from "../../ui/format-currency.ts";
import type { VisitKind } from "../visit-kind.ts";

const PAY_AT_MEETING_TEXT = "when we meet.";
const PAY_AS_ARRANGED_TEXT = "by check or cash. Your consultant arranges that with you.";

/**
 * Returns how a visit without an online payment is paid: at the meeting, or, for a visit by video or link, as the
 * consultant arranges it.
 */
export function offlinePaymentText(kind: VisitKind, cents: number): string {
  return `You pay ${formatCents(cents)} ${kind === "in-person" ? PAY_AT_MEETING_TEXT : PAY_AS_ARRANGED_TEXT}`;
}

/**
 * Returns the same text for display next to the amount. After an unpaid in-person meeting (`isOver`), the consultant
 * also arranges the payment.
 */
export function offlinePaymentTextWithoutAmount(kind: VisitKind, isOver: boolean): string {
  return `You pay ${kind === "in-person" && !isOver ? PAY_AT_MEETING_TEXT : PAY_AS_ARRANGED_TEXT}`;
}
