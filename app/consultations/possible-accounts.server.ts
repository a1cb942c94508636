import { fullName, type Person } from "../accounts/person.ts";
import { now } from "../clock.ts";
import { db } from "../db/client.server.ts";
import { containsText } from "../db/search.server.ts";
import { normalizeEmail } from "../normalize-email.ts";
import type { ConsultationRequest } from "./requests.server.ts";
import { normalizeText } from "../normalize-text.ts";

/** Bounds the result for common names; the oldest accounts come first. */
const MAX_ACCOUNTS = 10;
const MAX_COMPARED = 500;

export type PossibleAccount = {
  id: number;
  name: string;
  email: string;
  hasSameEmail: boolean;
  hasSameName: boolean;
  /** ISO 8601, UTC */
  since: string;
  isYoungerThanRequest: boolean;
  /** appointments that have begun and were neither cancelled nor missed */
  visits: number;
};

const ACCOUNT = { id: true, firstName: true, lastName: true, email: true, createdAt: true } as const;

/** The account that was signed in when a request was made; null where nobody was. For the administrator alone. */
export async function accountOf(person: Person, { userId }: Pick<ConsultationRequest, "userId">) {
  if (!person.isAdmin) throw new Error("Only the administrator reads requests.");
  const account = userId === null ? null : await db.user.findUnique({ where: { id: userId }, select: ACCOUNT });
  return account && { id: account.id, name: fullName(account), email: account.email };
}

/**
 * The accounts that a request of nobody signed in could be meant for: with the same e-mail address, or the same name.
 * None of them is proven by that, so each comes with what tells a family from somebody who only took its address. The
 * same address comes first, then the oldest account. For the administrator alone.
 */
export async function possibleAccounts(person: Person, request: ConsultationRequest): Promise<PossibleAccount[]> {
  if (!person.isAdmin) throw new Error("Only the administrator chooses an account.");
  const { firstName, lastName, createdAt } = request;
  const email = normalizeEmail(request.email);
  const client = { isClient: true, isAdmin: false, closedAt: null };
  const begun = { status: { notIn: ["cancelled", "no-show"] }, appointmentDate: { lte: now() } };
  const select = { ...ACCOUNT, _count: { select: { appointments: { where: begun } } } };
  const [sameEmail, sameName] = await Promise.all([
    db.user.findMany({ where: { ...client, email }, select }),
    db.user.findMany({
      where: { ...client, email: { not: email }, firstName: containsText(firstName), lastName: containsText(lastName) },
      orderBy: [{ createdAt: "asc" }, { id: "asc" }],
      take: MAX_COMPARED,
      select,
    }),
  ]);
  const name = comparable(fullName(request));
  const namesakes = sameName.filter((account) => comparable(fullName(account)) === name).slice(0, MAX_ACCOUNTS);
  return [...sameEmail, ...namesakes].map((account) => ({
    id: account.id,
    name: fullName(account),
    email: account.email,
    hasSameEmail: account.email === email,
    hasSameName: comparable(fullName(account)) === name,
    since: account.createdAt.toISOString(),
    isYoungerThanRequest: account.createdAt > createdAt,
    visits: account._count.appointments,
  }));
}

function comparable(text: string): string {
  return normalizeText(text, "NFKC").replace(/\s+/g, " ").trim().toLowerCase();
}
