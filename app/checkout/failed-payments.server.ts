import { refusalUnlessAdmin } from "../accounts/authorization.server.ts";
import { type Person, fullName } from "../accounts/person.ts";
import { now } from "../clock.ts";
import { db } from "../db/database-client.server.ts";
import { DAY_MS } from "../time-units.ts";
import { formatCents } from "../ui/format-currency.ts";
import { unrefundedCents } from "../booking/prices/cancellation-policy.ts";

/** How long a declined payment is shown. */
const FAILED_PAYMENT_PERIOD_MS = 7 * DAY_MS;
const MAX_READ_ROWS = 50;

/**
 * Lists families whose last payment attempt was declined within a week and who have not paid since, newest first, at
 * most `take`. Amounts are text in US dollars, instants ISO 8601 UTC. Empty for anyone but the administrator.
 */
export async function findFailedPayments(person: Person, take: number) {
  if (refusalUnlessAdmin(person)) return [];
  const rows = await db.payment.findMany({
    where: { userId: { not: null }, createdAt: { gt: new Date(now().getTime() - FAILED_PAYMENT_PERIOD_MS) } },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: MAX_READ_ROWS,
    select: {
      id: true,
      userId: true,
      state: true,
      amountCents: true,
      createdAt: true,
      user: { select: { firstName: true, lastName: true } },
    },
  });
  const latest = [...Map.groupBy(rows, ({ userId }) => userId).values()].flatMap(([newest]) => newest ?? []);
  return latest
    .filter(({ state }) => state === "declined")
    .slice(0, take)
    .map(({ id, userId, amountCents, createdAt, user }) => ({
      id,
      userId: userId ?? 0,
      name: user ? `${user.firstName} ${user.lastName}` : "",
      amount: formatCents(amountCents),
      at: createdAt.toISOString(),
    }));
}

/** How long a refund that the provider refused is shown. */
const FAILED_REFUND_PERIOD_MS = 30 * DAY_MS;

/**
 * Lists refunds that the card provider refused within 30 days, newest first, at most `take`, with the amount that later
 * refunds have not covered, as text in US dollars. Leaves out refunds that later ones cover completely, and refunds of
 * a payment that is refunded in full. Empty for anyone but the administrator.
 */
export async function findFailedRefunds(person: Person, take: number) {
  if (refusalUnlessAdmin(person)) return [];
  const rows = await db.refund.findMany({
    where: { state: "failed", createdAt: { gt: new Date(now().getTime() - FAILED_REFUND_PERIOD_MS) } },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: MAX_READ_ROWS,
    select: {
      id: true,
      amountCents: true,
      createdAt: true,
      payment: {
        select: {
          appointmentId: true,
          amountCents: true,
          refundedCents: true,
          user: { select: { firstName: true, lastName: true } },
          refunds: { where: { state: { not: "failed" } }, select: { id: true, amountCents: true } },
        },
      },
    },
  });
  return rows
    .map(({ amountCents, ...row }) => ({ ...row, missingCents: uncoveredRefundCents(amountCents, row) }))
    .filter(({ missingCents: cents }) => cents > 0)
    .slice(0, take)
    .map(({ id, missingCents: cents, createdAt, payment }) => ({
      id,
      appointmentId: payment.appointmentId,
      name: payment.user ? fullName(payment.user) : "A deleted account",
      amount: formatCents(cents),
      at: createdAt.toISOString(),
    }));
}

type FailedRefund = {
  id: number;
  payment: { amountCents: number; refundedCents: number; refunds: readonly { id: number; amountCents: number }[] };
};

/**
 * Returns the cents of a refused refund of `amountCents` that are still to be refunded. A refund that is recorded later
 * covers a part of it, because it may have been made earlier in the provider's dashboard.
 */
function uncoveredRefundCents(amountCents: number, { id, payment }: FailedRefund): number {
  const laterCents = payment.refunds.filter((other) => other.id > id).reduce((sum, each) => sum + each.amountCents, 0);
  return Math.min(amountCents - laterCents, unrefundedCents(payment));
}
