// Proves which restores are refused, and that a refused restore writes nothing.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import Database from "better-sqlite3";
import pg from "pg";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { knownMigrations, migrate } from "../../bin/migrate.js";
import {
  backupCommand,
  newInstallationEnvironment,
  environmentWithEmptyDatabase,
  newEncryptionKey,
  dumpRestorableRecords,
} from "../support/backup-commands.ts";
import { SAMPLES, textFile, uploadOrFail, uploadFile } from "../support/uploads.ts";
import { startServer } from "../support/servers/server-process.ts";
import { adminEmail } from "../support/test-environment.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const template = inject("template");
const isSqlite = template.startsWith("file:");
const BACKUP_KEYS = newEncryptionKey("vault");
const said = (words: string) => expect.stringContaining(words) as string;

// This process is a machine on which nothing is yet.
const machine = await newInstallationEnvironment(template, { BACKUP_KEYS });
Object.assign(process.env, machine);
const built = new URL("../../build/server/index.js", import.meta.url).href;
type Build = { entry: { module: typeof import("../../app/entry.server.tsx") } };
const { restoreBackup } = ((await import(built)) as Build).entry.module.commands;
const { createDatabaseClient } = await import("../../app/db/database-client.server.ts");
const order = async (name: string) => ({
  name,
  mayReplace: false,
  migrations: await knownMigrations(template),
  ensureDatabase: async () => writeFileSync(path.join(machine.DATA_DIR!, "touched"), ""),
  migrate: async () => {},
  reapplyErasures: async () => ({ accountIds: [], closedPaymentIds: [], erasedInOtherCopyIds: [] }),
  eraseAccountsOfBackup: async () => [],
});

const folder = temporaryFolder("backups");
const whole = path.join(folder, "whole.backup");
/** Where the list of erased accounts lies, which the copies in `folder` don't have beside them. */
let listed: { BACKUP_KEYS: string; BACKUP_STORAGE: string };
let old: Awaited<ReturnType<typeof startServer>>;
let maria: Awaited<ReturnType<typeof old.family>>;

beforeAll(async () => {
  old = await startServer({ template, overrides: { BACKUP_KEYS } });
  listed = { BACKUP_KEYS, BACKUP_STORAGE: `file:${old.folder}/backups` };
  maria = await old.family();
  for (const bytes of [textFile(200_000), SAMPLES.txt!]) await uploadOrFail(maria, bytes);
  await backupCommand(["backup", whole], old.environment);
});

describe("the backup and restore commands refuse, with a readable error,", () => {
  async function refusal(bytes: Buffer): Promise<string> {
    const file = path.join(folder, "changed.backup");
    writeFileSync(file, bytes);
    const error = await restoreBackup(await order(file)).then(
      () => new Error("It was restored."),
      (reason: Error) => reason,
    );
    expect(error.name).toBe("OperatorError");
    expect(error.message).toMatch(/^[^\n]{10,}$/);
    expect(readdirSync(machine.DATA_DIR!)).toEqual([]);
    return error.message;
  }

  test("a truncated file, before anything is written", async () => {
    const bytes = readFileSync(whole);
    const head = bytes.indexOf("\n") + 1;
    const segments = Array.from(
      { length: Math.ceil((bytes.length - head) / 65_552) },
      (_, index) => head + index * 65_552,
    );
    const cuts = [0, 1, head - 1, ...segments, ...segments.map((at) => at + 20_000), bytes.length - 1];
    for (const cut of cuts.filter((at) => at < bytes.length)) {
      expect(await refusal(bytes.subarray(0, cut))).toMatch(/cut short|not a backup of this app/);
    }
  });

  test("a file with authentic chunks but a document that differs from its hash, before anything is written", async () => {
    const { encryptBackup, decryptBackup } = await import("../../app/backup/backup-encryption.server.ts");
    async function* wrong() {
      for await (const frame of decryptBackup(whole))
        yield Buffer.isBuffer(frame) || frame.kind !== "documentEnd" ? frame : { ...frame, sha256: "0".repeat(64) };
    }
    const parts: Buffer[] = [];
    for await (const part of encryptBackup(wrong())) parts.push(part);
    expect(await refusal(Buffer.concat(parts))).toContain("is damaged in the backup");
  });

  test("an older backup renamed to a newer one, before anything is written", async () => {
    const renamed = path.join(folder, "backup-20990101T000000Z.backup");
    writeFileSync(renamed, readFileSync(whole));
    await expect(restoreBackup(await order(renamed))).rejects.toThrow("its name says another time");
    expect(readdirSync(machine.DATA_DIR!)).toEqual([]);
  });

  test("a file with a flipped bit or appended bytes, before anything is written", async () => {
    const bytes = readFileSync(whole);
    for (let step = 0; step < 40; step++) {
      const changed = Buffer.from(bytes);
      const at = Math.floor((step * (bytes.length - 1)) / 39);
      changed[at] = changed[at]! ^ 1;
      expect(await refusal(changed)).toMatch(/damaged|cut short|does not open|not a backup of this app/);
    }
    expect(await refusal(Buffer.concat([bytes, Buffer.from("more")]))).toContain("damaged");
    expect(await refusal(Buffer.from("Dear Ms. Kim"))).toContain("not a backup of this app");
  });

  test.each([
    [
      "to run with another key of the same name, and writes nothing",
      { BACKUP_KEYS: newEncryptionKey("vault") },
      "BACKUP_KEYS can't decrypt this backup. The key named vault is not",
    ],
    [
      "to run with a key of another name, and writes nothing",
      { BACKUP_KEYS: newEncryptionKey("attic") },
      "There is no key named vault",
    ],
    ["to run without a key, and writes nothing", { BACKUP_KEYS: "" }, "BACKUP_KEYS is not set"],
    ["to run with a malformed key, and writes nothing", { BACKUP_KEYS: "vault:short" }, "BACKUP_KEYS must be NAME:KEY"],
    [
      "to restore into another kind of database, and writes nothing",
      { DATABASE_URL: isSqlite ? "postgresql://nobody@127.0.0.1:1/none" : "file:other.db" },
      "DATABASE_URL names",
    ],
  ])("%s", async (_, changes, words) => {
    const { code, output } = await backupCommand(["restore", whole], { ...machine, ...changes });
    expect([code, output.trim()]).toEqual([1, expect.stringMatching(/^[^\n]+$/)]);
    expect(output).toContain(words);
    expect(readdirSync(machine.DATA_DIR!)).toEqual([]);
  });

  test.each([
    ["a missing file", ["restore", "/nowhere.backup"], "There is no backup /nowhere.backup"],
    ["to run without a file", ["restore"], "Use: npm run backup"],
    ["to run with two files", ["restore", "one", "two"], "Use: npm run backup"],
    ["an unknown option", ["restore", "--force"], "Use: npm run backup"],
    ["the option --replace for a backup", ["backup", "--replace"], "Use: npm run backup"],
  ])("%s", async (_, args, words) => {
    expect(await backupCommand(args, machine)).toMatchObject({ code: 1, output: said(words) });
  });

  test("a backup of a database with migrations of a newer version", async () => {
    const newer = await environmentWithEmptyDatabase(template, { BACKUP_KEYS });
    await run(newer.DATABASE_URL!, [historyRow("20990101000000_later")]);
    const file = path.join(folder, "newer.backup");
    expect(await backupCommand(["backup", file], newer)).toMatchObject({ code: 0 });
    const { code, output } = await backupCommand(["restore", file], machine);
    expect([code, output]).toEqual([1, said("newer than this program: it has the migration 20990101000000_later")]);
  });
});

test("a backup fails and names a document whose bytes don't match the recorded hash", async () => {
  const db = await createDatabaseClient(old.environment.DATABASE_URL);
  const { id, sha256 } = await db.document.findFirstOrThrow();
  await db.document.update({ where: { id }, data: { sha256: "0".repeat(64) } });
  const made = await backupCommand(["backup", path.join(folder, "differs.backup")], old.environment);
  expect(made).toMatchObject({ code: 1, output: said(`missing or damaged: ${id}.`) });
  await db.document.update({ where: { id }, data: { sha256 } });
  await db.$disconnect();
});

test("a backup doesn't write through an existing symbolic link at its temporary file", async () => {
  const [file, victim] = [path.join(folder, "linked.backup"), path.join(folder, "victim")];
  writeFileSync(victim, "untouched");
  symlinkSync(victim, `${file}.part`);
  expect(await backupCommand(["backup", file], old.environment)).toMatchObject({ code: 0 });
  expect(readFileSync(victim, "utf8")).toBe("untouched");
  expect(lstatSync(file).isFile()).toBe(true);
});

/** Puts a symbolic link in place of the database's file and returns both paths; nothing for a server's database. */
function moveBehindLink(url: string): string[] {
  if (!isSqlite) return [];
  const [link, file] = [url.replace("file:", ""), path.join(folder, "elsewhere.db")];
  renameSync(link, file);
  symlinkSync(file, link);
  return [link, file];
}

test("a restore replaces the database behind a symbolic link, and keeps the link", async () => {
  const linked = await environmentWithEmptyDatabase(template, listed);
  const paths = moveBehindLink(linked.DATABASE_URL!);
  expect(await backupCommand(["restore", whole, "--replace"], linked)).toMatchObject({ code: 0 });
  expect(paths.map((each) => lstatSync(each).isSymbolicLink())).toEqual([true, false].slice(0, paths.length));
  const restored = await createDatabaseClient(linked.DATABASE_URL!);
  expect(await restored.user.count({ where: { email: maria.email } })).toBe(1);
  await restored.$disconnect();
});

/** Each column of the database with the hash of what stands in a link. */
const LINK_HASHES = [
  ...readFileSync("prisma/models.prisma", "utf8").matchAll(/^model (\w+) \{\n([\s\S]*?)^\}/gm),
].flatMap(([, model = "", columns = ""]) =>
  [...columns.matchAll(/^ {2}(\w*(?:[tT]oken|[sS]ecret)Hash) /gm)].map(([, column = ""]) => [model, column] as const),
);

test("a restore brings back no session and no secret link, and leaves no email pending a second time", async () => {
  const db = await createDatabaseClient(old.environment.DATABASE_URL);
  const later = new Date(Date.now() + 3_600_000);
  await db.passwordReset.create({ data: { tokenHash: "link", userId: maria.id, expiresAt: later } });
  const visit = { title: "Visit", type: "consultation", appointmentDate: new Date("2027-06-05T14:00Z") };
  const { id: appointmentId } = await db.appointment.create({ data: visit });
  await db.appointmentClaim.create({ data: { tokenHash: "claim", appointmentId, expiresAt: later } });
  await db.emailConfirmation.create({ data: { tokenHash: "mine", userId: maria.id, email: "a@b", expiresAt: later } });
  await db.calendarFeed.create({ data: { secretHash: "calendar", userId: maria.id } });
  const invited = { email: "jane@example.org", firstName: "Jane", lastName: "Doe", isMailed: true };
  await db.invitation.create({ data: { ...invited, tokenHash: "invitation", expiresAt: later } });
  const change = { userId: maria.id, oldEmail: "maria.before@example.org", undoTokenHash: "undo", undoUntil: later };
  await db.emailChange.create({ data: change });
  const mail = { event: "password-reset", address: "a@b", content: "{}", nextAttemptAt: later, secretPath: "/secret" };
  await db.message.createMany({
    data: [
      { ...mail, key: "waits", state: "pending" },
      { ...mail, key: "went", state: "sent" },
    ],
  });
  const file = path.join(folder, "links.backup");
  expect(await backupCommand(["backup", file], old.environment)).toMatchObject({ code: 0 });
  const left = async (at: typeof db) => {
    const tables = at as unknown as Record<string, { count: (query: object) => Promise<number> }>;
    const counts = LINK_HASHES.map(async ([model, column]) => {
      const table = tables[model.charAt(0).toLowerCase() + model.slice(1)];
      return [`${model}.${column}`, await table?.count({ where: { [column]: { not: "" } } })] as const;
    });
    const mailed = await at.message.count({ where: { secretPath: { not: null } } });
    return { ...Object.fromEntries(await Promise.all(counts)), mailed, sessions: await at.session.count() };
  };
  const before = await left(db);
  expect(Object.entries(before).filter(([, count]) => !count)).toEqual([]);
  await db.$disconnect();
  const next = await newInstallationEnvironment(template, listed);
  expect(await backupCommand(["restore", file], next)).toMatchObject({ code: 0 });
  const restored = await createDatabaseClient(next.DATABASE_URL!);
  expect(await left(restored)).toEqual(Object.fromEntries(Object.keys(before).map((each) => [each, 0])));
  const states = await restored.message.findMany({
    where: { key: { in: ["waits", "went"] } },
    orderBy: { key: "asc" },
  });
  expect(states.map(({ state }) => state)).toEqual(["not-mailed", "sent"]);
  await restored.$disconnect();
});

test("a restore migrates the backup of an older version to the newest schema", async () => {
  const older = await newInstallationEnvironment(template, { BACKUP_KEYS });
  if (!isSqlite)
    await migrate(older.DATABASE_URL!).then(() =>
      run(older.DATABASE_URL!, ["DROP SCHEMA public CASCADE", "CREATE SCHEMA public"]),
    );
  const first = (await knownMigrations(template)).slice(0, 3);
  await run(older.DATABASE_URL!, [
    HISTORY,
    ...first.map(({ sql }) => sql),
    ...first.map(({ name }) => historyRow(name)),
  ]);
  await run(older.DATABASE_URL!, [
    `INSERT INTO users (email, password, "firstName", "lastName") VALUES ('maria@example.com', 'x', 'Maria', 'Alvarez')`,
  ]);
  const file = path.join(folder, "older.backup");
  expect(await backupCommand(["backup", file], older)).toMatchObject({ code: 0, output: said("1 records") });
  const { DATABASE_URL = "", ...newer } = await newInstallationEnvironment(template, { BACKUP_KEYS });
  const restored = await backupCommand(["restore", file], { ...newer, DATABASE_URL });
  expect(restored).toMatchObject({ code: 0 });
  const { users, notes } = await dumpRestorableRecords(DATABASE_URL);
  expect([users, notes]).toEqual([[expect.objectContaining({ email: "maria@example.com" })], []]);
});

test("records are replaced only with --replace and while the server is stopped; the old files are deleted too", async () => {
  const site = await startServer({ template, overrides: listed });
  const devon = await site.family();
  await uploadFile(devon, { bytes: textFile(1234) });
  const before = await dumpRestorableRecords(site.environment.DATABASE_URL);
  const unasked = () => backupCommand(["restore", whole], site.environment);
  const restoreWithReplace = () => backupCommand(["restore", whole, "--replace"], site.environment);
  expect(await restoreWithReplace()).toMatchObject({
    code: 1,
    output: said(isSqlite ? "The product is running" : "Stop the product"),
  });
  site.kill("SIGTERM");
  await site.ended;
  expect(await unasked()).toMatchObject({ code: 1, output: said("There are records already") });
  expect(await dumpRestorableRecords(site.environment.DATABASE_URL)).toEqual(before);

  const replaced = await restoreWithReplace();
  expect(replaced).toMatchObject({ code: 0, output: said("2 documents") });
  // Of another practice's database no number is taken for one of this one.
  expect([replaced.output.includes("ATTENTION: What was"), replaced.output.includes("Applied again")]).toEqual([
    true,
    false,
  ]);
  const { users = [] } = await dumpRestorableRecords(site.environment.DATABASE_URL);
  expect((users as { email: string }[]).map(({ email }) => email)).toEqual([adminEmail, maria.email]);
  const files = readdirSync(path.join(site.folder, "files"), { recursive: true, encoding: "utf8" });
  expect(files.filter((name) => name.endsWith(".dat"))).toHaveLength(2);
});

test("the restore report counts families that were erased again and names accounts not erased yet", async () => {
  const { describeErasures } = await import("../../app/backup/restore-erasure-report.ts");
  const found = { isListMissing: false, erasedAccountCount: 0 };
  const none = { accountIds: [], closedPaymentIds: [], erasedInOtherCopyIds: [] };
  expect(describeErasures(none, [], found)).toBe("");
  const said = describeErasures({ ...none, accountIds: [2, 5, 7], closedPaymentIds: [31] }, [5], found);
  expect(said).toContain(
    "2 families that were erased after the backup were erased again. Not erased yet: the account 5.",
  );
  expect(said).toContain("which knows how they ended: the payment 31.");
  const waiting = describeErasures({ ...none, accountIds: [5] }, [5], found);
  expect([waiting.includes("erased again"), waiting.includes("the account 5.")]).toEqual([false, true]);
});

test("a database without a table is replaced, with a warning that revocations after the backup are not applied again", async () => {
  const next = await newInstallationEnvironment(template, listed);
  expect(await backupCommand(["restore", whole], next)).toMatchObject({ code: 0 });
  await run(next.DATABASE_URL!, ["DROP TABLE passkeys"]);
  const restored = await backupCommand(["restore", whole, "--replace"], next);
  expect([restored.code, restored.output]).toEqual([
    0,
    said("ATTENTION: What was withdrawn, removed or changed after"),
  ]);
});

test("the restore report counts reapplied revocations and names accounts with an earlier email address", async () => {
  const { describeRevocations } = await import("../../app/backup/restore-revocation-report.ts");
  const at = "2026-11-21T07:15:00.000Z";
  const known = {
    counts: {},
    affectedAccounts: [],
    earlierEmailAccountIds: [],
    deletedDocumentIds: [],
    unknownSince: null,
  };
  expect(describeRevocations(known, at)).toContain("knows of nothing that was withdrawn, removed or changed");
  const counted = { ...known, counts: { passwords: 2, consents: 1, passkeys: 0 }, earlierEmailAccountIds: [5, 7] };
  expect(describeRevocations(counted, at)).toBe(
    " Applied again from the replaced database: 1 withdrawn agreement; 2 changed passwords. Changed after the backup and as before again: the email address of the accounts 5, 7.",
  );
  expect(describeRevocations(null, at)).toMatch(new RegExp(`^ ATTENTION: What was withdrawn, .* after ${at} is back`));
  const unknownSince = new Date("2026-11-20T07:15:00.000Z");
  expect(describeRevocations({ ...counted, unknownSince }, at)).toMatch(
    /Applied again .* ATTENTION: What was withdrawn, removed or changed after 2026-11-20T07:15:00.000Z is back/,
  );
  expect(describeRevocations({ ...known, deletedDocumentIds: [3, 8] }, at)).toContain(
    "Deleted after the backup and there again: 2 documents, with the numbers 3, 8",
  );
});

test("a backup made while a document file is missing exits with 1; it can be restored, with the record of the document", async () => {
  const [lost = ""] = readdirSync(path.join(old.folder, "files"), { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".dat"),
  );
  rmSync(path.join(old.folder, "files", lost));
  const file = path.join(folder, "lossy.backup");
  const made = await backupCommand(["backup", file], old.environment);
  expect(made).toMatchObject({ code: 1, output: said("missing or damaged:") });
  const record = JSON.parse(readFileSync(path.join(old.folder, "backup.json"), "utf8"));
  expect(record.backup).toMatchObject({ last: { isGood: false }, lastGood: { isGood: true, file: "links.backup" } });
  const next = await newInstallationEnvironment(template, listed);
  const restored = await backupCommand(["restore", file], next);
  expect(restored).toMatchObject({ code: 0, output: said("1 were damaged before the backup was made") });
  expect((await dumpRestorableRecords(next.DATABASE_URL!)).documents).toHaveLength(2);
  expect(existsSync(`${next.DATABASE_URL!.slice("file:".length)}-restoring`)).toBe(false);
  old.kill("SIGTERM");
  await old.ended;
});

test("a backup folder keeps the newest BACKUP_KEEP backups and all other files", async () => {
  const next = await environmentWithEmptyDatabase(template, { BACKUP_KEYS, BACKUP_KEEP: "2" });
  const backupFolder = path.join(next.DATA_DIR!, "backups");
  expect(await backupCommand(["backup"], next)).toMatchObject({ code: 0 });
  const [first = ""] = readdirSync(backupFolder);
  for (const day of ["01", "02", "03"])
    writeFileSync(path.join(backupFolder, `backup-202601${day}T000000Z.backup`), "");
  writeFileSync(path.join(backupFolder, "letter.txt"), "");
  rmSync(path.join(backupFolder, first));
  expect(await backupCommand(["backup"], next)).toMatchObject({ code: 0 });
  expect(readdirSync(backupFolder)).toEqual([
    "backup-20260103T000000Z.backup",
    expect.stringMatching(/^backup-/),
    "erased-accounts",
    "letter.txt",
  ]);
});

test("a backup that the operator writes to another file deletes no backup in the folder", async () => {
  const next = await environmentWithEmptyDatabase(template, { BACKUP_KEYS, BACKUP_KEEP: "1" });
  const backupFolder = path.join(next.DATA_DIR!, "backups");
  const names = ["01", "02"].map((day) => `backup-202601${day}T000000Z.backup`);
  mkdirSync(backupFolder, { recursive: true });
  for (const name of names) writeFileSync(path.join(backupFolder, name), "");
  expect(await backupCommand(["backup", path.join(folder, "own.backup")], next)).toMatchObject({ code: 0 });
  expect(readdirSync(backupFolder)).toEqual([...names, "erased-accounts"]);
});

const HISTORY = `CREATE TABLE "_prisma_migrations" (
  id VARCHAR(36) PRIMARY KEY NOT NULL, checksum VARCHAR(64) NOT NULL, finished_at TIMESTAMP,
  migration_name VARCHAR(255) NOT NULL, logs TEXT, rolled_back_at TIMESTAMP,
  started_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, applied_steps_count INTEGER NOT NULL DEFAULT 0)`;

function historyRow(name: string): string {
  const columns = "id, checksum, migration_name, finished_at";
  return `INSERT INTO _prisma_migrations (${columns}) VALUES ('${name}', 'x', '${name}', CURRENT_TIMESTAMP)`;
}

async function run(url: string, statements: string[]): Promise<void> {
  if (isSqlite) {
    const database = new Database(url.slice("file:".length));
    for (const statement of statements) database.exec(statement);
    database.close();
    return;
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}
