import { assertAdministrator } from "../accounts/authorization.server.ts";
import { recordListRead } from "../audit/record-list-reads.server.ts";
import { ACTIVE_ACCOUNT_CONDITION, fullName, type Person } from "../accounts/person.ts";
import { now } from "../clock.ts";
import { db, type Transaction } from "../db/database-client.server.ts";
import { containsTextFilter } from "../db/text-search.server.ts";
import { normalizeEmail } from "../normalize-email.ts";
import type { ConsultationRequest } from "./consultation-requests.server.ts";
import { normalizeUnicode } from "../normalize-unicode.ts";

/** Limits the result for common names to the oldest accounts. */
const MAX_POSSIBLE_ACCOUNTS = 10;
const MAX_COMPARED_ACCOUNTS = 500;

export type PossibleAccount = {
  id: number;
  name: string;
  email: string;
  hasSameEmail: boolean;
  hasSameName: boolean;
  /** ISO 8601 UTC. */
  registeredAt: string;
  isYoungerThanRequest: boolean;
  /** Number of appointments that have begun and were neither canceled nor missed. */
  visits: number;
};

const POSSIBLE_ACCOUNT_SELECT = { id: true, firstName: true, lastName: true, email: true, createdAt: true } as const;

/**
 * Returns the account that the request belongs to, otherwise null. For the administrator only; throws for anyone else.
 */
export async function findConsultationRequestAccount(person: Person, { userId }: Pick<ConsultationRequest, "userId">) {
  assertAdministrator(person);
  const account =
    userId === null ? null : await db.user.findUnique({ where: { id: userId }, select: POSSIBLE_ACCOUNT_SELECT });
  return account && { id: account.id, name: fullName(account), email: account.email };
}

/**
 * Returns accounts with the same email address or name as a request that was sent without signing in: first those with
 * the same address, then by age, oldest first. Neither proves identity, so each comes with facts that help the
 * administrator decide. For the administrator only; throws for anyone else. Recorded as a list.
 */
export async function findAccountsMatchingRequest(
  person: Person,
  request: ConsultationRequest,
): Promise<PossibleAccount[]> {
  assertAdministrator(person);
  const { firstName, lastName, createdAt } = request;
  await recordListRead();
  const email = normalizeEmail(request.email);
  const clientCondition = { isClient: true, isAdmin: false, ...ACTIVE_ACCOUNT_CONDITION };
  const begunVisitCondition = { status: { notIn: ["cancelled", "no-show"] }, appointmentDate: { lte: now() } };
  const select = { ...POSSIBLE_ACCOUNT_SELECT, _count: { select: { appointments: { where: begunVisitCondition } } } };
  const [sameEmail, sameName] = await Promise.all([
    db.user.findMany({ where: { ...clientCondition, email }, take: 1, select }),
    db.user.findMany({
      where: {
        ...clientCondition,
        email: { not: email },
        firstName: containsTextFilter(firstName),
        lastName: containsTextFilter(lastName),
      },
      orderBy: [{ createdAt: "asc" }, { id: "asc" }],
      take: MAX_COMPARED_ACCOUNTS,
      select,
    }),
  ]);
  const name = normalizeForComparison(fullName(request));
  const namesakes = sameName
    .filter((account) => normalizeForComparison(fullName(account)) === name)
    .slice(0, MAX_POSSIBLE_ACCOUNTS);
  return [...sameEmail, ...namesakes].map((account) => ({
    id: account.id,
    name: fullName(account),
    email: account.email,
    hasSameEmail: account.email === email,
    hasSameName: normalizeForComparison(fullName(account)) === name,
    registeredAt: account.createdAt.toISOString(),
    isYoungerThanRequest: account.createdAt > createdAt,
    visits: account._count.appointments,
  }));
}

/**
 * Returns how many requests without an account were sent with the address of a family that has not confirmed it. They
 * may be another person's, so they are neither included in the family's data copy nor erased with its account.
 */
export async function countRequestsWithUnconfirmedEmail(
  { email, emailConfirmedAt }: { email: string; emailConfirmedAt: Date | null },
  { consultationRequest }: Pick<Transaction, "consultationRequest"> = db,
): Promise<number> {
  return emailConfirmedAt ? 0 : consultationRequest.count({ where: { userId: null, email } });
}

function normalizeForComparison(text: string): string {
  return normalizeUnicode(text, "NFKC").replace(/\s+/g, " ").trim().toLowerCase();
}
