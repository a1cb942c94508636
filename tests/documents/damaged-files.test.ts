// Proves that a missing or damaged file is never sent as complete, and that an aborted download leaves no files open.
import { mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { textFile, uploadFile } from "../support/uploads.ts";
import { consultant, testing, family } from "../support/site.ts";
import { countOpenFiles, storedFiles, uploadAndLocate, waitUntil } from "../support/stored-files.ts";

const maria = await family();
await uploadFile(maria);

describe("a stored file", () => {
  test("that is missing is a 404 with an explanation, also in the document lists; deleting still works", async () => {
    const { id, file } = await uploadAndLocate(maria, textFile(1000));
    rmSync(file);
    const gone = await maria.get(`/api/documents/${id}`);
    const words = "The file of this document is missing. We have been told. Please call us.";
    expect([gone.status, gone.json.message]).toEqual([404, words]);
    expect((await maria.get("/documents")).visibleText).toContain("We can't open this file right now. Please call us.");
    const all = await (await consultant()).get("/documents");
    expect(all.visibleText).toContain("Its file is missing or damaged. Restore it from a backup, or delete it here.");
    expect((await maria.request("HEAD", `/api/documents/${id}/download`)).status).toBe(404);
    expect((await maria.delete(`/api/documents/${id}`)).status).toBe(200);
    expect((await maria.get("/documents")).visibleText).not.toContain("We can't open this file");
  });

  test("that can't be removed is gone for the family once deleted, and doesn't keep other files without a record", async () => {
    const before = storedFiles().length;
    const { id, file } = await uploadAndLocate(maria, textFile(1000));
    rmSync(file);
    // A folder can't be unlinked, whoever tries.
    mkdirSync(file);
    expect((await maria.delete(`/api/documents/${id}`)).status).toBe(200);
    expect((await maria.get(`/api/documents/${id}`)).json.message).toBe("There is no such document.");
    expect(storedFiles().length).toBe(before + 2);
    const cleanUp = () => testing.deleteOrphanedFiles(new Date(Date.now() + 60_000));
    expect([await cleanUp(), storedFiles().length]).toEqual([1, before + 1]);
    rmdirSync(file);
    expect([await cleanUp(), storedFiles().length]).toEqual([0, before]);
  });

  test.each([
    ["first byte changed", (bytes: Buffer) => bytes.with(0, bytes[0]! ^ 1)],
    ["truncated by one byte", (bytes: Buffer) => bytes.subarray(0, -1)],
    ["last segment missing", (bytes: Buffer) => bytes.subarray(0, 65_552 * 3)],
    [
      "segments swapped",
      (bytes: Buffer) =>
        Buffer.concat([bytes.subarray(65_552, 131_104), bytes.subarray(0, 65_552), bytes.subarray(131_104)]),
    ],
    ["empty", () => Buffer.alloc(0)],
  ])("that is damaged is a 409 before any byte is sent: %s", async (_what, change) => {
    const { id, file } = await uploadAndLocate(maria, textFile(250_000));
    writeFileSync(file, change(readFileSync(file)));
    for (const address of [`/api/documents/${id}`, `/api/documents/${id}/download`]) {
      const response = await maria.get(address);
      expect([response.status, response.json.message]).toEqual([
        409,
        "This document is damaged. We have been told. Please call us.",
      ]);
    }
  });

  test("with a later part damaged has its download aborted; an intact range is still sent, a damaged range is a 409", async () => {
    const bytes = textFile(500_000);
    const { id, file } = await uploadAndLocate(maria, bytes);
    const stored = readFileSync(file);
    writeFileSync(file, stored.with(300_000, stored[300_000]! ^ 1));
    await expect(maria.get(`/api/documents/${id}/download`)).rejects.toThrow(/aborted|socket hang up|ECONNRESET/);
    const whole = await maria.get(`/api/documents/${id}`, { Range: "bytes=0-262143" });
    expect([whole.status, whole.bytes.equals(bytes.subarray(0, 262_144))]).toEqual([206, true]);
    expect((await maria.get(`/api/documents/${id}`, { Range: "bytes=290000-290009" })).status).toBe(409);
    const admin = await consultant();
    await expect(admin.get(`/documents/archive.zip?id=${id}`)).rejects.toThrow(/aborted|socket hang up|ECONNRESET/);
    expect((await testing.verifyAllDocumentHashes()).damaged).toContain(id);
  });

  test("is not left open after aborted downloads or HEAD requests", async () => {
    const { id } = await uploadAndLocate(maria, textFile(20_000_000));
    const open = countOpenFiles();
    for (let round = 0; round < 8; round += 1) {
      const answer = await fetch(`${maria.origin.replace("localhost", "127.0.0.1")}/api/documents/${id}/download`, {
        headers: {
          Host: new URL(maria.origin).host,
          Cookie: [...maria.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
        },
      }).catch(() => null);
      await answer?.body?.cancel();
    }
    await waitUntil(() => countOpenFiles() <= open + 4);
    const addresses = [`/api/documents/${id}`, `/documents/archive.zip?id=${id}`];
    for (let round = 0; round < 5; round += 1) {
      for (const address of addresses) expect((await maria.request("HEAD", address)).status).toBe(200);
    }
    await waitUntil(() => countOpenFiles() <= open + 4);
    expect((await maria.request("HEAD", `/api/documents/${id}`)).status).toBe(200);
  });
});
