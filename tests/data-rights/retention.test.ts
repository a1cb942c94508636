// Proves what is deleted when its retention period ends: families whose account was closed long ago, and requests that were never scheduled.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { dumpDatabase } from "../support/database/database-dump.ts";
import { environmentOverrides } from "../support/environment-overrides.ts";
import type { Family } from "../support/people.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { runCommand } from "../support/servers/server-process.ts";
import { textFile, uploadOrFail } from "../support/uploads.ts";

Object.assign(environmentOverrides, { CLOSED_ACCOUNT_YEARS: "7", REQUEST_MONTHS: "12" });
const { consultant, db, environment, family, testing } = await import("../support/site.ts");

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
const job = testing.JOBS.find(({ name }) => name === "deleting expired records")!;
const apply = () => job.run(new AbortController().signal);
const exists = async ({ id }: { id: number }) => (await db.user.count({ where: { id } })) === 1;

const storedFiles = () =>
  readdirSync(path.join(environment.DATA_DIR, "files"), { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".dat"),
  );

/** As `npm run retention -- …` runs it once everything is installed and built. */
const retention = (args: string[], settings: Record<string, string> = {}) =>
  runCommand(["bin/retention.js", ...args], { ...environment, ON_PINNED_NODE: "1", ...settings });

let longClosed: Family;
let closed: Family;
let open: Family;

beforeAll(async () => {
  // The job would delete between two steps of a test.
  await testing.stopJobs();
  [longClosed, closed, open] = [await family({ intake: true }), await family({ intake: true }), await family()];
  await uploadOrFail(longClosed, textFile(200));
  const close = (id: number, days: number) => db.user.update({ where: { id }, data: { closedAt: daysAgo(days) } });
  await close(longClosed.id, 7 * 366 + 1);
  await close(closed.id, 6 * 365);
  await db.user.update({ where: { id: open.id }, data: { createdAt: daysAgo(4000) } });
  const story = { firstName: "Ada", lastName: "Osei", serviceNeeds: "School", urgency: "routine", consent: true };
  for (const [email, days, status] of [
    ["old@example.org", 370, "pending"],
    ["new@example.org", 350, "pending"],
    ["scheduled@example.org", 370, "scheduled"],
  ] as const)
    await db.consultationRequest.create({ data: { ...story, email, status, createdAt: daysAgo(days) } });
  for (const [kind, text, days] of [
    ["privacy", "old request", 370],
    ["accessibility", "old feedback", 370],
    ["privacy", "new request", 350],
    ["privacy", "open request", undefined],
    ["incident", "old incident", 6 * 366 + 1],
    ["incident", "new incident", 5 * 365],
    ["incident", "open incident", undefined],
  ] as const) {
    const received = { receivedDay: "2016-01-04", dueDay: "2016-02-03", createdAt: daysAgo(4000) };
    await db.complianceCase.create({ data: { kind, text, ...received, closedAt: days ? daysAgo(days) : null } });
  }
});

describe("the dry run", () => {
  test("counts what would be deleted, without names or email addresses, and changes nothing", async () => {
    const before = await dumpDatabase(db);
    const { code, output } = await retention(["--dry-run"]);
    expect([code, output]).toEqual([0, expect.stringMatching(/^Closed accounts: 1 would be erased, closed before 20/)]);
    expect(output).toContain(`family's page: ${longClosed.id}.`);
    expect(output).toContain("Requests that were never scheduled: 1 would be deleted, sent before ");
    expect(output).toContain("Requests about privacy and accessibility: 2 would be deleted, closed before ");
    expect(output).toContain("Incidents: 1 would be deleted, closed before ");
    expect(output).not.toMatch(new RegExp(`${longClosed.firstName}|${longClosed.email}|old@example|Osei`));
    expect(await dumpDatabase(db)).toBe(before);
  });

  test("says what is kept because no retention period is set", async () => {
    const { code, output } = await retention(["--dry-run"], { CLOSED_ACCOUNT_YEARS: "", REQUEST_MONTHS: "" });
    expect(code).toBe(0);
    expect(output).toContain("Closed accounts stay: CLOSED_ACCOUNT_YEARS is not set.");
    expect(output).toContain("Requests that were never scheduled stay: REQUEST_MONTHS is not set.");
    expect(output).toContain("Requests about privacy and accessibility: 0 would be deleted, closed before ");
  });

  test("fails and creates nothing if there is no database where the settings say", async () => {
    const folder = temporaryFolder("wrong-folder");
    const wrong = { DATA_DIR: folder, DATABASE_URL: "", FILE_KEYS: "", SESSION_SECRET: "" };
    const { code, output } = await retention(["--dry-run"], wrong);
    expect([code, output]).toEqual([1, expect.stringMatching(/^There is no database .*nothing was counted/)]);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("is the command's only mode: other arguments print the usage and exit with code 1", async () => {
    for (const args of [[], ["--apply"], ["--dry-run", "now"]])
      expect(await retention(args)).toEqual({ code: 1, output: "Use: npm run retention -- --dry-run\n" });
  });
});

describe("the hourly job", () => {
  test("erases families and deletes requests past their retention period, with their files, and no others", async () => {
    expect(storedFiles()).toHaveLength(1);
    await apply();
    await apply();
    expect(await Promise.all([longClosed, closed, open].map(exists))).toEqual([false, true, true]);
    expect(await db.intakeForm.count({ where: { userId: { in: [longClosed.id, closed.id] } } })).toBe(1);
    expect([storedFiles(), await db.document.count()]).toEqual([[], 0]);
    const requests = await db.consultationRequest.findMany({ orderBy: { id: "asc" }, select: { email: true } });
    expect(requests.map(({ email }) => email)).toEqual(["new@example.org", "scheduled@example.org"]);
    const cases = await db.complianceCase.findMany({ orderBy: { id: "asc" } });
    expect(cases.map(({ text }) => text)).toEqual(["new request", "open request", "new incident", "open incident"]);
    const actions = ["account-erased", "request-expired", "legal-request-expired", "incident-expired"];
    const entries = await db.auditEntry.findMany({ where: { action: { in: actions } }, orderBy: { sequence: "asc" } });
    expect(entries.map(({ action, actorId, familyId }) => [action, actorId, familyId])).toEqual(
      expect.arrayContaining([
        ["account-erased", null, longClosed.id],
        ["request-expired", null, null],
        ["legal-request-expired", null, null],
        ["incident-expired", null, null],
      ]),
    );
    expect(entries).toHaveLength(5);
  });

  test("keeps a family whose account was reopened, however long it was closed", async () => {
    await db.user.update({ where: { id: closed.id }, data: { closedAt: daysAgo(3000) } });
    const admin = await consultant();
    const { status, headers } = await admin.form(`/families/${closed.id}/open`, {});
    const { closedAt } = await db.user.findUniqueOrThrow({ where: { id: closed.id } });
    expect({ status, location: headers.location, closedAt }).toEqual({
      status: 302,
      location: `/families/${closed.id}`,
      closedAt: null,
    });
    await apply();
    expect(await exists(closed)).toBe(true);
  });

  test("does not reopen an account whose erasure has begun and waits for the file store; the next run finishes it", async () => {
    const leaving = await family();
    const before = new Set(storedFiles());
    await uploadOrFail(leaving, textFile(200));
    await db.user.update({ where: { id: leaving.id }, data: { closedAt: daysAgo(3000) } });
    const file = path.join(environment.DATA_DIR, "files", storedFiles().find((name) => !before.has(name)) ?? "");
    renameSync(file, `${file}.moved`);
    mkdirSync(path.join(file, "inside"), { recursive: true });
    await apply();
    expect(await exists(leaving)).toBe(true);
    const admin = await consultant();
    expect((await admin.form(`/families/${leaving.id}/open`, {})).status).toBe(409);
    expect((await db.user.findUniqueOrThrow({ where: { id: leaving.id } })).closedAt).not.toBeNull();
    rmSync(file, { recursive: true });
    renameSync(`${file}.moved`, file);
    await apply();
    expect([await exists(leaving), existsSync(file)]).toEqual([false, false]);
  });

  test("keeps a family whose account is reopened while the job erases another family", async () => {
    const [first, second] = [await family(), await family()];
    await db.user.updateMany({ where: { id: first.id }, data: { closedAt: daysAgo(4000) } });
    await db.user.updateMany({ where: { id: second.id }, data: { closedAt: daysAgo(3000) } });
    const { signal } = new AbortController();
    const open = async () => db.user.updateMany({ where: { id: second.id }, data: { closedAt: null } });
    let opened: Promise<unknown> | undefined;
    // Read before each account, when all that are due have been found.
    Object.defineProperty(signal, "aborted", {
      get() {
        opened ??= open();
        return false;
      },
    });
    await job.run(signal);
    await opened;
    expect(await Promise.all([first, second].map(exists))).toEqual([false, true]);
  });
});

test("email files older than 30 days are deleted, even when another listed file no longer exists", async () => {
  const outbox = path.join(environment.DATA_DIR, "outbox");
  mkdirSync(outbox, { recursive: true });
  // As a file that is listed and no longer there.
  symlinkSync(path.join(outbox, "nowhere"), path.join(outbox, "0.eml"));
  for (const [name, days] of [
    ["1.eml", 31],
    ["2.eml", 29],
  ] as const) {
    writeFileSync(path.join(outbox, name), "Dear family");
    utimesSync(path.join(outbox, name), daysAgo(days), daysAgo(days));
  }
  await testing.JOBS.find(({ name }) => name === "deleting old messages")!.run(new AbortController().signal);
  expect(["1.eml", "2.eml"].map((name) => existsSync(path.join(outbox, name)))).toEqual([false, true]);
});

test("an account that is two hours past its deletion is named with the payment and provider it waits for", async () => {
  const paid = await family({ intake: true });
  const booking = "{}";
  const refund = {
    key: "refund-of-a-left-provider",
    amountCents: 100,
    reason: "-",
    state: "asked",
    leaseEndsAt: daysAgo(1),
  };
  const payment = {
    method: "card",
    provider: "square",
    key: "left-provider",
    booking,
    amountCents: 100,
    state: "paid",
  };
  const { id } = await db.payment.create({
    data: { ...payment, userId: paid.id, leaseEndsAt: daysAgo(1), paidAt: daysAgo(1), refunds: { create: refund } },
  });
  const dueHoursAgo = async (hours: number) => {
    await db.user.update({ where: { id: paid.id }, data: { eraseAfter: daysAgo(hours / 24) } });
    await testing.eraseDueAccounts();
    await testing.refreshWarnings();
    return (await (await consultant()).get("/dashboard")).visibleText;
  };
  expect(await dueHoursAgo(1)).not.toContain(`/families/${paid.id}`);
  expect(await dueHoursAgo(3)).toMatch(
    new RegExp(
      `is not: /families/${paid.id}\\. It waits .*: payment ${id}\\. This site is not connected to square any more`,
    ),
  );
  await db.payment.update({ where: { id }, data: { provider: "simulator" } });
  expect(await dueHoursAgo(3)).toContain(`payment ${id}. We keep asking the card provider.`);
  await db.refund.updateMany({ where: { paymentId: id }, data: { state: "done" } });
  expect(await dueHoursAgo(3)).not.toContain(`payment ${id}`);
});

test("twenty accounts whose payment is not settled yet don't keep one closed later from its deletion", async () => {
  const createdAt = daysAgo(3000);
  const users = await db.user.createManyAndReturn({
    data: Array.from({ length: 21 }, (_, index) => ({
      email: `waiting${index}@example.com`,
      firstName: "Wei",
      lastName: "Ting",
      password: "-",
      createdAt,
      closedAt: daysAgo(2999 - index),
    })),
    select: { id: true },
  });
  const last = users.at(-1)!;
  const payment = {
    method: "card",
    booking: "{}",
    amountCents: 7500,
    state: "started",
    leaseEndsAt: createdAt,
    createdAt,
  };
  await db.payment.createMany({
    data: users.slice(0, -1).map(({ id: userId }) => ({ ...payment, userId, key: `waiting ${userId}` })),
  });
  await apply();
  expect(await exists(last)).toBe(false);
  expect(await db.user.count({ where: { lastName: "Ting" } })).toBe(20);
});
