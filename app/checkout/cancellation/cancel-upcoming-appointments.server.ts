import { assertAdministrator } from "../../accounts/authorization.server.ts";
import { lockAccountRow } from "../../accounts/lock-account-row.server.ts";
import type { Person } from "../../accounts/person.ts";
import { now } from "../../clock.ts";
import { db, inTransaction } from "../../db/database-client.server.ts";
import { cancelAppointmentByFamily, cancelAppointmentForEndedAccount } from "./cancel-appointment.server.ts";
import { CANCELLABLE_SELECT, type CancellationAmounts, familyCancellationAmounts } from "./cancellation-texts.ts";
import type { AccountEndReason } from "./refund-reasons.ts";
import type { Outcome } from "../../http/outcome.ts";
import { releaseHoldsOfFamily } from "../../booking/holds/release-holds.server.ts";
import { endOffersOfFamily } from "../../booking/waiting-list/end-waiting-list-offers.server.ts";
import { FINAL_STATUSES } from "../../booking/appointment-status.ts";

/**
 * `uncanceledCount` is the number of appointments that could not be canceled because their payment is in flight. Amounts are US
 * cents.
 */
export type CancellationSummary = {
  canceled: number;
  refundCents: number;
  areRefundsSent: boolean;
  uncanceledCount: number;
};

/** Lists a family's appointments that have not begun and are not concluded, soonest first. */
export function listUpcomingAppointments(userId: number) {
  return db.appointment.findMany({
    where: { userId, appointmentDate: { gt: now() }, status: { notIn: FINAL_STATUSES } },
    orderBy: [{ appointmentDate: "asc" }, { id: "asc" }],
    select: {
      id: true,
      ...CANCELLABLE_SELECT,
      payments: { where: { state: "paid", provider: { not: null } }, select: REFUNDABLE_SELECT },
    },
  });
}

const REFUNDABLE_SELECT = { amountCents: true, refundedCents: true } as const;

/** Returns the refunds and the fees if a family cancels all its upcoming appointments at `time`. */
export async function sumUpcomingCancellationAmounts(userId: number, time: Date): Promise<CancellationAmounts> {
  const total = { refundCents: 0, feeCents: 0 };
  for (const { payments, ...appointment } of await listUpcomingAppointments(userId)) {
    const { refundCents, feeCents } = familyCancellationAmounts(appointment, payments[0] ?? null, time);
    total.refundCents += refundCents;
    total.feeCents += feeCents;
  }
  return total;
}

/**
 * Releases all upcoming times of a family for the administrator: ends its holds and offers, cancels its appointments
 * and refunds online payments in full. Idempotent. Throws for anyone but the administrator. Source: docs/product.md,
 * Deleting.
 */
export async function cancelUpcomingForEndedAccount(
  admin: Person,
  userId: number,
  endReason: AccountEndReason,
): Promise<CancellationSummary> {
  assertAdministrator(admin);
  return releaseUpcomingTimes(userId, (id) =>
    cancelAppointmentForEndedAccount(admin, { id, familyId: userId, endReason }),
  );
}

/**
 * Releases all upcoming times of the person's own family: ends its holds and offers, and cancels its appointments under
 * the cancellation rules, with the refund that is due at `asOf`, an instant in UTC. Idempotent.
 */
export function cancelOwnUpcomingAppointments(person: Person, asOf: Date): Promise<CancellationSummary> {
  return releaseUpcomingTimes(person.id, (id) => cancelAppointmentByFamily(person, id, { asOf }));
}

async function releaseUpcomingTimes(
  userId: number,
  cancel: (id: number) => Promise<Outcome<{ refundCents: number | null; isRefundPending: boolean }>>,
): Promise<CancellationSummary> {
  await inTransaction(async (transaction) => {
    await lockAccountRow(transaction, userId);
    await endOffersOfFamily(transaction, userId);
    await releaseHoldsOfFamily(transaction, userId);
  });
  const summary: CancellationSummary = { canceled: 0, refundCents: 0, areRefundsSent: true, uncanceledCount: 0 };
  for (const { id } of await listUpcomingAppointments(userId)) {
    const ended = await cancel(id);
    if (ended.ok) {
      summary.canceled += 1;
      summary.refundCents += ended.value.refundCents ?? 0;
      summary.areRefundsSent &&= !ended.value.isRefundPending;
    }
  }
  summary.uncanceledCount = (await listUpcomingAppointments(userId)).length;
  return summary;
}
