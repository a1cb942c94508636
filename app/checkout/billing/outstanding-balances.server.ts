import { assertAdministrator } from "../../accounts/authorization.server.ts";
import type { Person } from "../../accounts/person.ts";
import { listAdminAppointmentsWithAudit } from "../../booking/appointment-list/admin-appointments.server.ts";
import type { AdminRow } from "../../booking/appointment-list/admin-appointment-row-data.ts";
import { UNPAID_CONDITION } from "../../booking/appointment-list/appointment-conditions.server.ts";
import { appointmentDetailsPath } from "../../booking/appointment-paths.ts";
import { now } from "../../clock.ts";
import { db } from "../../db/database-client.server.ts";
import { env } from "../../env.server.ts";
import { countPages, PAGE_SIZE } from "../../http/list-query.ts";
import { formatDate } from "../../ui/format-date-time.ts";
import { MAX_MARKED_VISITS } from "./mark-paid-schema.ts";

type BalanceTotals = { dueCents: number; dueCount: number; upcomingCents: number; upcomingCount: number };

const EMPTY_TOTALS: BalanceTotals = { dueCents: 0, dueCount: 0, upcomingCents: 0, upcomingCount: 0 };

/**
 * Returns what families still have to pay for visits that have begun (`due`) and for upcoming visits (`upcoming`), in US
 * cents. `families` is one page, largest debt first. `userId` is null for visits without an account. `visits` are the
 * unpaid visits of the families on that page, at most the 100 oldest. For the administrator; throws for anyone else.
 */
export async function loadOutstandingBalances(person: Person, requestedPage: number) {
  assertAdministrator(person);
  const all = await sumUnpaidByFamily();
  const ranked = [...all].toSorted(
    ([, one], [, other]) => other.dueCents - one.dueCents || other.upcomingCents - one.upcomingCents,
  );
  const pageCount = countPages(ranked.length);
  const page = Math.min(requestedPage, pageCount);
  const shown = ranked.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
  const ids = shown.flatMap(([userId]) => userId ?? []);
  const hasNoAccount = shown.some(([userId]) => userId === null);
  const owners = [{ userId: { in: ids } }, ...(hasNoAccount ? [{ userId: null }] : [])];
  const where = { ...UNPAID_CONDITION, OR: owners };
  const visits = await listAdminAppointmentsWithAudit(person, { where, order: "asc", take: MAX_MARKED_VISITS });
  const families = shown.map(([userId, sums]) => ({
    userId,
    ...sums,
    visits: visits.filter(({ client }) => client.id === userId).map(toVisit),
  }));
  return { page, pageCount, families, totals: addTotals([...all.values()]) };
}

function toVisit({ id, title, client, start, unpaidCents, hasStarted }: AdminRow) {
  const day = formatDate(start, env.practice.timeZone);
  return { id, title, name: client.name, day, unpaidCents, hasStarted, detailsPath: appointmentDetailsPath(id) };
}

async function sumUnpaidByFamily(): Promise<Map<number | null, BalanceTotals>> {
  const at = now();
  const sumUnpaid = (appointmentDate: { lte: Date } | { gt: Date }) =>
    db.appointment.groupBy({
      by: ["userId"],
      where: { ...UNPAID_CONDITION, appointmentDate },
      _sum: { paymentAmountCents: true },
      _count: true,
    });
  const [due, coming] = await Promise.all([sumUnpaid({ lte: at }), sumUnpaid({ gt: at })]);
  const sums = new Map<number | null, BalanceTotals>();
  for (const { userId, _sum, _count } of due)
    sums.set(userId, { ...EMPTY_TOTALS, dueCents: _sum.paymentAmountCents ?? 0, dueCount: _count });
  for (const { userId, _sum, _count } of coming) {
    const upcomingCents = _sum.paymentAmountCents ?? 0;
    sums.set(userId, { ...EMPTY_TOTALS, ...sums.get(userId), upcomingCents, upcomingCount: _count });
  }
  return sums;
}

function addTotals(all: readonly BalanceTotals[]): BalanceTotals {
  const total = (key: keyof BalanceTotals) => all.reduce((sum, each) => sum + each[key], 0);
  return {
    dueCents: total("dueCents"),
    dueCount: total("dueCount"),
    upcomingCents: total("upcomingCents"),
    upcomingCount: total("upcomingCount"),
  };
}
