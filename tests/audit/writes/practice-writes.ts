import { randomUUID } from "node:crypto";
import path from "node:path";
import { expect, inject } from "vitest";
import { WORDING_NAMES } from "../../../app/wording-names.ts";
import type { TestClient } from "../../support/http-client.ts";
import { backupCommand, newEncryptionKey, newInstallationEnvironment } from "../../support/backup-commands.ts";
import { runCommand } from "../../support/servers/server-process.ts";
import { site } from "../../support/site-with-square.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { admin, adminId, confirmedFamily, devon, expectSuccess, NOBODY, type Writes } from "./write.ts";

const { db, environment } = site;

const BY_HER = { actor: adminId, family: null };
const BY_NOBODY = { actor: null, family: null };
const newAddress = () => `${randomUUID()}@example.com`;

const invite = (email: string) => admin.form("/families/invitations", { firstName: "Thandi", lastName: "Moyo", email });
const invitationOf = (email: string) => async () => (await db.invitation.findFirstOrThrow({ where: { email } })).id;

const SETTINGS: Writes = {
  "invitation-sent": async () => {
    const email = newAddress();
    return {
      ...BY_HER,
      object: invitationOf(email),
      act: () => expectSuccess(invite(email)),
      refused: () => invite("no address"),
    };
  },
  "invitation-withdrawn": async () => {
    const email = newAddress();
    await expectSuccess(invite(email));
    const id = await invitationOf(email)();
    const withdraw = (of: number) => admin.form("/families/invitations", { id: String(of), change: "withdraw" });
    return { ...BY_HER, object: () => id, act: () => expectSuccess(withdraw(id)), refused: () => withdraw(NOBODY) };
  },
  "practice-settings-changed": async () => {
    const set = (taxId: string) => admin.form("/practice-details", { taxId });
    return { ...BY_HER, act: () => expectSuccess(set("12-3456789")), refused: () => set("no number") };
  },
  ...Object.fromEntries(
    WORDING_NAMES.map((name) => [
      `wording-changed-${name}`,
      async () => {
        const page = await admin.get(`/mail-wording/${name}`);
        const own = page.document.querySelector('textarea[name="body"]')?.textContent ?? "";
        const body = name === "consent-withdrawn" ? `${own}\n\n{agreement}` : own;
        const save = (subject: string) => admin.form(`/mail-wording/${name}`, { intent: "save", subject, body });
        return { ...BY_HER, act: () => expectSuccess(save("Our own words")), refused: () => save("") };
      },
    ]),
  ),
};

/** A request about privacy, or an incident, that is entered for a family of its own. */
function enter(kind: "privacy" | "incident", userId: number, text = "A copy, please.") {
  const about = { kind, receivedDay: "2026-11-02", userId: String(userId), text };
  return admin.form("/compliance/new", kind === "incident" ? about : { ...about, name: "Ana Ruiz" });
}
const newestCase = async () => (await db.complianceCase.findFirstOrThrow({ orderBy: { id: "desc" } })).id;
const close = (id: number, outcome: string) =>
  admin.form(`/compliance/${id}`, { outcome, resolution: "Sent by mail." });

const caseEntered = (kind: "privacy" | "incident") => async () => {
  const own = await confirmedFamily();
  return {
    actor: adminId,
    family: own.id,
    object: newestCase,
    act: () => expectSuccess(enter(kind, own.id)),
    refused: () => enter(kind, own.id, ""),
  };
};
const caseClosed = (kind: "privacy" | "incident", outcome: string) => async () => {
  const own = await confirmedFamily();
  await expectSuccess(enter(kind, own.id));
  const id = await newestCase();
  return {
    actor: adminId,
    family: own.id,
    object: () => id,
    act: () => expectSuccess(close(id, outcome)),
    refused: () => close(NOBODY, outcome),
  };
};

const CASES: Writes = {
  "legal-request-added": caseEntered("privacy"),
  "legal-request-answered": caseClosed("privacy", "answered"),
  "incident-added": caseEntered("incident"),
  "incident-closed": caseClosed("incident", "notified"),
};

const folder = temporaryFolder("audited-backups");
const onThisMachine = {
  ...environment,
  ON_PINNED_NODE: "1",
  BACKUP_KEYS: newEncryptionKey("audited"),
  BACKUP_STORAGE: `file:${path.join(folder, "backups")}`,
};

/** Runs one of the commands, and answers as a page would. */
async function command(args: string[], of: Record<string, string> = onThisMachine) {
  const { code, output } = await runCommand(args, of);
  return { status: code === 0 ? 200 : 400, text: output };
}

const COMMANDS: Writes = {
  "account-demoted": async () => {
    const { id, email } = await confirmedFamily();
    await db.user.update({ where: { id }, data: { isAdmin: true, isClient: false } });
    const remove = (address: string) => command(["bin/admin.js", "remove", address]);
    return {
      ...BY_NOBODY,
      object: () => id,
      act: () => expectSuccess(remove(email)),
      refused: () => remove(devon.email),
    };
  },
  "lost-revocations-checked": async () => {
    // As a restore records that it could not know.
    const { recordAuditNow } = await import("../../../app/audit/record-audit.server.ts");
    await recordAuditNow({ action: "revocations-lost", actorId: null, objectType: "time", objectId: 1_790_000_000 });
    const { sequence } = await db.auditEntry.findFirstOrThrow({ orderBy: { sequence: "desc" } });
    const mark = (by: TestClient) => by.form("/system-status", { part: "restored backup", upTo: String(sequence) });
    return { ...BY_HER, act: () => expectSuccess(mark(admin)), refused: () => mark(devon) };
  },
  "keys-rotated": async () => ({
    ...BY_NOBODY,
    act: () => expectSuccess(command(["bin/documents.js", "rotate"])),
    refused: () => command(["bin/documents.js", "turn"]),
  }),
  "backup-made": async () => ({
    ...BY_NOBODY,
    act: () => expectSuccess(command(["bin/backup.js", "backup"])),
    refused: () => command(["bin/backup.js", "backup"], { ...onThisMachine, BACKUP_KEYS: "" }),
  }),
  "audit-expired": async () => {
    const job = site.testing.JOBS.find(({ name }) => name === "removing expired entries of the audit trail");
    const run = () => job!.run(new AbortController().signal);
    return {
      ...BY_NOBODY,
      act: async () => {
        const time = new Date();
        time.setUTCFullYear(time.getUTCFullYear() + 7);
        site.setTestClock(() => time);
        // It goes by the database's own clock.
        const table = environment.DATABASE_URL?.startsWith("file:") ? "" : ` ON "audit_entries"`;
        await db.$executeRawUnsafe(`DROP TRIGGER "audit_entries_stay_a_year"${table}`);
        await run();
      },
      refused: async () => {
        await run();
        return { status: 400 };
      },
    };
  },
};

export const PRACTICE_WRITES: Writes = { ...SETTINGS, ...CASES, ...COMMANDS };

/**
 * What two restores of the newest backup recorded: the first into an empty place, the second over its result, in which
 * the password of `familyId` was changed.
 */
export async function entriesOfRestores(familyId: number) {
  const { createDatabaseClient } = await import("../../../app/db/database-client.server.ts");
  const { BACKUP_KEYS, BACKUP_STORAGE, FILE_KEYS } = onThisMachine;
  const there = await newInstallationEnvironment(inject("template"), { BACKUP_KEYS, BACKUP_STORAGE, FILE_KEYS });
  const restore = async (...more: string[]) => {
    const { code, output } = await backupCommand(["restore", "latest", ...more], there);
    expect([code, output]).toEqual([0, expect.any(String)]);
    const restored = await createDatabaseClient(there.DATABASE_URL ?? "");
    const select = { action: true, actorId: true, familyId: true, objectId: true } as const;
    const entries = await restored.auditEntry.findMany({ orderBy: { sequence: "asc" }, select });
    await restored.user.update({ where: { id: familyId }, data: { password: "another hash" } });
    await restored.$disconnect();
    return entries.slice(entries.findLastIndex(({ action }) => action === "backup-restored"));
  };
  return { first: await restore(), second: await restore("--replace") };
}
