import { refusalUnlessAdmin } from "../accounts/authorization.server.ts";
import { type Person, fullName } from "../accounts/person.ts";
import { now } from "../clock.ts";
import { db } from "../db/client.server.ts";
import { DAY_MS } from "../duration.ts";
import { formatCents } from "../ui/format-currency.ts";

/** A declined payment is shown for this long. */
const SHOWN_FOR_MS = 7 * DAY_MS;
const MAX_READ = 50;

/**
 * Families whose last attempt to pay was declined within a week and who have not paid since, newest first, at most
 * `take`; amounts as text in US dollars, instants ISO 8601 UTC. Empty for anyone but the administrator.
 */
export async function failedPayments(person: Person, take: number) {
  if (refusalUnlessAdmin(person)) return [];
  const rows = await db.payment.findMany({
    where: { userId: { not: null }, createdAt: { gt: new Date(now().getTime() - SHOWN_FOR_MS) } },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: MAX_READ,
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

/** A refund that the provider refused is shown for this long. */
const REFUNDS_SHOWN_FOR_MS = 30 * DAY_MS;

/**
 * Refunds that the card provider refused within 30 days and that no later one has replaced, newest first, at most
 * `take`; amounts as text in US dollars. Empty for anyone but the administrator.
 */
export async function failedRefunds(person: Person, take: number) {
  if (refusalUnlessAdmin(person)) return [];
  const rows = await db.refund.findMany({
    where: { state: "failed", createdAt: { gt: new Date(now().getTime() - REFUNDS_SHOWN_FOR_MS) } },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: MAX_READ,
    select: {
      id: true,
      amountCents: true,
      createdAt: true,
      payment: {
        select: {
          appointmentId: true,
          user: { select: { firstName: true, lastName: true } },
          refunds: { where: { state: { not: "failed" } }, select: { id: true } },
        },
      },
    },
  });
  return rows
    .filter(({ id, payment }) => payment.refunds.every((other) => other.id < id))
    .slice(0, take)
    .map(({ id, amountCents, createdAt, payment }) => ({
      id,
      appointmentId: payment.appointmentId,
      name: payment.user ? fullName(payment.user) : "A deleted account",
      amount: formatCents(amountCents),
      at: createdAt.toISOString(),
    }));
}
