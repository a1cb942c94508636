import { recordAuditRead } from "../audit/record-audit.server.ts";
import { accessDeniedRefusal } from "./authorization.server.ts";
import { accepted, refused } from "../http/outcome.ts";
import { db } from "../db/database-client.server.ts";
import { type Person, PERSON_SELECT } from "./person.ts";

export const ACCOUNT_SELECT = { ...PERSON_SELECT, profileImageUrl: true, createdAt: true, updatedAt: true } as const;

/** A user as seen by its owner, without the password hash. */
export type Account = Person & { profileImageUrl: string | null; createdAt: Date; updatedAt: Date };

/** Returns the signed-in person's own account. */
export async function findOwnAccount(person: Person): Promise<Account> {
  return db.user.findUniqueOrThrow({ where: { id: person.id }, select: ACCOUNT_SELECT });
}

/** Returns any user for the administrator, and a client's own account. Refusals: notFound, forbidden. */
export async function findUser(person: Person, id: number | null) {
  if (!person.isAdmin && id !== person.id) return accessDeniedRefusal();
  const select = { id: true, firstName: true, lastName: true, email: true, isClient: true, isAdmin: true } as const;
  const user = id === null ? null : await db.user.findUnique({ where: { id }, select });
  return user ? accepted(user) : refused("notFound", "There is no such user.");
}

/** Does the same as `findUser`, and records that the person opened a family's account. */
export async function findUserWithAudit(person: Person, id: number | null) {
  const user = await findUser(person, id);
  if (user.ok && !user.value.isAdmin)
    await recordAuditRead({ action: "account-opened", familyId: user.value.id, objectId: user.value.id });
  return user;
}
