import { createHash, randomBytes } from "node:crypto";
import path from "node:path";
import { copyDatabase } from "./database/copy-database.ts";
import type { TestClient } from "./http-client.ts";
import { type Environment, runCommand } from "./servers/server-process.ts";
import { testEnvironment } from "./test-environment.ts";
import { temporaryFolder } from "./temporary-folder.ts";

export const newEncryptionKey = (name: string) => `${name}:${randomBytes(32).toString("base64")}`;

/** As `npm run backup`, `restore` and `restore:rehearse` run it once everything is installed and built. */
export function backupCommand(args: string[], environment: Environment) {
  return runCommand(["bin/backup.js", ...args], { ...environment, ON_PINNED_NODE: "1" });
}

/** As `npm run audit -- verify` runs it. */
export function verifyAudit(environment: Environment) {
  return runCommand(["bin/audit.js", "verify"], { ...environment, ON_PINNED_NODE: "1" });
}

/** The settings of a machine on which nothing is yet: no database, no file. */
export async function newInstallationEnvironment(template: string, changes: Environment): Promise<Environment> {
  const folder = temporaryFolder("new-machine");
  const sqliteUrl = `file:${path.join(folder, "app.db")}`;
  const url = template.startsWith("file:")
    ? sqliteUrl
    : databaseUrlFor(template, `machine_${randomBytes(6).toString("hex")}`);
  return { ...(await testEnvironment(url, folder)), ...changes };
}

/** The settings of a machine with a migrated database that holds no records. */
export async function environmentWithEmptyDatabase(template: string, changes: Environment): Promise<Environment> {
  const folder = temporaryFolder("fresh-machine");
  return { ...(await testEnvironment(await copyDatabase(template, folder), folder)), ...changes };
}

/** The hash of each document that a browser sees, as it is downloaded. */
export async function downloadHashes(client: TestClient): Promise<Map<number, string>> {
  const hashes = new Map<number, string>();
  const listed: { id: number }[] = (await client.get("/api/documents")).json;
  for (const { id } of listed.filter((each) => each.id > 0)) {
    const { status, bytes } = await client.get(`/api/documents/${id}/download`);
    hashes.set(id, status === 200 ? createHash("sha256").update(bytes).digest("hex") : String(status));
  }
  return hashes;
}

function databaseUrlFor(template: string, database: string): string {
  const url = new URL(template);
  url.pathname = `/${database}`;
  return url.href;
}

/** All records that a restore brings back, without what it ends or makes anew and where the documents' files lie, which is each machine's own. */
export async function dumpRestorableRecords(url: string): Promise<Record<string, unknown[]>> {
  const { createDatabaseClient } = await import("../../app/db/database-client.server.ts");
  const db = await createDatabaseClient(url);
  const byId = { orderBy: { id: "asc" } } as const;
  const documents = await db.document.findMany({
    ...byId,
    omit: { filePath: true, wrappedDataKey: true, keyId: true },
  });
  const records = {
    users: await db.user.findMany(byId),
    sessions: await db.session.findMany({ orderBy: { sid: "asc" } }),
    drafts: await db.draft.findMany({ orderBy: [{ userId: "asc" }, { form: "asc" }] }),
    intakeForms: await db.intakeForm.findMany(byId),
    requests: await db.consultationRequest.findMany(byId),
    appointments: await db.appointment.findMany(byId),
    documents,
    settings: await db.practiceSettings.findMany(),
    dayHours: await db.hoursOverride.findMany({ orderBy: { day: "asc" } }),
    notes: await db.familyNote.findMany(byId),
    followUps: await db.followUp.findMany(byId),
    payments: await db.payment.findMany(byId),
    transitions: await db.paymentTransition.findMany(byId),
    refunds: await db.refund.findMany(byId),
  };
  await db.$disconnect();
  return records;
}
