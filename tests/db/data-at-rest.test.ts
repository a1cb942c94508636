// Proves that files are private to the server's system account, and families' texts encrypted on disk.
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { backupCommand, newEncryptionKey } from "../support/backup-commands.ts";
import { environmentOverrides } from "../support/environment-overrides.ts";
import { SAMPLES, uploadFile } from "../support/uploads.ts";
import { intakeForm } from "../support/people.ts";
import { runCommand } from "../support/servers/server-process.ts";
import { allBytesAtRest } from "../support/bytes-at-rest.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { bookOrFail, nextFreeHour } from "../support/bookings.ts";

// A place that somebody copied with modes for everybody.
const data = path.join(temporaryFolder("wide"), "data");
mkdirSync(path.join(data, "files", "deep"), { recursive: true });
const made = ["session-secret", "file-key", "files/deep/file.dat"];
for (const name of made) writeFileSync(path.join(data, name), "A".repeat(43));
for (const name of [".", "files", "files/deep", ...made])
  chmodSync(path.join(data, name), name.includes("-") ? 0o644 : 0o755);
mkdirSync(path.join(data, "rehearsal-999999999-abc"));
Object.assign(environmentOverrides, {
  DATA_DIR: data,
  SESSION_SECRET: "",
  FILE_KEYS: "",
  BACKUP_KEYS: newEncryptionKey("vault"),
});
const { consultant, db, testing, environment, family, folder, visitor } = await import("../support/site.ts");

const CANARY = "quokka";
const url = environment.DATABASE_URL;
const admin = await consultant();
const maria = await family();

const readAllAtRest = () => allBytesAtRest([data, folder], url);

function readableByOthers(): string[] {
  const below = readdirSync(data, { recursive: true, encoding: "utf8" }).map((name) => path.join(data, name));
  const own = readdirSync(folder).map((name) => path.join(folder, name));
  return [data, ...below, ...own].filter((name) => (lstatSync(name).mode & 0o077) !== 0);
}

test("files readable by other system accounts are made private at the start, and new files are private", async () => {
  await expect.poll(readableByOthers).toEqual([]);
  const uploaded = await uploadFile(maria, { bytes: SAMPLES.txt! });
  expect(uploaded.status).toBe(201);
  expect(await backupCommand(["backup"], environment)).toMatchObject({ code: 0 });
  expect(readdirSync(path.join(data, "backups"))).toEqual([
    expect.stringMatching(/\.backup$/) as string,
    "erased-accounts",
  ]);
  expect(readableByOthers()).toEqual([]);
});

test("a new DATA_DIR gets mode 700, and the key file created in it mode 600", async () => {
  const fresh = path.join(temporaryFolder("fresh"), "data");
  const command = { ...environment, DATA_DIR: fresh, ON_PINNED_NODE: "1" };
  expect(await runCommand(["bin/documents.js", "check"], command)).toMatchObject({
    output: expect.any(String) as string,
  });
  expect(lstatSync(fresh).mode & 0o777).toBe(0o700);
  expect(lstatSync(path.join(fresh, "file-key")).mode & 0o777).toBe(0o600);
});

test("a shared DATA_DIR keeps its mode, and the key file in it gets mode 600", async () => {
  const shared = temporaryFolder("shared");
  chmodSync(shared, 0o1777);
  // Its own secrets are closed all the same, also one that somebody copied with a mode for everybody.
  writeFileSync(path.join(shared, "file-key"), "A".repeat(43));
  chmodSync(path.join(shared, "file-key"), 0o644);
  await runCommand(["bin/documents.js", "check"], { ...environment, DATA_DIR: shared, ON_PINNED_NODE: "1" });
  expect(lstatSync(shared).mode & 0o7777).toBe(0o1777);
  expect(lstatSync(path.join(shared, "file-key")).mode & 0o777).toBe(0o600);
});

test("payment, mail and backup records get private file modes, even with a umask of 0", async () => {
  rmSync(path.join(data, "outbox"), { recursive: true, force: true });
  const umask = process.umask(0);
  try {
    const noor = await family({ intake: true });
    const visit = { title: "Hourly Consulting", type: "consultation", appointmentDate: nextFreeHour() };
    const payment = { sourceId: "cnon:card-nonce-ok", amount: 75, appointmentData: visit };
    expect((await noor.post("/api/payments/process", payment)).status).toBe(200);
    await testing.deliverDueMessages();
    await testing.recordBackupRun("backup", { succeeded: true, summary: "All there.", file: "a.backup", bytes: 1 });
  } finally {
    process.umask(umask);
  }
  const modes = ["simulator.json", "backup.json", "outbox", ...readdirSync(path.join(data, "outbox"))].map((name) => {
    const file = path.join(data, name.endsWith(".eml") ? "outbox" : "", name);
    return [name, (lstatSync(file).mode & 0o777).toString(8)];
  });
  expect(modes.length).toBeGreaterThan(3);
  expect(modes.filter(([name, mode]) => mode !== (name === "outbox" ? "700" : "600"))).toEqual([]);
});

test("temporary files of a killed backup or rehearsal are removed at the start; a running backup's stay", async () => {
  expect(readdirSync(data).filter((name) => name.startsWith("rehearsal"))).toEqual([]);
  const database = url.startsWith("file:") ? url.slice("file:".length) : path.join(folder, "none");
  const [left, running] = [999_999_999, process.pid].map((pid) => `${database}-backing-up-${pid}`);
  for (const name of [left, running]) writeFileSync(name!, "rows");
  await testing.removeStaleBackupResources();
  const isFile = url.startsWith("file:");
  expect([existsSync(left!), existsSync(running!)]).toEqual([!isFile, true]);
});

const DRAFT = { title: "Hourly Consulting", description: CANARY, place: CANARY, paymentMethod: "online" };
/** Not stored by a request, because the mail about it tells the place. */
const storePlace = (id: number) => db.appointment.update({ where: { id }, data: { place: `${CANARY} place` } });

test("a family's texts can't be read on disk or in the database, before and after their deletion", async () => {
  const responses = Object.fromEntries(
    ["diagnosis", "servicesCurrentlyReceiving", "schoolName", "gradeLevel", "otherConcerns", "additionalNotes"]
      .concat(["preferredDaysTimes", "howDidYouHear", "childName", "childAge", "childBirthday", "address"])
      .map((name) => [name, `${CANARY} ${name}`]),
  );
  await maria.form("/dashboard/intake-form?step=child", { childName: CANARY, diagnosis: CANARY, intent: "keep" });
  expect(await db.draft.count({ where: { userId: maria.id } })).toBe(1);
  expect(await readAllAtRest()).not.toContain(CANARY);
  expect((await maria.post("/api/intake-forms", { ...intakeForm(maria), ...responses })).status).toBe(201);

  const words = { description: `${CANARY} description`, notes: `${CANARY} notes` };
  const visit = await bookOrFail(maria, { ...words, meetingLink: `https://example.com/${CANARY}` });
  await storePlace(visit.id);
  await maria.form("/appointments/new", DRAFT);
  const appointmentData = {
    title: "Hourly Consulting",
    type: "consultation",
    appointmentDate: nextFreeHour(),
    ...words,
  };
  const paid = await maria.post("/api/payments/process", {
    sourceId: "cnon:card-nonce-ok",
    amount: 75,
    appointmentData,
  });
  expect([await db.payment.count({ where: { userId: maria.id } }), paid.status]).toEqual([1, 200]);
  const file = await uploadFile(maria, { bytes: Buffer.from(`${CANARY} in a file`), fields: { description: CANARY } });
  expect(file.status).toBe(201);
  const asked = { firstName: "Jo", lastName: "Lee", email: "jo@example.com", urgency: "routine", consent: true };
  const request = await visitor().post("/api/consultation-requests", {
    ...asked,
    serviceNeeds: CANARY,
    message: CANARY,
  });
  expect(request.status).toBe(201);
  await admin.form(`/families/${maria.id}`, { text: `${CANARY} note` });
  await admin.form("/calendar/hours", { kind: "closed", from: "2028-03-06", note: CANARY });
  const written = JSON.stringify([
    await db.intakeForm.findMany(),
    await db.familyNote.findMany(),
    await db.consultationRequest.findMany(),
    await db.appointment.findMany(),
    await db.payment.findMany(),
    await db.hoursOverride.findMany(),
  ]);
  for (const words of ["notes", "description", "place", "note", "diagnosis", "address"])
    expect(written).toContain(`${CANARY} ${words}`);
  expect(written.split(CANARY).length).toBeGreaterThan(20);
  expect(await readAllAtRest()).not.toContain(CANARY);

  const note = await db.familyNote.findFirstOrThrow();
  await admin.form(`/families/${maria.id}/notes/${note.id}/delete`, {});
  expect((await admin.delete(`/api/appointments/${visit.id}`)).status).toBe(200);
  expect((await admin.delete(`/api/consultation-requests/${request.json.id}`)).status).toBe(200);
  expect((await maria.delete(`/api/documents/${file.json.id}`)).status).toBe(200);
  expect(await readAllAtRest()).not.toContain(CANARY);
});

test("unencrypted rows are readable, and the rotate command encrypts them", async () => {
  const plain = `${CANARY} from before`;
  const { id } = await db.familyNote.create({ data: { userId: maria.id, text: "x" } });
  await db.$executeRaw`UPDATE family_notes SET text = ${plain} WHERE id = ${id}`;
  expect((await admin.get(`/families/${maria.id}`)).visibleText).toContain(plain);
  const command = { ...environment, ON_PINNED_NODE: "1" };
  expect(await runCommand(["bin/documents.js", "rotate"], command)).toMatchObject({
    code: 0,
    output: expect.stringContaining("1 records brought under it") as string,
  });
  expect(await readAllAtRest()).not.toContain(plain);
  expect((await db.familyNote.findUniqueOrThrow({ where: { id } })).text).toBe(plain);
});

const INTAKE = "/dashboard/intake-form";

test("a value that can't be decrypted breaks no page, is a dashboard warning, and is never overwritten", async () => {
  const altered = "sealed:1:lost:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
  const noor = await family({ intake: true });
  const child = { childName: "Mia", childAge: "7", childBirthday: "March 14, 2019", iepStatus: "no" };
  expect((await noor.form(`${INTAKE}?step=child`, { ...child, intent: "later" })).status).toBe(302);
  await db.$executeRaw`UPDATE intake_forms SET diagnosis = ${altered}, "primaryConcerns" = ${altered} WHERE "userId" = ${noor.id}`;
  const read = async () =>
    db.$queryRaw<object[]>`SELECT diagnosis, "primaryConcerns" FROM intake_forms WHERE "userId" = ${noor.id}`;
  const page = await admin.get(`/families/${noor.id}`);
  expect([page.status, page.visibleText]).toEqual([200, expect.stringContaining("can’t be opened at the moment")]);
  expect((await noor.get("/intake-form.txt")).status).toBe(200);
  expect((await noor.post("/api/intake-forms", intakeForm(noor))).status).toBe(409);
  const sent = await noor.form(`${INTAKE}?step=check`, {});
  expect(sent.headers.location).toBeUndefined();
  expect([sent.status, sent.visibleText]).toEqual([409, expect.stringContaining("can’t be opened at the moment")]);
  expect(await db.draft.count({ where: { userId: noor.id, form: "intake" } })).toBe(1);
  expect(await read()).toEqual([{ diagnosis: altered, primaryConcerns: altered }]);
  await testing.refreshWarnings();
  expect((await admin.get("/dashboard")).visibleText).toContain("Some texts can’t be opened (intake_forms.");
});
