// Proves that no personal data of an erased family remains on disk, in the database, in logs or in a restored backup.
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import type { PrismaClient } from "../../prisma/sqlite/client/client.ts";
import { backupCommand, newEncryptionKey, newInstallationEnvironment } from "../support/backup-commands.ts";
import { allBytesAtRest } from "../support/bytes-at-rest.ts";
import { dumpDatabase } from "../support/database/database-dump.ts";
import { FAMILY_TABLES } from "../support/family-tables.ts";
import { type FamilyWithEverything, createFamilyWithEverything } from "../support/family-with-everything.ts";
import { signInAs } from "../support/people.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { startServer } from "../support/servers/server-process.ts";
import { adminEmail, adminPassword, testEnvironment } from "../support/test-environment.ts";

const template = inject("template");
// This process reads what the product encrypted.
Object.assign(process.env, await testEnvironment(template, temporaryFolder("reader")));

const { ENCRYPTED_COLUMNS } = await import("../../app/db/encrypted-columns.server.ts");

const PREFIX = "quokka";
const OTHER = "numbat";

type Server = Awaited<ReturnType<typeof startServer>>;

let server: Server;
let db: PrismaClient;
let leaving: FamilyWithEverything;
let staying: FamilyWithEverything;
let logs = "";
/** The family's encrypted texts as they are stored, by their columns. */
let ciphertexts: Map<string, string>;
let tablesWithoutRow: string[] = [];

const settings = { BACKUP_KEYS: newEncryptionKey("vault"), ERASURE_GRACE_DAYS: "0", LOG_LEVEL: "info" };

beforeAll(async () => {
  server = await startServer({ template, overrides: settings });
  const { createDatabaseClient } = await import("../../app/db/database-client.server.ts");
  db = await createDatabaseClient(server.environment.DATABASE_URL);
  const admin = await signInAs(server.origin, adminEmail, adminPassword);
  const site = { db, family: server.family, visitor: server.visitor };
  const [before, countsBefore] = [await storedTexts(), await rowCounts()];
  leaving = await createFamilyWithEverything(site, admin, PREFIX);
  await db.payment.update({
    where: { id: leaving.paymentId },
    data: { checkoutUrl: `${PREFIX}page`, orderId: "order" },
  });
  const counts = await rowCounts();
  tablesWithoutRow = FAMILY_TABLES.filter((_, index) => counts[index] === countsBefore[index]);
  ciphertexts = new Map([...(await storedTexts())].filter(([text]) => !before.has(text)));
  staying = await createFamilyWithEverything(site, admin, OTHER);
});

afterAll(async () => {
  await db.$disconnect();
  server.kill("SIGKILL");
});

const storedFiles = () =>
  readdirSync(path.join(server.folder, "files"), { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".dat"),
  );

/** Starts the product again on the same records, as after a crash or a restore. */
async function restarted(): Promise<void> {
  server.kill("SIGKILL");
  await server.ended;
  logs += server.output();
  const { environment, folder } = server;
  server = { ...(await startServer({ template, overrides: environment })), environment, folder };
}

/** Every encrypted text of the database as it is stored, by its column. */
async function storedTexts(): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const { table, columns } of Object.values(ENCRYPTED_COLUMNS))
    for (const column of Object.keys(columns)) {
      const rows = await db.$queryRawUnsafe<{ text: string }[]>(
        `SELECT "${column}" AS text FROM "${table}" WHERE "${column}" IS NOT NULL`,
      );
      for (const { text } of rows) texts.set(text, `${table}.${column}`);
    }
  return texts;
}

/** How many rows each table has that can have some of a family. */
async function rowCounts(): Promise<number[]> {
  const counts: number[] = [];
  for (const table of FAMILY_TABLES) {
    const [row] = await db.$queryRawUnsafe<{ count: number | bigint }[]>(`SELECT COUNT(*) AS count FROM "${table}"`);
    counts.push(Number(row?.count));
  }
  return counts;
}

describe("an erased family", () => {
  test("has its data in the database, the stored files and the outbox before the erasure, and is in a backup", async () => {
    await expect.poll(() => readdirSync(path.join(server.folder, "outbox")).length).toBeGreaterThan(4);
    const bytes = await allBytesAtRest([server.folder], server.environment.DATABASE_URL);
    const { shared, unshared } = leaving.words;
    for (const word of [shared.mail, shared.first, shared.title, "quokkaownname", "quokkakeptname"])
      expect(bytes).toContain(word);
    // The path behind a mail's button goes once the mail is sent.
    const lasting = [...ciphertexts].filter(([, column]) => column !== "messages.secretPath");
    for (const [text, column] of lasting)
      expect({ column, isStored: bytes.includes(text) }).toMatchObject({ isStored: true });
    expect(Object.keys({ ...shared, ...unshared }).length).toBeGreaterThan(30);
    expect(await backupCommand(["backup"], server.environment)).toMatchObject({ code: 0 });
  });

  test("has a row in every table for family data and text in every encrypted column before the erasure", () => {
    expect(tablesWithoutRow).toEqual([]);
    const columns = Object.values(ENCRYPTED_COLUMNS).flatMap(({ table, columns: names }) =>
      Object.keys(names).map((name) => `${table}.${name}`),
    );
    const written = new Set(ciphertexts.values());
    // A note of the practice's hours; a path that goes once its mail is sent.
    const others = ["day_hours.note", "messages.secretPath"];
    expect(columns.filter((column) => !written.has(column) && !others.includes(column))).toEqual([]);
  });

  test("is erased after a restart when an earlier run deleted its files but failed to delete the account", async () => {
    const { family } = leaving;
    await breakDeleting(db, server.environment.DATABASE_URL);
    expect(storedFiles()).toHaveLength(6);
    leaveHalfWrittenMail();
    const response = await family.request("DELETE", "/api/me", {
      headers: { Origin: server.origin, "Content-Type": "application/json" },
      body: JSON.stringify({ password: family.password }),
    });
    expect([response.status, response.json.message]).toEqual([202, "Your account is deleted within minutes."]);
    const policy = await server.visitor().get("/privacy-policy");
    expect(policy.visibleText).toContain("When you delete your account, you have no days to change your mind.");
    // A process that dies while it sends them would leave them to the next one minutes later.
    const unsent = { userId: family.id, event: "visit-cancelled", state: "pending" };
    await expect.poll(() => db.message.count({ where: unsent }), { timeout: 30_000 }).toBe(0);
    await restarted();
    await server.waitForOutput(/is not erased yet/);
    expect(storedFiles()).toHaveLength(3);
    expect(await db.document.count({ where: { userId: family.id } })).toBe(3);
    await allowDeletes(db, server.environment.DATABASE_URL);
    await restarted();
    await expect.poll(() => db.user.count({ where: { id: family.id } }), { timeout: 20_000 }).toBe(0);
  });

  test("leaves no plaintext or ciphertext in files or the database, and no plaintext in the logs", async () => {
    const found = async () => {
      const bytes = await allBytesAtRest([server.folder], server.environment.DATABASE_URL);
      const sought = [PREFIX, ...ciphertexts.keys()];
      return sought.filter((text) => bytes.includes(text)).map((text) => context(bytes, text));
    };
    // The write-ahead log is emptied right after the last row.
    await expect.poll(found, { timeout: 20_000 }).toEqual([]);
    await server.waitForOutput(/account erased/);
    expect(logs + server.output()).not.toContain(PREFIX);
  });

  test("leaves payments and refunds with their amounts and service names, without notes or whose they were", async () => {
    const payments = await db.payment.findMany({
      where: { id: { gte: leaving.paymentId, lt: staying.unownedPaymentId }, userId: null },
      orderBy: { id: "asc" },
    });
    expect(
      payments.map(({ amountCents, state, note, idempotencyKey }) => [amountCents, state, note, idempotencyKey]),
    ).toEqual([
      [7500, "paid", null, null],
      [7500, "paid", null, null],
    ]);
    for (const payment of payments)
      expect(payment).toMatchObject({ requestHash: null, refusal: null, checkoutUrl: null });
    // A charge that arrives late is found by it.
    expect(payments[0]?.orderId).toBe("order");
    expect(payments.map(({ booking }) => JSON.parse(booking).title)).toEqual(["Hourly Consulting", "Other service"]);
    const unowned = await db.payment.findUniqueOrThrow({ where: { id: leaving.unownedPaymentId } });
    expect([unowned.userId, unowned.note, JSON.parse(unowned.booking).title]).toEqual([
      null,
      null,
      "Hourly Consulting",
    ]);
    const refunds = await db.refund.findMany({ where: { paymentId: leaving.paymentId }, orderBy: { id: "asc" } });
    expect(refunds.map(({ amountCents, reason }) => [amountCents, reason])).toEqual([
      [500, "Removed with the account"],
      [7000, "Removed with the account"],
    ]);
    const admin = await signInAs(server.origin, adminEmail, adminPassword);
    const receipt = (await admin.get(`/receipts/${leaving.paymentId}`)).visibleText;
    expect(receipt).toContain("Hourly Consulting");
    expect(receipt).toContain("$75");
    const unownedReceipt = (await admin.get(`/receipts/${leaving.unownedPaymentId}`)).visibleText;
    expect([unownedReceipt.includes("$75"), unownedReceipt.includes(PREFIX)]).toEqual([true, false]);
    expect(await db.auditEntry.count({ where: { action: "account-erased", familyId: leaving.family.id } })).toBe(1);
  });

  test("leaves privacy requests and incidents with kind, dates and outcome, without text or personal data", async () => {
    expect(await db.complianceCase.count()).toBe(8);
    const cases = (await db.complianceCase.findMany({ orderBy: { id: "asc" }, take: 4 })).map(
      ({ id: _, ...row }) => row,
    );
    const nobody = { userId: null, name: null, email: null, phone: null, network: null, resolution: null };
    expect(cases.map(({ kind, outcome, closedAt }) => [kind, outcome, closedAt !== null])).toEqual([
      ["privacy", "account-erased", true],
      ["privacy", "account-erased", true],
      ["incident", null, false],
      ["privacy", "answered", true],
    ]);
    for (const row of cases) expect(row).toMatchObject({ ...nobody, text: "Removed with the account" });
    expect(cases[3]).toMatchObject({ receivedDay: "2026-11-02", dueDay: "2026-12-02" });
  });

  test("leaves another family's export, documents, visits and payments in place", async () => {
    const answer = await signInAs(server.origin, staying.family.email, staying.family.password);
    const copy = (await answer.get("/api/me/export")).bytes;
    expect(copy.includes(`${OTHER}ownname`)).toBe(true);
    expect(await db.document.count({ where: { userId: staying.family.id } })).toBe(3);
    expect((await answer.get("/api/appointments")).json).toHaveLength(4);
    const unowned = await db.payment.findUniqueOrThrow({ where: { id: staying.unownedPaymentId } });
    expect([unowned.note, unowned.booking.includes(`${OTHER}unownedfirst`)]).toEqual([`${OTHER}unownednote`, true]);
  });

  test("is not in a backup made afterward, restored where no list of erased accounts is", async () => {
    const file = path.join(temporaryFolder("later-backup"), "later.backup");
    expect(await backupCommand(["backup", file], server.environment)).toMatchObject({ code: 0 });
    const machine = await newInstallationEnvironment(template, { BACKUP_KEYS: settings.BACKUP_KEYS });
    expect(await backupCommand(["restore", file], machine)).toMatchObject({ code: 0 });
    const { createDatabaseClient } = await import("../../app/db/database-client.server.ts");
    const restored = await createDatabaseClient(machine.DATABASE_URL ?? "");
    const records = await dumpDatabase(restored);
    await restored.$disconnect();
    expect(records.includes(PREFIX) ? context(records, PREFIX) : "").toBe("");
    expect(records).toContain(`${OTHER}ownname`);
    const bytes = await allBytesAtRest([machine.DATA_DIR ?? ""], machine.DATABASE_URL ?? "");
    expect(bytes).not.toContain(PREFIX);
    expect([...ciphertexts].filter(([text]) => bytes.includes(text))).toEqual([]);
  });

  test("is erased again when a backup from before the erasure is restored; the other family is restored", async () => {
    server.kill("SIGTERM");
    await server.ended;
    await db.$disconnect();
    const restored = await backupCommand(["restore", "latest", "--replace"], server.environment);
    expect(restored).toMatchObject({ code: 0, output: expect.stringContaining("erased again") });
    const { createDatabaseClient } = await import("../../app/db/database-client.server.ts");
    db = await createDatabaseClient(server.environment.DATABASE_URL);
    expect(await db.user.count({ where: { id: { in: [leaving.family.id, staying.family.id] } } })).toBe(1);
    expect(await db.refund.count({ where: { paymentId: leaving.paymentId } })).toBe(1);
    await db.$disconnect();
    const bytes = await allBytesAtRest([server.folder], server.environment.DATABASE_URL);
    expect(bytes.includes(PREFIX) ? context(bytes, PREFIX) : "").toBe("");
    expect(bytes).toContain(OTHER);
    // Documents are encrypted where they are restored to, and nowhere else.
    expect(bytes).not.toContain(`${OTHER}owncontent`);
  });

  test("is on the list of erased accounts by account id and dates only; a forged list makes the restore fail", async () => {
    const file = path.join(server.folder, "backups", "erased-accounts");
    const list = readFileSync(file, "utf8");
    expect(list.split("\n")[1]).toMatch(/^\[\{"accountId":\d+,"accountCreatedAt":"[^"]+","erasedAt":"[^"]+"\}\]$/);
    const forged = list.replace(/"accountId":\d+/, `"accountId":${staying.family.id}`);
    writeFileSync(file, forged);
    const restored = await backupCommand(["restore", "latest", "--replace"], server.environment);
    expect(restored).toMatchObject({ code: 1, output: expect.stringContaining("was not written with BACKUP_KEYS") });
  });
});

/** Where a text was found, for the reader of a failed test. */
function context(bytes: string, text: string): string {
  const at = bytes.indexOf(text);
  return bytes.slice(Math.max(0, at - 60), at + 60).replace(/[^\x20-\x7e]/g, ".");
}

const isSqlite = (url: string) => url.startsWith("file:");

/** No account can be deleted, as when the process dies before it. */
async function breakDeleting(database: PrismaClient, url: string): Promise<void> {
  if (isSqlite(url))
    await database.$executeRaw`CREATE TRIGGER "broken" BEFORE DELETE ON "users" BEGIN SELECT RAISE(ABORT, 'broken'); END`;
  else {
    await database.$executeRaw`CREATE FUNCTION "broken"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'broken'; END $$`;
    await database.$executeRaw`CREATE TRIGGER "broken" BEFORE DELETE ON "users" FOR EACH ROW EXECUTE FUNCTION "broken"()`;
  }
}

/** As when the process dies while it writes a mail to the family. */
function leaveHalfWrittenMail(): void {
  const outbox = path.join(server.folder, "outbox");
  const isOwn = (name: string) => readFileSync(path.join(outbox, name), "utf8").includes(PREFIX);
  const mail = path.join(outbox, readdirSync(outbox).find(isOwn) ?? "");
  copyFileSync(mail, `${mail}.4711.part`);
}

async function allowDeletes(database: PrismaClient, url: string): Promise<void> {
  if (isSqlite(url)) await database.$executeRaw`DROP TRIGGER "broken"`;
  else await database.$executeRaw`DROP FUNCTION "broken" CASCADE`;
}
