import type { Person } from "../accounts/person.ts";
import { hasSecondFactor } from "../accounts/second-factor/second-factor.server.ts";
import { isBackupConfigured } from "../backup/status.server.ts";
import { FINAL_STATUSES } from "../booking/appointment-status.ts";
import { type OnlinePayment, refundDueCents, remainingCents } from "../booking/prices/refund-rule.ts";
import { now } from "../clock.ts";
import { db } from "../db/client.server.ts";
import { DAY_MS } from "../duration.ts";
import { env } from "../env.server.ts";
import { formatDate } from "../ui/dates.ts";
import { formatCents } from "../ui/format-currency.ts";
import { formatPracticeTime } from "../practice/format-time.server.ts";
import { findUnconfirmedEmail } from "./unconfirmed-email.server.ts";

const MAX_VISITS = 60;
const NOTHING_PAID = "Nothing was paid here.";

type MoneyText = (payments: readonly Paid[], start: Date) => string;
type Paid = OnlinePayment & { provider: string | null };

/** What a family reads before it asks for its erasure. */
export async function loadOwnErasurePreview(person: Person) {
  const [visits, needsCode, unconfirmed] = await Promise.all([
    listVisits(person.id, moneyText),
    hasSecondFactor(person.id),
    findUnconfirmedEmail(person),
  ]);
  return { visits, needsCode, unconfirmed, ...erasureTerms() };
}

/** What the administrator reads before she has a family's account deleted. */
export async function loadErasurePreviewForAdmin(familyId: number) {
  return { visits: await listVisits(familyId, practiceMoneyText), ...erasureTerms() };
}

function erasureTerms() {
  const eraseAfter = new Date(now().getTime() + env.erasureGraceDays * DAY_MS);
  return {
    graceDays: env.erasureGraceDays,
    eraseOn: formatDate(eraseAfter, env.practice.timeZone),
    /** How many newer backups replace the last one that holds the family; null where whoever runs the site decides. */
    backups: isBackupConfigured() && !env.backups.bucket ? env.backups.retention : null,
  };
}

/** The visits that are canceled with the account, each with what goes back. */
async function listVisits(userId: number, describeMoney: MoneyText) {
  const rows = await db.appointment.findMany({
    where: { userId, appointmentDate: { gt: now() }, status: { notIn: FINAL_STATUSES } },
    orderBy: { appointmentDate: "asc" },
    take: MAX_VISITS,
    select: {
      id: true,
      title: true,
      appointmentDate: true,
      payments: { where: { state: "paid" }, select: { provider: true, amountCents: true, refundedCents: true } },
    },
  });
  return rows.map(({ id, title, appointmentDate, payments }) => ({
    id,
    title,
    when: formatPracticeTime(appointmentDate),
    money: describeMoney(payments, appointmentDate),
  }));
}

/** By the rules of canceling. */
function moneyText(payments: readonly Paid[], start: Date): string {
  const online = payments.find(({ provider }) => provider !== null);
  if (online) return refundText(refundDueCents(online, start, now()));
  if (payments.length === 0) return NOTHING_PAID;
  return "You paid in person, so nothing goes back by itself. Please call us about it.";
}

/** The practice cancels, so all of an online payment is refunded. */
function practiceMoneyText(payments: readonly Paid[]): string {
  const online = payments.find(({ provider }) => provider !== null);
  if (online) return refundText(remainingCents(online));
  return payments.length === 0 ? NOTHING_PAID : "What was paid in person you give back yourself.";
}

function refundText(cents: number): string {
  return cents > 0 ? `${formatCents(cents)} goes back to the card.` : "Nothing goes back to the card.";
}
