import { requireAdmin } from "../accounts/access.server.ts";
import type { Person } from "../accounts/person.ts";
import { now } from "../clock.ts";
import { db } from "../db/client.server.ts";
import { DAY_MS } from "../duration.ts";
import { formatCents } from "../ui/money.ts";

/** A declined payment is shown for this long. */
const SHOWN_FOR_MS = 7 * DAY_MS;
const MAX_READ = 50;

/**
 * Families whose last attempt to pay was declined within a week and who have not paid since, newest first, at most
 * `take`; amounts as text in US dollars, instants ISO 8601 UTC. Empty for anyone but the administrator.
 */
export async function failedPayments(person: Person, take: number) {
  if (requireAdmin(person)) return [];
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
