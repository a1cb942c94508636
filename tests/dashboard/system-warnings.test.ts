// Proves which system warnings the consultant sees, and that a family sees none.
import { rmSync, statSync, truncateSync, readdirSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { turnOnSecondFactor, wrongCodeOf } from "../support/authenticator-app.ts";
import type { Family } from "../support/people.ts";
import { addPasskey } from "../support/passkeys.ts";
import { uploadFile } from "../support/uploads.ts";
import { environmentOverrides } from "../support/environment-overrides.ts";

environmentOverrides.BACKUP_KEYS = `k1:${Buffer.alloc(32, 7).toString("base64")}`;
const { consultant, db, testing, family, folder, setTestClock, visitor } = await import("../support/site.ts");

const HOUR = 3_600_000;
const admin = await consultant();
const maria = await family();

/** What the consultant reads under the heading, or null where there is no such heading. */
async function attention() {
  await testing.refreshWarnings();
  const { document: page } = await admin.get("/dashboard");
  const heading = [...page.querySelectorAll("h2")].find((each) => each.textContent?.includes("System checks"));
  if (!heading) return null;
  return [...(heading.parentElement?.querySelectorAll("li") ?? [])].map((item) => item.textContent);
}

/** The lines that name a family. */
async function warningsAbout({ id }: Family) {
  return ((await attention()) ?? []).filter((line) => line.includes(`/families/${id}.`));
}

/** A payment that was begun `minutes` ago. */
function payment(state: string, minutes: number) {
  const at = new Date(Date.now() - minutes * 60_000);
  const key = `${state}-${minutes}-${Math.random()}`;
  const row = { userId: maria.id, method: "card", provider: "nobody", key, booking: "{}", amountCents: 7500, state };
  return db.payment.create({ data: { ...row, leaseEndsAt: at, createdAt: at } });
}

afterEach(async () => {
  setTestClock(() => new Date());
  // Money's rows stay for good; they come to their end instead.
  await db.refund.updateMany({ data: { state: "done" } });
  await db.payment.updateMany({ where: { state: "started" }, data: { state: "voiding" } });
  await db.payment.updateMany({ where: { state: { not: "paid" } }, data: { state: "voided" } });
});

describe("the consultant's dashboard", () => {
  test("warns that there is no backup yet, and no longer once there is one", async () => {
    expect(await attention()).toEqual(["There is no backup yet. Ask the person who installed this site."]);
    await testing.recordBackupRun("backup", { succeeded: true, summary: "All is in it." });
    expect(await attention()).toBeNull();
  });

  test("warns why the last backup failed, that it is 40 hours old, and that a restore rehearsal failed", async () => {
    await testing.recordBackupRun("backup", { succeeded: false, summary: "The bucket did not answer." });
    expect(await attention()).toEqual(["The last backup failed: The bucket did not answer."]);
    await testing.recordBackupRun("backup", { succeeded: true, summary: "All is in it." });
    setTestClock(() => new Date(Date.now() + 35 * HOUR));
    await testing.refreshWarnings();
    setTestClock(() => new Date());
    expect(await attention()).toBeNull();
    setTestClock(() => new Date(Date.now() + 40 * HOUR));
    await testing.refreshWarnings();
    setTestClock(() => new Date());
    const { visibleText: words } = await admin.get("/dashboard");
    expect(words).toContain("The last backup is 40 hours old.");
    const failed = "The last rehearsal of restoring failed: One file differs.";
    for (const [succeeded, summary, warnings] of [
      [false, "One file differs.", [failed]],
      [true, "Equal.", null],
      [false, "One file differs.", [failed]],
      [true, "Equal.", null],
    ] as const) {
      await testing.recordBackupRun("rehearsal", { succeeded, summary });
      expect(await attention()).toEqual(warnings);
    }
  });

  test("counts payments and refunds that are stuck, not those still in progress", async () => {
    await payment("started", 2);
    // The provider's page is still open, or closed a moment ago.
    await payment("waiting", 9);
    expect(await attention()).toBeNull();
    const { id: overdue } = await payment("waiting", 11);
    expect(await attention()).toEqual([expect.stringMatching(/^1 card payment is not settled yet\./)]);
    await db.payment.update({ where: { id: overdue }, data: { state: "voided" } });
    await payment("booked", 11);
    const { id } = await payment("paid", 60);
    const at = new Date(Date.now() - 20 * 60_000);
    const refund = { paymentId: id, amountCents: 7500, reason: "cancelled", leaseEndsAt: at, createdAt: at };
    await db.refund.create({ data: { ...refund, key: "one", state: "asked" } });
    await db.refund.create({ data: { ...refund, key: "two", state: "failed" } });
    await db.refund.create({ data: { ...refund, key: "three", state: "accepted" } });
    expect(await attention()).toEqual([
      expect.stringMatching(/^1 card payment is not settled yet\./),
      expect.stringMatching(/^1 refund has not reached the card provider yet\./),
    ]);
  });

  test.each<[string, (file: string, id: number) => unknown]>([
    ["is cut short", (file) => truncateSync(file, statSync(file).size - 1)],
    ["is missing", (file) => rmSync(file)],
    [
      "is whole, and not the one that was sent",
      (_file, id) => db.document.update({ where: { id }, data: { sha256: "0".repeat(64) } }),
    ],
  ])("warns that a document's file %s, even after a download, until it is deleted", async (_how, damage) => {
    const { id } = (await uploadFile(maria, { bytes: Buffer.from("Dear Ms. Kim,\n".repeat(40)) })).json;
    const files = path.join(folder, "files");
    const [name = ""] = readdirSync(files, { recursive: true, encoding: "utf8" }).filter((each) =>
      each.endsWith(".dat"),
    );
    await damage(path.join(files, name), id);
    expect((await testing.verifyAllDocumentHashes()).damaged).toEqual([id]);
    const words = [expect.stringMatching(/^1 document is damaged or missing\./)];
    expect(await attention()).toEqual(words);
    await maria.get(`/api/documents/${id}/download`);
    expect(await attention()).toEqual(words);
    expect((await maria.get("/documents")).visibleText).toContain("We can't open this file right now.");
    await maria.delete(`/api/documents/${id}`);
    expect(await attention()).toBeNull();
  });

  test("removes the warning once the stored hash matches the file again", async () => {
    const { id } = (await uploadFile(maria, { bytes: Buffer.from("Dear Ms. Kim,\n".repeat(40)) })).json;
    const { sha256 } = await db.document.findUniqueOrThrow({ where: { id } });
    await db.document.update({ where: { id }, data: { sha256: "0".repeat(64) } });
    await testing.verifyAllDocumentHashes();
    expect(await attention()).toHaveLength(1);
    await db.document.update({ where: { id }, data: { sha256 } });
    await testing.verifyAllDocumentHashes();
    expect(await attention()).toBeNull();
    // A record from before hashes were recorded has nothing to compare with.
    await db.document.update({ where: { id }, data: { sha256: null } });
    expect((await testing.verifyAllDocumentHashes()).damaged).toEqual([]);
    expect(await attention()).toBeNull();
    await maria.delete(`/api/documents/${id}`);
  });

  test("finds a damaged document within as many minutes as there are documents", async () => {
    const bytes = Buffer.from("Dear Ms. Kim,\n".repeat(40));
    const ids: number[] = [];
    const files = () =>
      readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".dat"));
    for (let at = 0; at < 2; at += 1) ids.push((await uploadFile(maria, { bytes })).json.id);
    const others = files();
    ids.push((await uploadFile(maria, { bytes })).json.id);
    const last = files().find((name) => !others.includes(name)) ?? "";
    truncateSync(path.join(folder, last), 100);
    const check = testing.JOBS.find(({ name }) => name === "checking a document")!;
    expect([check.intervalMs, await attention()]).toEqual([60_000, null]);
    // One run more: the site's own job may have checked some of them, and the run after the last document begins anew.
    for (let minute = 0; minute <= ids.length; minute += 1) await check.run(new AbortController().signal);
    expect(await attention()).toEqual([expect.stringMatching(/^1 document is damaged or missing\./)]);
    // One that is damaged after it was checked is found by the next pass.
    truncateSync(path.join(folder, others.at(-1)!), 100);
    for (let minute = 0; minute <= ids.length; minute += 1) await check.run(new AbortController().signal);
    expect(await attention()).toEqual([expect.stringMatching(/^2 documents are damaged or missing\./)]);
    for (const id of ids) await maria.delete(`/api/documents/${id}`);
  });

  test("warns of 1,001 missing documents, and of another one after those are deleted", async () => {
    const file = { userId: maria.id, fileType: "application/pdf", fileSize: 1, fileName: "a.pdf" };
    const rows = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ ...file, filePath: `gone-${index}` }));
    await db.document.createMany({ data: rows(1_001) });
    expect((await testing.verifyAllDocumentHashes()).damaged).toHaveLength(1_001);
    expect(await attention()).toEqual([expect.stringMatching(/^At least \d{3} documents are damaged or missing\./)]);
    await db.document.deleteMany({ where: { filePath: { startsWith: "gone-" } } });
    expect(await attention()).toBeNull();
    await db.document.createMany({ data: rows(1) });
    await testing.verifyAllDocumentHashes();
    expect(await attention()).toEqual([expect.stringMatching(/^1 document is damaged or missing\./)]);
    await db.document.deleteMany({ where: { filePath: { startsWith: "gone-" } } });
    expect(await attention()).toBeNull();
  });

  test("shows warnings on the page and in the polled data to the consultant, not to a family", async () => {
    await payment("booked", 11);
    expect(await attention()).toHaveLength(1);
    expect((await maria.get("/dashboard")).visibleText).not.toMatch(/attention|settled/);
    expect((await admin.get("/dashboard/latest")).json.warnings).toHaveLength(1);
    rmSync(path.join(folder, "backup.json"));
  });

  test("warns that card payments were not looked after for ten minutes, and no longer once they are", async () => {
    await testing.stopJobs();
    const job = testing.JOBS.find(({ name }) => name === "reconciling payments")!;
    const round = async () => job.run(new AbortController().signal);
    const isWarned = async () => ((await attention()) ?? []).some((line) => line.startsWith("Card payments have not"));
    const find = vi.spyOn(db.payment, "findMany");
    const begun = Date.now();
    for (const minutes of [0, 9, 10]) {
      setTestClock(() => new Date(begun + minutes * 60_000));
      find.mockRejectedValueOnce(new Error("The database is gone."));
      await expect(round()).rejects.toThrow("The database is gone.");
      expect([minutes, await isWarned()]).toEqual([minutes, minutes === 10]);
    }
    find.mockRestore();
    await round();
    expect(await isWarned()).toBe(false);
  });

  test("names an account with 20 wrong passwords within a day, and no longer after a day", async () => {
    const tried = await family();
    const guess = () => visitor().post("/api/auth/login", { email: tried.email, password: "not this one" });
    for (let count = 1; count <= 19; count += 1) await guess();
    expect(await warningsAbout(tried)).toEqual([]);
    await tried.post("/api/auth/change-password", {
      currentPassword: "not this one",
      newPassword: "another one",
      confirmPassword: "another one",
    });
    expect(await warningsAbout(tried)).toEqual([
      `20 or more wrong passwords were tried on a family's account within a day: /families/${tried.id}. Ask the family whether that was them.`,
    ]);
    setTestClock(() => new Date(Date.now() + 25 * HOUR));
    await testing.refreshWarnings();
    setTestClock(null);
    expect((await admin.get("/dashboard")).visibleText).not.toContain("wrong passwords");
  });

  test("names an account on the 20th wrong code or passkey when a signed-in session confirms its identity", async () => {
    const [tried, passkeyTried] = [await family(), await family()];
    const { secret } = await turnOnSecondFactor(tried, tried.password);
    const code = wrongCodeOf(secret);
    const { device } = await addPasskey(passkeyTried);
    const forged = { challenge: "A".repeat(43), rpId: "localhost" };
    const guess = async () => {
      expect((await tried.form("/confirm-identity", { code })).status).toBe(422);
      const credential = device.get(forged);
      expect((await passkeyTried.form("/confirm-identity", { credential })).status).toBe(422);
    };
    for (let count = 1; count <= 19; count += 1) await guess();
    expect([await warningsAbout(tried), await warningsAbout(passkeyTried)]).toEqual([[], []]);
    await guess();
    expect([await warningsAbout(tried), await warningsAbout(passkeyTried)].map(({ length }) => length)).toEqual([1, 1]);
  });
});
