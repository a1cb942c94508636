import { formatCents } from "../../ui/format-currency.ts";
import type { VisitKind } from "../visit-kind.ts";

const WHEN_WE_MEET = "when we meet.";
const AS_ARRANGED = "by check or cash. Your consultant arranges that with you.";

/** How a visit without an online payment is paid: at the meeting, or as the consultant arranges it for one by video or link. */
export function payInPersonText(kind: VisitKind, cents: number): string {
  return `You pay ${formatCents(cents)} ${kind === "in-person" ? WHEN_WE_MEET : AS_ARRANGED}`;
}

/** The same beside the amount; after a meeting that was not paid (`isOver`) the consultant arranges it, too. */
export function howToPayText(kind: VisitKind, isOver: boolean): string {
  return `You pay ${kind === "in-person" && !isOver ? WHEN_WE_MEET : AS_ARRANGED}`;
}
