import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { AuditAction, ObjectType } from "../../../app/audit/audit-actions.ts";
import type { TestClient } from "../../support/http-client.ts";
import type { Family } from "../../support/people.ts";
import { now, setTime, site } from "../../support/site-with-square.ts";

const { consultant, db, family, testing } = site;

// A job that runs meanwhile would add its entries, too.
await testing.stopJobs();

// Codes of authenticator apps, and commands, go by the time of this machine.
setTime(new Date());

/** One thing that somebody does, with what its entry names. Without `object` the entry names no record. */
export type Write = {
  act: () => Promise<unknown>;
  /** Null: somebody who is not signed in, or the product itself. */
  actor: number | null;
  family: number | null;
  object?: () => Promise<number> | number;
  /** Replaces the action's own. */
  objectType?: ObjectType;
  /** The same where it may not be done: by another family, of a record that is not there, or with a mistake. */
  refused: () => Promise<{ status: number }>;
};

export type Writes = Partial<Record<AuditAction, () => Promise<Write>>>;

export const admin: TestClient = await consultant();
export const { id: adminId } = await db.user.findFirstOrThrow({ where: { isAdmin: true } });
/** Another family than the one whose records are changed. */
export const devon: Family = await family({ intake: true });
/** The number of a record that is not there. */
export const NOBODY = 987_654;

/** A family whose address is confirmed. */
export async function confirmedFamily(): Promise<Family> {
  const own = await family({ intake: true });
  await db.user.update({ where: { id: own.id }, data: { emailConfirmedAt: now() } });
  return own;
}

/** What `own` did about itself. */
export const byFamily = ({ id }: Family) => ({ actor: id, family: id, object: () => id });
/** What the consultant did about `own`. */
export const byConsultant = ({ id }: Family) => ({ actor: adminId, family: id, object: () => id });

/** The answer, which has to be one of success. */
export async function expectSuccess(answer: Promise<{ status: number; text: string }>) {
  const { status, text } = await answer;
  expect([status, text]).toEqual([expect.toSatisfy((code: number) => code < 400), expect.any(String)]);
}

/** A request of somebody without an account. */
export const newRequest = () => ({
  firstName: "Ana",
  lastName: "Ruiz",
  email: `${randomUUID()}@example.com`,
  serviceNeeds: "IEP",
  urgency: "routine",
  consent: true,
});
