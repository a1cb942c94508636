// Proves that an older head of the audit log, which is signed like the newest, can't replace it unseen.
import {
  appendFileSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { AuditAction } from "../../app/audit/audit-actions.ts";
import { startAuditProcess } from "../support/audit-process.ts";
import { removeAuditTriggers } from "../support/database/audit-triggers.ts";
import { db } from "../support/database/database-fixture.ts";

const { thinAnchors } = await import("../../app/audit/audit-anchors.server.ts");
const { env } = await import("../../app/env.server.ts");
const anchors = path.join(env.dataDir, "audit-anchors");

let site: Awaited<ReturnType<typeof startAuditProcess>>;
beforeAll(removeAuditTriggers);
beforeEach(async () => {
  for (const name of readdirSync(env.dataDir))
    if (name.startsWith("audit-anchors")) rmSync(path.join(env.dataDir, name));
  await db.auditEntry.deleteMany();
  await db.auditHead.deleteMany();
  site = await startAuditProcess();
  await site.record(20);
});

/** Does `work`, then deletes its entries and puts back the head from before, signed as it was. */
async function withRemovedEntries(work: () => Promise<unknown>) {
  const head = await db.auditHead.findFirstOrThrow();
  await work();
  await db.auditEntry.deleteMany({ where: { sequence: { gt: head.lastSequence } } });
  await db.auditHead.update({ where: { id: 1 }, data: head });
}

const warning = [expect.stringContaining("npm run audit -- verify")];

describe("if somebody puts back the head from before five downloads and deletes their entries", () => {
  test("the process that wrote them warns the administrator, also after its next entry, and verification names the first", async () => {
    await withRemovedEntries(() => site.record(5, "document-downloaded"));
    expect(readNoted()).toEqual([]);
    expect(await site.verify()).toMatchObject({ isValid: false, sequence: 21 });
    expect(await site.warnings()).toEqual(warning);
    await site.record(1);
    expect(await site.alerts()).toBe(1);
    expect(readNoted()).toEqual([25]);
    await site.passMinute();
    expect(await site.warnings()).toEqual(warning);
    expect(await (await startAuditProcess()).verify()).toMatchObject({ isValid: false, sequence: 22 });
    await site.record(10);
    expect(await (await startAuditProcess()).verify()).toMatchObject({ isValid: false, sequence: 25 });
  });

  test("the process that wrote them warns within a minute, also if it writes nothing more and ends", async () => {
    await withRemovedEntries(() => site.record(5, "document-downloaded"));
    await site.passMinute();
    expect(await site.alerts()).toBe(1);
    await site.end();
    const restarted = await startAuditProcess();
    expect(await restarted.warnings()).toEqual(warning);
    expect(await restarted.verify()).toMatchObject({ isValid: false, sequence: 21 });
  });

  test("another process that saw them warns, also if the one that wrote them was ended and a third one went on", async () => {
    await withRemovedEntries(async () => {
      await (await startAuditProcess()).record(5, "document-downloaded");
      await site.passMinute();
    });
    await (await startAuditProcess()).record(8);
    expect(await site.warnings()).toEqual(warning);
    await site.record(1);
    expect(await site.warnings()).toEqual(warning);
    expect(await site.verify()).toMatchObject({ isValid: false });
  });

  test("and the head is deleted instead, the process that wrote them warns", async () => {
    await site.record(5, "document-downloaded");
    await db.auditEntry.deleteMany();
    await db.auditHead.deleteMany();
    expect(await site.warnings()).toEqual(warning);
    await site.record(1);
    expect(await site.warnings()).toEqual(warning);
  });

  test("the warning ends when a person accepts the chain, in every process", async () => {
    const other = await startAuditProcess();
    await other.passMinute();
    await withRemovedEntries(async () => {
      await site.record(5, "document-downloaded");
      await other.passMinute();
    });
    for (const each of [site, other]) await each.passMinute();
    await (await startAuditProcess()).accept();
    for (const each of [site, other, site]) await each.record(1);
    for (const each of [site, other]) expect(await each.warnings()).toEqual([]);
    expect(await site.verify()).toEqual({ isValid: true, count: 24, lastSequence: 24 });
  });

  test("and the site went on past the noted end, accepting sets the noted entries aside, and later changes are found", async () => {
    await withRemovedEntries(async () => {
      await site.record(2);
      await site.passMinute();
    });
    const before = readFileSync(anchors, "utf8");
    await site.record(5);
    expect(await site.verify()).toMatchObject({ isValid: false, sequence: 22 });
    await (await startAuditProcess()).accept();
    await site.record(1);
    await site.passMinute();
    expect(await site.verify()).toEqual({ isValid: true, count: 27, lastSequence: 27 });
    const [copy = "", ...others] = readdirSync(env.dataDir).filter((name) =>
      name.startsWith("audit-anchors.accepted-"),
    );
    expect(others).toEqual([]);
    expect(readFileSync(path.join(env.dataDir, copy), "utf8")).toContain(before);
    await db.auditEntry.update({ where: { sequence: 24 }, data: { actorId: 9 } });
    expect(await site.verify()).toMatchObject({ isValid: false, sequence: 24 });
  });
});

describe.each(["broken", "x:y"])("if the head that somebody puts back has the signature %s", (signature) => {
  test("the site warns and notes the last entry, also after the signed head is put back", async () => {
    const head = await db.auditHead.findFirstOrThrow();
    await withRemovedEntries(() => site.record(5, "document-downloaded"));
    await db.auditHead.update({ where: { id: 1 }, data: { signature } });
    await site.passMinute();
    expect(await site.alerts()).toBe(1);
    expect(readNoted()).toContain(25);
    await db.auditHead.update({ where: { id: 1 }, data: head });
    expect(await site.warnings()).toEqual(warning);
    await site.passMinute();
    expect(await site.alerts()).toBe(2);
    await site.record(3);
    expect(await site.warnings()).toEqual(warning);
    expect(await (await startAuditProcess()).verify()).toMatchObject({ isValid: false });
  });
});

test("if somebody puts back the signed head after the site marked it as invalid, the warning stays", async () => {
  const head = await db.auditHead.findFirstOrThrow();
  await withRemovedEntries(() => site.record(5, "document-downloaded"));
  await site.passMinute();
  await db.auditHead.update({ where: { id: 1 }, data: head });
  expect(await site.warnings()).toEqual(warning);
  await site.record(1);
  expect(await site.warnings()).toEqual(warning);
});

describe("if the entries were removed while the site did not run", () => {
  test("it warns when it starts again after a regular end, and verification names the first", async () => {
    await withRemovedEntries(async () => {
      await site.record(5, "document-downloaded");
      await site.end();
    });
    const restarted = await startAuditProcess();
    expect(await restarted.verify()).toMatchObject({ isValid: false, sequence: 21 });
    await restarted.record(1);
    await restarted.passMinute();
    expect(await restarted.warnings()).toEqual(warning);
    expect(await restarted.alerts()).toBe(1);
  });

  test("it warns also if entries are written before the first minute has passed", async () => {
    await withRemovedEntries(async () => {
      await site.record(2, "document-downloaded");
      await site.end();
    });
    const restarted = await startAuditProcess();
    await restarted.record(3);
    expect(await restarted.alerts()).toBe(1);
    await restarted.passMinute();
    expect(await restarted.warnings()).toEqual(warning);
  });

  test("within a minute of an export and without a regular end, it warns and verification names the first", async () => {
    await withRemovedEntries(() => site.record(1, "account-exported"));
    await site.crash();
    const restarted = await startAuditProcess();
    expect(await restarted.verify()).toMatchObject({ isValid: false, sequence: 21 });
    await restarted.passMinute();
    expect(await restarted.warnings()).toEqual(warning);
  });

  test("only entries of other actions of the last minute before a crash are missed", async () => {
    await site.record(3, "document-downloaded");
    await withRemovedEntries(async () => {
      await site.passMinute();
      await site.record(1, "document-downloaded");
    });
    await site.crash();
    expect(await (await startAuditProcess()).verify()).toMatchObject({ isValid: true, count: 23 });
  });
});

test("processes that write in turn, and read each other's entries, find nothing wrong", async () => {
  const other = await startAuditProcess();
  for (let turn = 0; turn < 3; turn += 1)
    for (const each of [site, other]) {
      await each.record(2);
      await each.passMinute();
    }
  await Promise.all([site.record(20), other.record(20), site.passMinute(), other.passMinute(), site.warnings()]);
  for (const each of [site, other]) {
    expect(await each.alerts()).toBe(0);
    expect(await each.warnings()).toEqual([]);
    expect(await each.verify()).toEqual({ isValid: true, count: 72, lastSequence: 72 });
  }
});

test("exports, erasures, backups, ended rights and removed second factors are noted outside of the database at once", async () => {
  const actions: AuditAction[] = [
    "account-exported",
    "payments-exported",
    "account-erasure-requested",
    "account-erased",
    "request-exported",
    "request-erased",
    "backup-made",
    "account-demoted",
    "second-factor-turned-off",
    "passkey-removed",
  ];
  for (const action of actions) {
    await site.record(1);
    await site.record(1, action);
  }
  expect(readNoted()).toEqual(actions.map((_, index) => 22 + 2 * index));
});

test("the file of noted entries stays short, keeps the newest ones and those that the chain contradicts", async () => {
  const rows = await db.auditEntry.findMany({ orderBy: { sequence: "asc" } });
  const lines = rows.map(({ sequence, hash }) => `${sequence} ${hash}\n`);
  const contradicted = `4 ${"f".repeat(64)}\n`;
  writeFileSync(anchors, lines.map((line) => line.repeat(200)).join("") + contradicted);
  const { size } = statSync(anchors);
  expect(size).toBeGreaterThan(256 * 1024);
  await site.record(1);
  await site.passMinute();
  expect(statSync(anchors).size).toBeLessThan(size * 0.8);
  expect(readFileSync(anchors, "utf8")).toContain(contradicted);
  expect(readNoted().at(-1)).toBe(21);
  expect(await site.verify()).toMatchObject({ isValid: false, sequence: 4 });
});

test("an entry that is noted while the file is shortened stays in it", async () => {
  const [{ hash } = { hash: "" }] = await db.auditEntry.findMany({ where: { sequence: 20 } });
  writeFileSync(anchors, `20 ${hash}\n`.repeat(4_000));
  const state = { isShortened: false };
  const shortened = thinAnchors().finally(() => (state.isShortened = true));
  let number = 20;
  while (!state.isShortened && number < 500) {
    appendFileSync(anchors, `\n${(number += 1)} ${hash}\n`);
    await setImmediate();
  }
  await shortened;
  expect(readNoted().length).toBeLessThan(4_000);
  expect(number).toBeGreaterThan(21);
  expect(new Set(readNoted()).size).toBe(number - 19);
});

test("while the file of noted entries can't be read, nothing starts, verifies or accepts the chain without it", async () => {
  await site.record(1, "account-exported");
  // Can't be opened, also not by root.
  rmSync(anchors);
  symlinkSync(anchors, anchors);
  await expect(site.verify()).rejects.toThrow("ELOOP");
  await expect(site.accept()).rejects.toThrow("ELOOP");
  await expect(startAuditProcess()).rejects.toThrow("The process exited with 1.");
  expect(await db.auditEntry.count()).toBe(21);
  expect(lstatSync(anchors).isSymbolicLink()).toBe(true);
});

/** Numbers of the entries that were noted outside of the database. */
function readNoted(): number[] {
  try {
    return (
      readFileSync(anchors, "utf8")
        .match(/^\d+(?= )/gm)
        ?.map(Number) ?? []
    );
  } catch {
    return [];
  }
}
