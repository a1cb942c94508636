// Proves that a restored backup has every record and document, also if it was made while the site was in use.
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { expect, inject, test } from "vitest";
import { parseBucketUrl } from "../../app/env-schema.server.ts";
import {
  backupCommand,
  newInstallationEnvironment,
  downloadHashes,
  newEncryptionKey,
  dumpRestorableRecords,
  verifyAudit,
} from "../support/backup-commands.ts";
import { DAY_MS } from "../../app/time-units.ts";
import { codeOf, turnOnSecondFactor } from "../support/authenticator-app.ts";
import { addPasskey, signInWithPasskey } from "../support/passkeys.ts";
import { textFile, uploadFile, uploadOrFail } from "../support/uploads.ts";
import { TestClient } from "../support/http-client.ts";
import { type Family, signInAs } from "../support/people.ts";
import { startServer } from "../support/servers/server-process.ts";
import { startS3 } from "../support/servers/s3-server.ts";
import { testEnvironment } from "../support/test-environment.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { bookOrFail, nextFreeHour, bookingBody } from "../support/bookings.ts";

const template = inject("template");
const [FILES, OTHERS] = [newEncryptionKey("files"), newEncryptionKey("others")];
// This process reads what both machines encrypted.
Object.assign(process.env, await testEnvironment(template, temporaryFolder("reader")), {
  FILE_KEYS: `${FILES},${OTHERS}`,
});

const CANARY = "Leo reads better in the morning";
const BACKUP_KEYS = newEncryptionKey("vault");
const said = (words: string) => expect.stringContaining(words) as string;
const ATTENTION = "ATTENTION: What was withdrawn, removed or changed after";
const APPLIED_AGAIN =
  "Applied again from the replaced database: 2 withdrawn agreements; 1 changed password; 1 removed passkey; 1 added passkey; 1 used or replaced recovery code; 2 requests for deletion; 1 withdrawn request for deletion; 1 closed account; 1 document no longer shared; 1 email opt-out; 1 canceled visit of such an account, without a refund.";
const WHOLE_WITHOUT_WARNING = expect.stringMatching(/3 documents, each equal to its hash(?!.*ATTENTION)/) as string;
const hashOf = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

test("one restore command on a new machine brings back every record, and every document with the same hash", async () => {
  const changes = { BACKUP_KEYS, FILE_KEYS: FILES };
  const old = await startServer({ template, overrides: changes });
  const maria = await old.family({ intake: true });
  const texts = [textFile(3_000_000), textFile(65_536), textFile(1)];
  for (const bytes of texts) await uploadOrFail(maria, bytes);
  await bookOrFail(maria);
  const { appointment } = await paid(maria);
  const uidOf = async (client: TestClient) =>
    /^UID:\S+/m.exec((await client.get(`/api/appointments/${appointment.id}/calendar.ics`)).text)?.[0];
  const uid = await uidOf(maria);
  expect(uid).toMatch(/^UID:[\da-f-]{36}$/);
  const before = await downloadHashes(maria);
  expect([...before.values()]).toEqual(texts.map(hashOf).toReversed());

  expect(await backupCommand(["rehearse"], old.environment)).toMatchObject({ code: 1, output: said("no backup") });
  expect(await backupCommand(["backup"], old.environment)).toMatchObject({ code: 0, output: said("3 documents") });
  const [name = ""] = readdirSync(path.join(old.folder, "backups"));
  const file = path.join(old.folder, "backups", name);
  expect(readFileSync(file, "latin1")).not.toContain(CANARY);
  expect(readFileSync(file, "latin1")).not.toContain(maria.email);

  // The rehearsal, while the product runs.
  const original = await dumpRestorableRecords(old.environment.DATABASE_URL);
  expect(original.intakeForms).toMatchObject([{ otherConcerns: "Reading takes all evening." }]);
  const rehearsed = await backupCommand(["rehearse"], old.environment);
  expect(rehearsed).toMatchObject({ code: 0, output: WHOLE_WITHOUT_WARNING });
  expect(await dumpRestorableRecords(old.environment.DATABASE_URL)).toEqual(original);
  expect(readdirSync(old.folder).filter((each) => each.startsWith("rehearsal"))).toEqual([]);
  const record = JSON.parse(readFileSync(path.join(old.folder, "backup.json"), "utf8"));
  const bytes = readFileSync(file).length;
  expect(record.backup.last).toMatchObject({ isGood: true, file: name, bytes });
  expect(record.rehearsal.last).toMatchObject({ isGood: true, words: said("each equal") });
  old.kill("SIGKILL");
  await old.ended;

  const machine = await newInstallationEnvironment(template, { BACKUP_KEYS, FILE_KEYS: OTHERS });
  const restored = await backupCommand(["restore", file], machine);
  expect(restored).toMatchObject({ code: 0, output: said("3 documents, each") });
  expect(original.sessions).not.toEqual([]);
  // The access log, signed anew with the machine's own keys.
  const held = Number(/^\d+/.exec((await verifyAudit(old.environment)).output)?.[0]);
  const verified = await verifyAudit(machine);
  expect(verified).toMatchObject({ code: 0, output: expect.stringMatching(/^\d+ entries hold/) as string });
  expect(Number(/^\d+/.exec(verified.output)?.[0])).toBeGreaterThan(held - 5);
  expect(await dumpRestorableRecords(machine.DATABASE_URL!)).toEqual({ ...original, sessions: [] });

  // With its own keys alone the new machine reads what the old one encrypted. It has another name, too.
  const site = await startServer({ overrides: { ...machine, APP_ORIGIN: `http://127.0.0.1:${machine.PORT}` } });
  const intakeResponse = await (await site.consultant()).get(`/api/intake-forms?userId=${maria.id}`);
  expect(intakeResponse.json).toMatchObject({ otherConcerns: "Reading takes all evening." });
  const again = await signInAs(site.origin, maria.email, maria.password);
  expect(await downloadHashes(again)).toEqual(before);
  // Families' calendars know the visit again.
  expect(await uidOf(again)).toBe(uid);
  expect(await uploadOrFail(again, textFile(10))).toBeGreaterThan(Math.max(...before.keys()));
  expect((await bookOrFail(again)).id).toBeGreaterThan(appointment.id);
  site.kill("SIGTERM");
  await site.ended;
});

test("a backup made during concurrent uploads, deletions and bookings contains only complete documents", async () => {
  const site = await startServer({ template, overrides: { BACKUP_KEYS } });
  const families = await Promise.all(Array.from({ length: 3 }, () => site.family({ intake: true })));
  const acknowledged = new Map<number, string>();
  const upload = async (family: (typeof families)[number], size: number) => {
    const bytes = textFile(size);
    const id = await uploadOrFail(family, bytes);
    acknowledged.set(id, hashOf(bytes));
    return id;
  };
  for (let count = 1; count <= 20; count++) await upload(families[count % 3]!, count * 10_000);
  const earlier = new Map(acknowledged);

  const done = new AbortController();
  const deleted = new Set<number>();
  const busy = families.map(async (family, index) => {
    for (let count = 1; !done.signal.aborted && count < 300; count++) {
      const id = await upload(family, count * 1000 + index);
      await family.post("/api/appointments", bookingBody());
      // From the end: the backup reads from the beginning, so that it meets holes.
      const documentId =
        count % 2 === 0 ? id : [...earlier.keys()].findLast((each) => each % 3 === index && !deleted.has(each));
      if (documentId === undefined) continue;
      const response = await family.delete(`/api/documents/${documentId}`);
      if (response.status === 200) deleted.add(documentId);
    }
  });
  const made = await backupCommand(["backup"], site.environment);
  done.abort();
  await Promise.all(busy);
  expect(made).toMatchObject({ code: 0 });
  site.kill("SIGTERM");
  await site.ended;

  const machine = await newInstallationEnvironment(template, {
    BACKUP_KEYS,
    BACKUP_STORAGE: `file:${site.folder}/backups`,
  });
  expect(await backupCommand(["restore", "latest"], machine)).toMatchObject({ code: 0 });
  const { documents = [], users } = await dumpRestorableRecords(machine.DATABASE_URL!);
  expect(users).toHaveLength(4);
  const rows = new Map((documents as { id: number; sha256: string }[]).map(({ id, sha256 }) => [id, sha256]));
  const stayed = [...earlier].filter(([id]) => !deleted.has(id));
  expect(stayed.length).toBeGreaterThan(0);
  expect(stayed.map(([id]) => [id, rows.get(id)])).toEqual(stayed);
  for (const [id, hash] of rows) expect([id, hash]).toEqual([id, acknowledged.get(id)]);
  expect(filesIn(machine.DATA_DIR!)).toHaveLength(rows.size);
});

test("documents and backups can be stored in S3 buckets; a forged newest backup and an outage make commands fail", async () => {
  const s3 = await startS3();
  const { FILE_STORAGE, ...keys } = s3.settings;
  const changes = { ...keys, FILE_STORAGE, BACKUP_STORAGE: FILE_STORAGE, BACKUP_KEYS };
  const site = await startServer({ template, overrides: changes });
  const maria = await site.family();
  const bytes = textFile(400_000);
  await uploadOrFail(maria, bytes);
  expect(await backupCommand(["backup"], site.environment)).toMatchObject({ code: 0 });
  site.kill("SIGKILL");
  await site.ended;
  expect(existsSync(path.join(site.folder, "backups"))).toBe(false);

  const machine = await newInstallationEnvironment(template, changes);
  expect(await backupCommand(["restore", "latest"], machine)).toMatchObject({ code: 0, output: said("1 documents") });
  const again = await startServer({ overrides: machine });
  const client = await signInAs(again.origin, maria.email, maria.password);
  expect([...(await downloadHashes(client)).values()]).toEqual([hashOf(bytes)]);
  again.kill("SIGTERM");
  await again.ended;

  // Whoever can write to the bucket, and has no key, can't say which backup is the newest.
  const bucket = { ...parseBucketUrl(FILE_STORAGE)!, accessKeyId: keys.AWS_ACCESS_KEY_ID };
  const { createS3Store: s3Store } = await import("../../app/files/s3-store.server.ts");
  const store = s3Store({ ...bucket, secretAccessKey: keys.AWS_SECRET_ACCESS_KEY }, temporaryFolder("forger"));
  await store.write("newest-backup", Readable.from([Buffer.from("backup-20200101T000000Z.backup")]));
  const other = await newInstallationEnvironment(template, changes);
  const forged = await backupCommand(["restore", "latest"], other);
  expect(forged).toMatchObject({ code: 1, output: said("was not written with BACKUP_KEYS") });

  await s3.stop();
  const failed = await backupCommand(["backup"], machine);
  expect(failed).toMatchObject({ code: 1, output: said("Document storage is unavailable.") });
  const record = JSON.parse(readFileSync(path.join(machine.DATA_DIR!, "backup.json"), "utf8"));
  expect(record.backup.last).toMatchObject({ isGood: false, words: said("is unavailable") });
});

test("a family erased after a backup is erased again by a restore that knows of it, and no money moves", async () => {
  const site = await startServer({ template, overrides: { BACKUP_KEYS, ERASURE_GRACE_DAYS: "0" } });
  const { environment, folder } = site;
  const [maria, devon] = [await site.family({ intake: true }), await site.family()];
  await uploadOrFail(maria, textFile(100));
  await paid(maria);
  await atProvidersPage(maria);
  expect(await backupCommand(["backup"], environment)).toMatchObject({ code: 0 });
  const [backup = "", list = ""] = readdirSync(path.join(folder, "backups"));
  const file = path.join(folder, "backups", backup);
  expect([list, readFileSync(path.join(folder, "backups", list), "utf8").split("\n")[1]]).toEqual([
    "erased-accounts",
    "[]",
  ]);
  // Nobody was erased so far, and the list says so.
  const early = await newInstallationEnvironment(template, { BACKUP_KEYS });
  const plain = await backupCommand(["restore", file], early);
  expect([plain.code, /erased/.test(plain.output)]).toEqual([0, false]);

  await eraseForGood(site, maria);
  const moneyMoved = () => readFileSync(path.join(folder, "simulator.json"), "utf8");
  const moved = moneyMoved();
  expect(Object.values(JSON.parse(moved).refunds)).toMatchObject([{ amountCents: 7500 }]);

  // The backup alone, without the list beside it.
  const lone = { BACKUP_KEYS, BACKUP_STORAGE: `file:${temporaryFolder("lone")}` };
  const copy = path.join(lone.BACKUP_STORAGE.slice("file:".length), backup);
  copyFileSync(file, copy);
  const machine = await newInstallationEnvironment(template, lone);
  const elsewhere = { ...machine, BACKUP_STORAGE: `file:${temporaryFolder("nothing")}` };
  await expectNoListFound(["restore", copy], elsewhere);
  await expectNoListFound(["restore", "latest", "--replace"], machine);
  await expectNoListFound(["rehearse"], { ...environment, ...lone });

  const familiesOf = async (url: string) =>
    ((await dumpRestorableRecords(url)).users as { id: number }[]).map(({ id }) => id).filter((id) => id >= maria.id);
  expect(await familiesOf(machine.DATABASE_URL!)).toEqual([maria.id, devon.id]);
  // The database that is replaced knows who was erased, and hands it on.
  const replaced = await backupCommand(["restore", "latest", "--replace"], { ...environment, ...lone });
  expect(replaced).toMatchObject({
    code: 0,
    output: said("1 family that was erased after the backup was erased again"),
  });
  expect(replaced.output).toContain("without asking the card provider");
  expect(await familiesOf(environment.DATABASE_URL)).toEqual([devon.id]);
  const next = await newInstallationEnvironment(template, lone);
  expect(await backupCommand(["restore", "latest"], next)).toMatchObject({ code: 0, output: said("erased again") });
  expect(await familiesOf(next.DATABASE_URL!)).toEqual([devon.id]);
  await restoreOtherCopy({ ...early, ...lone }, maria);
  expect(await familiesOf(early.DATABASE_URL!)).toEqual([maria.id, devon.id]);

  const again = await startServer({ overrides: environment });
  const { payments = [], refunds = [] } = await dumpRestorableRecords(environment.DATABASE_URL);
  expect((payments as { state: string }[]).map(({ state }) => state)).toEqual(["paid", "voided"]);
  expect([refunds, moneyMoved()]).toEqual([[], moved]);
  again.kill("SIGTERM");
  await again.ended;
});

test("access revoked after a backup stays revoked when the restore replaces a database that recorded it", async () => {
  const site = await startServer({ template, overrides: { BACKUP_KEYS } });
  const { environment, folder } = site;
  const [admin, maria, devon, priya, rosa] = [
    await site.consultant(),
    await site.family({ intake: true }),
    await site.family(),
    await site.family(),
    await site.family(),
  ];
  const papers = [await shareDocument(admin, rosa), await uploadOrFail(rosa, textFile(100))] as const;
  await agree(maria, "sign");
  const { id: passkeyId, device } = await addPasskey(maria);
  const { secret, recoveryCodes } = await turnOnSecondFactor(maria, maria.password);
  await paid(maria);
  await askForDeletion(priya);
  expect(await backupCommand(["backup"], environment)).toMatchObject({ code: 0 });

  await agree(maria, "withdraw");
  const [usedCode = "", nextCode = ""] = recoveryCodes;
  const signIn = (origin: string, { email }: Family, password: string, code?: string) =>
    new TestClient(origin).post("/api/auth/login", { email, password, ...(code && { code }) });
  expect((await signIn(site.origin, maria, maria.password, usedCode)).status).toBe(200);
  expect((await maria.delete(`/api/auth/passkeys/${passkeyId}`)).status).toBe(200);
  const password = "a later password of hers 7";
  const change = { currentPassword: maria.password, newPassword: password, confirmPassword: password };
  expect((await maria.post("/api/auth/change-password", change)).status).toBe(200);
  await askForDeletion(maria, { password, code: codeOf(secret) });
  await admin.form(`/families/${devon.id}/close`, {});
  const back = await signInAs(site.origin, priya.email, priya.password);
  expect((await back.form("/keep-account", {})).status).toBe(302);
  const { device: laterDevice } = await addPasskey(back);
  await changeMore(admin, rosa, { papers, url: environment.DATABASE_URL });
  const ended = await accessOf(environment.DATABASE_URL);
  const moneyMoved = () => readFileSync(path.join(folder, "simulator.json"), "utf8");
  const moved = moneyMoved();
  site.kill("SIGTERM");
  await site.ended;

  const restored = await backupCommand(["restore", "latest", "--replace"], environment);
  expect([restored.code, restored.output]).toEqual([0, said(APPLIED_AGAIN)]);
  expect(restored.output).toMatch(
    new RegExp(`^(?!.*ATTENTION).*there again: 1 document, with the number ${papers[1]} `),
  );
  expect(await accessOf(environment.DATABASE_URL)).toEqual(ended);
  const again = await startServer({ overrides: environment });
  expect((await signInWithPasskey(again.visitor(), device)).status).toBe(401);
  expect((await signIn(again.origin, maria, maria.password, nextCode)).status).toBe(401);
  expect((await signIn(again.origin, maria, password, usedCode)).status).toBe(401);
  expect((await signIn(again.origin, devon, devon.password)).status).toBe(403);
  expect((await signIn(again.origin, maria, password, nextCode)).status).toBe(200);
  expect((await signInWithPasskey(again.visitor(), laterDevice)).status).toBe(200);
  expect((await (await again.consultant()).get(`/families/${rosa.id}/keep`)).visibleText).toContain("You scheduled");
  expect(moneyMoved()).toBe(moved);
  again.kill("SIGTERM");
  await again.ended;
});

test("a restore that can't know later revocations warns the consultant until she marks the warning as checked", async () => {
  const old = await startServer({ template, overrides: { BACKUP_KEYS } });
  // So that the access log has an entry by which the two databases are compared.
  const maria = await old.family({ intake: true });
  await askForDeletion(maria);
  await expectErasure(old.environment.DATABASE_URL, maria, { dueInDays: 0.01 });
  expect(await backupCommand(["backup"], old.environment)).toMatchObject({ code: 0 });
  await old.family({ intake: true });
  old.kill("SIGTERM");
  await old.ended;
  const machine = await newInstallationEnvironment(template, {
    BACKUP_KEYS,
    BACKUP_STORAGE: `file:${old.folder}/backups`,
  });
  const restored = await backupCommand(["restore", "latest"], machine);
  expect([restored.code, restored.output]).toEqual([0, said(ATTENTION)]);
  expect(restored.output).toContain("closed accounts and requests for deletion. Nobody is deleted for 14 days.");
  await expectErasure(machine.DATABASE_URL!, maria, { isAfterDays: 13 });
  // The database that is replaced now has not seen it either.
  const again = await backupCommand(["restore", "latest", "--replace"], machine);
  expect([again.code, again.output]).toEqual([0, said(ATTENTION)]);

  const site = await startServer({ overrides: machine });
  const admin = await site.consultant();
  const dashboard = async () => (await admin.get("/dashboard")).visibleText;
  await expect.poll(dashboard, { timeout: 90_000 }).toContain("What was withdrawn, removed or changed after");
  const { document } = await admin.get("/system-status");
  const fields = Object.fromEntries(
    ["part", "upTo"].map((name) => [name, document.querySelector(`main input[name=${name}]`)?.getAttribute("value")]),
  ) as Record<string, string>;
  expect((await admin.form("/system-status", fields)).status).toBe(302);
  expect(await dashboard()).not.toContain("What was withdrawn, removed or changed after");
  site.kill("SIGTERM");
  await site.ended;
  const known = await backupCommand(["restore", "latest", "--replace"], machine);
  expect([known.code, known.output]).toEqual([
    0,
    said("Applied again from the replaced database: 1 request for deletion."),
  ]);
  expect(known.output).not.toContain("ATTENTION");
  // The machine has noted entries of a chain that goes on otherwise than the one it gets now.
  const run = await startServer({ overrides: machine });
  await run.family({ intake: true });
  run.kill("SIGTERM");
  await run.ended;
  expect(await backupCommand(["backup"], old.environment)).toMatchObject({ code: 0 });
  const other = await backupCommand(["restore", "latest", "--replace"], machine);
  expect([other.code, other.output]).toEqual([0, said(ATTENTION)]);
  expect(await verifyAudit(machine)).toMatchObject({ code: 0 });
});

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".dat"));
}

/** Pays an hour with the simulator's card. */
async function paid(family: Parameters<typeof bookOrFail>[0]) {
  const appointmentData = bookingBody({ appointmentDate: nextFreeHour() });
  const body = { sourceId: "cnon:card-nonce-ok", amount: 75, appointmentData };
  const response = await family.post("/api/payments/process", body);
  expect([response.status, response.text]).toEqual([200, expect.any(String)]);
  return response.json as { appointment: { id: number } };
}

/** Leaves the provider's page open, on which an hour can be paid. */
async function atProvidersPage(family: Parameters<typeof bookOrFail>[0]) {
  const visit = { title: "Hourly Consulting", slot: nextFreeHour(), duration: "60", type: "consultation" };
  await family.form("/appointments/new", { ...visit, paymentMethod: "online" });
  const response = await family.form("/appointments/pay", { intent: "hosted" });
  expect(response.headers.location).toBe("/appointments/pay/checkout");
}

/** Signs both documents of the practice, or takes them back. */
async function agree(family: Family, intent: "sign" | "withdraw") {
  const fields = { intent, version: "2026-11-23", signedName: family.name, details: "Shore Regional School" };
  for (const name of ["recording", "release-of-records"])
    expect((await family.form(`/consents/${name}`, fields)).status).toBe(302);
}

/** Asks for the deletion of a family's account. */
async function askForDeletion(family: Family, fields: { password?: string; code?: string } = {}) {
  const body = JSON.stringify({ password: family.password, ...fields });
  const headers = { Origin: family.origin, "Content-Type": "application/json" };
  const response = await family.request("DELETE", "/api/me", { headers, body });
  expect([response.status, response.text]).toEqual([202, expect.any(String)]);
}

/** Lets the deletion that a family has asked for be due in so many days, or looks that it is not due before. */
async function expectErasure(
  url: string,
  { id }: Family,
  { dueInDays, isAfterDays = 0 }: { dueInDays?: number; isAfterDays?: number },
) {
  const { createDatabaseClient } = await import("../../app/db/database-client.server.ts");
  const db = await createDatabaseClient(url);
  if (dueInDays)
    await db.user.update({ where: { id }, data: { eraseAfter: new Date(Date.now() + dueInDays * DAY_MS) } });
  const { eraseAfter } = await db.user.findUniqueOrThrow({ where: { id } });
  await db.$disconnect();
  expect(eraseAfter!.getTime()).toBeGreaterThan(Date.now() + isAfterDays * DAY_MS);
}

/** Shares a document of the consultant's with a family. */
async function shareDocument(admin: TestClient, { id }: Family): Promise<number> {
  const fields = { customFileName: "A letter", userId: String(id) };
  return (await uploadFile(admin, { bytes: textFile(100), fields })).json.id as number;
}

/** Ends the sharing of the first document, deletes the second, turns off reminders, and schedules the family's deletion. */
async function changeMore(
  admin: TestClient,
  family: Family,
  { papers: [shared, deleted], url }: { papers: readonly [number, number]; url: string },
) {
  await admin.form(`/documents/${shared}/sharing`, { isShared: "false" });
  expect((await family.delete(`/api/documents/${deleted}`)).status).toBe(200);
  const { createDatabaseClient } = await import("../../app/db/database-client.server.ts");
  const db = await createDatabaseClient(url);
  await db.mailOptOut.create({ data: { userId: family.id, topic: "reminders" } });
  await db.$disconnect();
  expect((await admin.form(`/families/${family.id}/delete`, { isSure: "on" })).status).toBe(302);
}

/** What gives access to each account, what it asked for and agreed to, and its visits. */
async function accessOf(url: string) {
  const { createDatabaseClient } = await import("../../app/db/database-client.server.ts");
  const db = await createDatabaseClient(url);
  const state = { password: true, isAdmin: true, closedAt: true, eraseAfter: true } as const;
  const found = {
    users: await db.user.findMany({ orderBy: { id: "asc" }, select: { id: true, ...state } }),
    passkeys: await db.passkey.findMany({ orderBy: { id: "asc" }, select: { credentialId: true, name: true } }),
    factors: await db.secondFactor.findMany({ orderBy: { userId: "asc" }, select: { userId: true, createdAt: true } }),
    codes: await db.recoveryCode.findMany({ orderBy: [{ userId: "asc" }, { codeHash: "asc" }] }),
    optOuts: await db.mailOptOut.findMany({ select: { userId: true, topic: true } }),
    shared: await db.document.findMany({ where: { isSharedWithClient: true, uploadedBy: { isAdmin: true } } }),
    consents: await db.consent.findMany({ orderBy: { id: "asc" } }),
    visits: await db.appointment.findMany({ orderBy: { id: "asc" }, select: { status: true, cancelledBy: true } }),
  };
  await db.$disconnect();
  return found;
}

/** Lets a family delete its account, and the product erase it. Stops the product. */
async function eraseForGood(site: Awaited<ReturnType<typeof startServer>>, family: Family) {
  await askForDeletion(family);
  site.kill("SIGTERM");
  await site.ended;
  const { createDatabaseClient } = await import("../../app/db/database-client.server.ts");
  const live = await createDatabaseClient(site.environment.DATABASE_URL);
  const unsettled = { userId: family.id, state: { notIn: ["paid", "voided"] } };
  // Each start runs the jobs at once.
  for (const count of [
    () => live.payment.count({ where: unsettled }),
    () => live.user.count({ where: { id: family.id } }),
  ]) {
    const run = await startServer({ overrides: site.environment });
    await expect.poll(count, { timeout: 90_000 }).toBe(0);
    run.kill("SIGTERM");
    await run.ended;
  }
  await live.$disconnect();
}

/** Another copy of the database, in which a family was never erased, is backed up after that: the family stays in it. */
async function restoreOtherCopy(environment: Record<string, string>, { id }: Family) {
  expect(await backupCommand(["backup"], environment)).toMatchObject({ code: 0 });
  const { code, output } = await backupCommand(["restore", "latest", "--replace"], environment);
  expect([code, output]).toEqual([0, said(`ATTENTION: The backup has the account ${id}, which was erased before it`)]);
}

async function expectNoListFound(args: string[], environment: Record<string, string>) {
  const { code, output } = await backupCommand(args, environment);
  expect([args, code, output]).toEqual([args, 0, said("ATTENTION: No list of erased families was found")]);
  expect(output).toContain("Families that were erased after it are back.");
}
