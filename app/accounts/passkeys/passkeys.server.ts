import type { RouterContextProvider } from "react-router";
import { recordAuditInTransaction } from "../../audit/record-audit.server.ts";
import { now } from "../../clock.ts";
import { db } from "../../db/database-client.server.ts";
import { isUniqueViolation } from "../../db/database-errors.server.ts";
import { HOUR_SECONDS } from "../../time-units.ts";
import { createRateLimiter } from "../../http/rate-limit.server.ts";
import { accepted, type Outcome, refused } from "../../http/outcome.ts";
import { notifyAccountChanged } from "../email/account-notifications.server.ts";
import { familyIdOf, fullName, type Person } from "../person.ts";
import { changeSignInMethodsAndRevokeAccess } from "../second-factor/change-sign-in-methods.server.ts";
import {
  createMissingAdminRecoveryCodes,
  deleteRecoveryCodesWithoutFactor,
} from "../second-factor/recovery-codes.server.ts";
import type { Session } from "../sessions/session-store.server.ts";
import { getPossiblyRestrictedSession } from "../sessions/session.server.ts";
import { consumeChallenge, issueChallenge } from "./passkey-challenge.server.ts";
import type { RegistrationCredential } from "./passkey-credential-schemas.ts";
import {
  buildCreationOptions,
  type PasskeyOptions,
  buildRequestOptions,
  verifyNewCredential,
} from "./webauthn.server.ts";

/** Maximum number of passkeys of one account. */
export const MAX_PASSKEYS = 10;

/** Limits attempts to add a passkey, because each addition sends a message; removed passkeys count too. */
const additionLimiter = createRateLimiter("passkey-added", 20, HOUR_SECONDS);

type Context = Readonly<RouterContextProvider>;

const tooManyPasskeysRefusal = refused(
  "conflict",
  `You have ${MAX_PASSKEYS} passkeys, and there can be no more. Remove one first.`,
);
const knownPasskeyRefusal = refused("conflict", "This passkey was already added. Choose another device.");
const unverifiedRefusal = refused(
  "invalid",
  "That took too long, or your device could not confirm it. Please try again.",
);

/** A passkey as its owner sees it. Times are in UTC; `lastUsedAt` is null until its first sign-in. */
export type OwnPasskey = { id: number; name: string; createdAt: Date; lastUsedAt: Date | null };

type AddedPasskey = { passkey: OwnPasskey; recoveryCodes: string[] };

/** Returns the person's passkeys, oldest first. */
export function listPasskeys(person: Person): Promise<OwnPasskey[]> {
  const select = { id: true, name: true, createdAt: true, lastUsedAt: true } as const;
  return db.passkey.findMany({ where: { userId: person.id }, orderBy: { id: "asc" }, select });
}

/**
 * Returns the options with which the browser creates a passkey in this session within five minutes. Refusals: conflict
 * (the account has ten), unauthorized.
 */
export async function beginNewPasskey(context: Context): Promise<Outcome<PasskeyOptions>> {
  const session = getPossiblyRestrictedSession(context);
  if (!session) return refused("unauthorized", "Please sign in.");
  const { person, sid } = session;
  const { createdAt, passkeys } = await db.user.findUniqueOrThrow({
    where: { id: person.id },
    select: { createdAt: true, passkeys: { select: { credentialId: true, transports: true } } },
  });
  if (passkeys.length >= MAX_PASSKEYS) return tooManyPasskeysRefusal;
  const challenge = await issueChallenge(context, { purpose: "add", sid });
  const owner = { id: person.id, createdAt, email: person.email, name: fullName(person) };
  return accepted(await buildCreationOptions(owner, challenge, passkeys));
}

/**
 * Returns the options with which the browser uses a passkey within five minutes: one of the person's own, tied to the
 * session of this request, or without a session any passkey.
 */
export async function beginAssertion(context: Context): Promise<PasskeyOptions> {
  const session = getPossiblyRestrictedSession(context);
  if (!session) return buildRequestOptions(await issueChallenge(context, { purpose: "sign-in" }), []);
  const { person, sid } = session;
  const ownPasskeys = await db.passkey.findMany({
    where: { userId: person.id },
    select: { credentialId: true, transports: true },
  });
  return buildRequestOptions(await issueChallenge(context, { purpose: "confirm", sid }), ownPasskeys);
}

/**
 * Adds the passkey that the browser created for this session's challenge, and ends the account's other sessions. For an
 * administrator without recovery codes, also creates ten recovery codes, which can't be read again. Notifies the person
 * by mail.
 * Refusals: invalid, conflict (the account has ten, or the passkey is already known), tooMany (20 an hour),
 * unauthorized.
 */
export async function addPasskeyAndRevokeAccess(
  context: Context,
  { name, credential }: { name: string; credential: RegistrationCredential },
  cookieHeader: string | null,
): Promise<Outcome<AddedPasskey>> {
  const session = getPossiblyRestrictedSession(context);
  if (!session) return refused("unauthorized", "Please sign in.");
  const { person, sid } = session;
  const rateLimitRefusal = await additionLimiter.consume(String(person.id));
  if (rateLimitRefusal) return rateLimitRefusal;
  const challenge = await consumeChallenge(cookieHeader, { purpose: "add", sid });
  const publicCredential = challenge && (await verifyNewCredential(credential, challenge));
  if (!publicCredential) return unverifiedRefusal;
  try {
    return await changeSignInMethodsAndRevokeAccess<AddedPasskey>(person.id, sid, async (transaction) => {
      if ((await transaction.passkey.count({ where: { userId: person.id } })) >= MAX_PASSKEYS)
        return tooManyPasskeysRefusal;
      const passkey = await transaction.passkey.create({
        data: { ...publicCredential, name, userId: person.id, createdAt: now() },
        select: { id: true, name: true, createdAt: true, lastUsedAt: true },
      });
      const recoveryCodes = await createMissingAdminRecoveryCodes(transaction, person);
      recordAuditInTransaction(transaction, {
        action: "passkey-added",
        familyId: familyIdOf(person),
        objectId: person.id,
      });
      const additionalChanges = recoveryCodes.length > 0 ? (["recovery-codes-made"] as const) : [];
      await notifyAccountChanged(transaction, person.id, "passkey-added", ...additionalChanges);
      return accepted({ passkey, recoveryCodes });
    });
  } catch (error) {
    if (isUniqueViolation(error, "credentialId")) return knownPasskeyRefusal;
    throw error;
  }
}

/**
 * Removes one of the person's passkeys, so that it no longer signs in, and ends the account's other sessions, including
 * that of a lost device. Notifies the person by mail. Refusal: notFound, also for another person's passkey.
 */
export async function removePasskeyAndRevokeAccess(
  { person, sid }: Pick<Session, "person" | "sid">,
  id: number | null,
): Promise<Outcome<null>> {
  return changeSignInMethodsAndRevokeAccess(person.id, sid, async (transaction) => {
    const { count } = await transaction.passkey.deleteMany({ where: { id: id ?? 0, userId: person.id } });
    if (count === 0) return refused("notFound", "This passkey was already removed.");
    await deleteRecoveryCodesWithoutFactor(transaction, person.id);
    recordAuditInTransaction(transaction, {
      action: "passkey-removed",
      familyId: familyIdOf(person),
      objectId: person.id,
    });
    await notifyAccountChanged(transaction, person.id, "passkey-removed");
    return accepted(null);
  });
}
