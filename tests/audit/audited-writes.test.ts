// Proves that each change of a record adds exactly one audit log entry with its actor, and that a refused change adds none.
import { expect, test } from "vitest";
import { AUDIT_ACTIONS, type AuditAction } from "../../app/audit/audit-actions.ts";
import { site } from "../support/site-with-square.ts";
import { read } from "../support/source-files.ts";
import { ACCOUNT_WRITES } from "./writes/account-writes.ts";
import { PAYMENT_WRITES } from "./writes/payment-writes.ts";
import { PRACTICE_WRITES, entriesOfRestores } from "./writes/practice-writes.ts";
import { RECORD_WRITES } from "./writes/record-writes.ts";
import { SIGN_IN_WRITES } from "./writes/sign-in-writes.ts";
import { VISIT_WRITES } from "./writes/visit-writes.ts";
import { devon, type Writes } from "./writes/write.ts";

const { db } = site;

// The last one removes entries.
const WRITES: Writes = {
  ...SIGN_IN_WRITES,
  ...ACCOUNT_WRITES,
  ...VISIT_WRITES,
  ...RECORD_WRITES,
  ...PAYMENT_WRITES,
  ...PRACTICE_WRITES,
};

/** What needs a site of its own: a virus scanner, a job's day, another machine. The file looks at the entry. */
const ELSEWHERE: Partial<Record<AuditAction, string>> = {
  "account-erased": "tests/data-rights/erasure.test.ts",
  "audit-accepted": "tests/audit/verify.test.ts",
  "documents-scanned": "tests/documents/scan-stored.test.ts",
  "incident-expired": "tests/data-rights/retention.test.ts",
  "infected-document-found": "tests/documents/scan-stored.test.ts",
  "legal-request-expired": "tests/data-rights/retention.test.ts",
  "payment-script-accepted": "tests/checkout/payment-script.test.ts",
  "payment-script-changed": "tests/checkout/payment-script.test.ts",
  "request-expired": "tests/data-rights/retention.test.ts",
  "sign-in-passkey-copied": "tests/accounts/passkeys.test.ts",
  "sign-in-passkey-failed": "tests/accounts/passkeys.test.ts",
  "waiting-list-withdrawn": "tests/booking/waiting-list.test.ts",
};
const BY_RESTORE: AuditAction[] = ["backup-restored", "revocations-lost", "revocations-reapplied"];

/** The entries of `action` that `work` adds. */
async function entriesOf(action: string, work: () => Promise<unknown>) {
  const last = await db.auditEntry.findFirst({ orderBy: { sequence: "desc" } });
  await work();
  const where = { action, sequence: { gt: last?.sequence ?? 0 } };
  const select = { actorId: true, familyId: true, objectType: true, objectId: true } as const;
  return db.auditEntry.findMany({ where, select });
}

test("every audit action for a change is tested in this file or in the listed test file", () => {
  const changes = Object.entries(AUDIT_ACTIONS).filter(([, { kind }]) => kind !== "read" && kind !== "refused");
  const known = [...Object.keys(WRITES), ...Object.keys(ELSEWHERE), ...BY_RESTORE];
  expect(known.toSorted()).toEqual(changes.map(([action]) => action).toSorted());
  const unproven = Object.entries(ELSEWHERE).filter(([action, file]) => !read(file).includes(`"${action}"`));
  expect(unproven).toEqual([]);
});

test.each(Object.entries(WRITES))(
  "%s: the change adds one entry with actor, family and record; the refused change adds none",
  async (action, prepare) => {
    const { act, actor, family, object, refused, ...given } = await prepare();
    const refusal: number[] = [];
    const none = await entriesOf(action, async () => refusal.push((await refused()).status));
    expect([none, refusal]).toEqual([[], [expect.toSatisfy((status: number) => status >= 400)]]);
    const entries = await entriesOf(action, act);
    const objectType = given.objectType ?? AUDIT_ACTIONS[action as AuditAction].objectType ?? null;
    expect(entries).toEqual([{ actorId: actor, familyId: family, objectType, objectId: (await object?.()) ?? null }]);
  },
);

test("a restore adds entries for itself, for possibly lost revocations and for reapplied revocations", async () => {
  const { first, second } = await entriesOfRestores(devon.id);
  const byNobody = { actorId: null, familyId: null, objectId: null };
  const restored = { ...byNobody, action: "backup-restored" };
  // It names the time of the backup.
  const lost = { ...byNobody, action: "revocations-lost", objectId: expect.any(Number) as number };
  const reapplied = { ...byNobody, action: "revocations-reapplied", familyId: devon.id, objectId: devon.id };
  expect(first).toEqual([restored, lost]);
  expect([second[0], second.at(-1)]).toEqual([restored, lost]);
  expect(second.filter(({ familyId }) => familyId === devon.id)).toEqual([reapplied]);
});
