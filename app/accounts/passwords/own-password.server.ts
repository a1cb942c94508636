import { auditFailedSignIn } from "../sign-in/failed-sign-in.server.ts";
import { db } from "../../db/database-client.server.ts";
import { accepted, invalidField, type Outcome, type Refusal } from "../../http/outcome.ts";
import { notSignedInRefusal } from "../authorization.server.ts";
import type { Person } from "../person.ts";
import { consumeReauthenticationLimits, type ReauthenticationSource } from "../sign-in/credential-limits.server.ts";
import { verifyPassword } from "./password-hashing.server.ts";

/** The session and network in which a signed-in person entered their own password again, and the name of its field. */
export type OwnPasswordContext = ReauthenticationSource & { field: string };

/** Verifies the signed-in person's own password and returns its hash. Refusals: invalid (at the field), tooMany. */
export async function verifyOwnPassword(
  person: Person,
  password: string,
  { sid, ip, field }: OwnPasswordContext,
): Promise<Outcome<string>> {
  const allowedAttempt = await consumeReauthenticationLimits(person.id, sid);
  if (!allowedAttempt.ok) return allowedAttempt;
  const user = await db.user.findUniqueOrThrow({ where: { id: person.id }, select: { password: true } });
  const source = { ip, account: `signed in ${person.id}`, isRecognized: true };
  const verification = await verifyPassword(password, user.password, source);
  if (!verification.ok) return verification;
  if (!verification.value) {
    await auditFailedSignIn("sign-in-failed", person, ip);
  }
  const rateLimitRefusal = await allowedAttempt.recordResult(verification.value);
  if (rateLimitRefusal) return rateLimitRefusal;
  return verification.value ? accepted(user.password) : wrongOwnPasswordRefusal(field);
}

/**
 * Returns the refusal for a correct password of an account that changed in the meantime: its session has ended, or it
 * has another password.
 */
export async function accountChangedRefusal(sid: string, field: string): Promise<Refusal> {
  const isSignedIn = (await db.session.count({ where: { sid } })) === 1;
  return isSignedIn ? wrongOwnPasswordRefusal(field) : notSignedInRefusal();
}

function wrongOwnPasswordRefusal(field: string) {
  return invalidField(
    field,
    field === "password" ? "That password isn't right." : "Your current password isn't right.",
  );
}
