// Proves that interrupted uploads and full disks leave no record and no file.
import { existsSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import fsp from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, test, vi } from "vitest";
import { multipart, postStreaming, textFile, uploadFile, uploadParts } from "../support/uploads.ts";
import { db, testing, family, folder, template, visitor } from "../support/site.ts";
import { sendTinyChunks } from "../support/tiny-chunks.ts";
import { crashDuringUploads } from "../support/crash-during-uploads.ts";
import { countOpenFiles, storedFiles, uploadAndLocate, waitUntil } from "../support/stored-files.ts";

const files = path.join(folder, "files");
const maria = await family();
await uploadFile(maria);

describe("an upload", () => {
  const whole = multipart(uploadParts({ bytes: textFile(3_000_000) }));
  test.each([0.01, 0.5, 0.99])("interrupted at share %d leaves no record, stored file or open file", async (share) => {
    await uploadAndLocate(maria, textFile(100));
    const [records, before, open] = [await db.document.count(), storedFiles().length, countOpenFiles()];
    for (let round = 0; round < 12; round += 1) {
      const { sent, answer } = postStreaming(maria, { "Content-Length": whole.length }, async (write) => {
        await write(whole.subarray(0, Math.floor(share * whole.length)));
        await new Promise(() => {});
      });
      answer.catch(() => {});
      await pause(round);
      sent.destroy();
    }
    await waitUntil(() => storedFiles().length === before);
    await waitUntil(() => countOpenFiles() <= open + 2);
    expect(await db.document.count()).toBe(records);
    expect((await uploadFile(maria)).status).toBe(201);
  });

  test("with a Content-Length that is too small gets 400, with one over 50 MB 413", async () => {
    const before = await db.document.count();
    const small = multipart(uploadParts());
    const short = postStreaming(maria, { "Content-Length": small.length - 40 }, (write) =>
      write(small.subarray(0, small.length - 40)),
    );
    expect((await short.answer).status).toBe(400);
    const huge = postStreaming(maria, { "Content-Length": 60 * 1024 * 1024 }, (write) => write(small.subarray(0, 100)));
    expect((await huge.answer).status).toBe(413);
    huge.sent.destroy();
    expect(await db.document.count()).toBe(before);
  });

  test("without a Content-Length gets 413 beyond 50 MB", async () => {
    const form = multipart(uploadParts());
    const start = form.subarray(0, form.indexOf("\r\n\r\n") + 4);
    const before = storedFiles().length;
    const { answer, sent } = postStreaming(maria, { "Transfer-Encoding": "chunked" }, async (write) => {
      await write(start);
      for (let count = 0; count < 60; count += 1) await write(textFile(1024 * 1024));
    });
    expect((await answer).status).toBe(413);
    sent.destroy();
    await waitUntil(() => storedFiles().length === before);
  });

  test("by a visitor gets 401 before the body is sent, with or without Expect: 100-continue", async () => {
    const ways: [string, Record<string, string>][] = [
      ["/api/documents", {}],
      ["/api/documents", { Expect: "100-continue" }],
      ["/api/documents/", { Expect: "100-continue" }],
      ["/API/Documents?a", { Expect: "100-continue" }],
    ];
    for (const [target, headers] of ways) {
      let isAsked = false;
      const length = { "Content-Length": 50_000_000 };
      const { sent, answer } = postStreaming(
        visitor(),
        { ...headers, ...length },
        async (write) => {
          if (!("Expect" in headers)) await write(textFile(100_000));
          await new Promise(() => {});
        },
        target,
      );
      sent.on("continue", () => (isAsked = true));
      sent.flushHeaders();
      const closed = new Promise((resolve) => void sent.on("close", resolve));
      expect((await answer).status).toBe(401);
      await closed;
      expect(isAsked).toBe(false);
    }
    let isAsked = false;
    const small = multipart(uploadParts());
    const mine = postStreaming(maria, { Expect: "100-continue", "Content-Length": small.length }, async (write) => {
      await Promise.resolve();
      const asked = new Promise((resolve) => void mine.sent.once("continue", resolve));
      mine.sent.flushHeaders();
      await asked;
      isAsked = true;
      await write(small);
    });
    expect((await mine.answer).status).toBe(201);
    expect(isAsked).toBe(true);
  });

  test("by a family that signs out meanwhile is disconnected and not stored", async () => {
    const devon = await family();
    const form = multipart(uploadParts({ bytes: textFile(500_000) }));
    const before = storedFiles().length;
    const { answer } = postStreaming(devon, { "Content-Length": form.length }, async (write) => {
      await write(form.subarray(0, 200_000));
      await waitUntil(() => storedFiles().length > before);
      await devon.clone().post("/api/auth/logout", {});
      await write(form.subarray(200_000));
    });
    const outcome = answer.then(
      ({ status }) => status,
      () => "cut off",
    );
    expect(await outcome).toBe("cut off");
    expect(await db.document.count({ where: { userId: devon.id } })).toBe(0);
  });
});

describe("an upload in small chunks", () => {
  const form = multipart(uploadParts());
  const start = form.subarray(0, form.indexOf("\r\n\r\n") + 4).toString("latin1");

  test("of one byte is disconnected and leaves no document and no file", async () => {
    const [records, before] = [await db.document.count(), storedFiles().length];
    const cookie = [...maria.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const type = `Content-Type: multipart/form-data; boundary=${/^--(.+)\r/.exec(start)?.[1]}`;
    const { text, isReadWhole } = await sendTinyChunks(
      maria.origin,
      ["POST /api/documents HTTP/1.1", `Cookie: ${cookie}`, type],
      start,
    );
    expect([text, isReadWhole]).toEqual(["", false]);
    await waitUntil(() => storedFiles().length <= before);
    expect(await db.document.count()).toBe(records);
  });

  test("of 130 bytes is stored whole", async () => {
    const content = textFile(600_000);
    const whole = multipart(uploadParts({ bytes: content }));
    const { answer } = postStreaming(maria, { "Transfer-Encoding": "chunked" }, async (write) => {
      for (let at = 0; at < whole.length; at += 130) await write(whole.subarray(at, at + 130));
    });
    const { status, json } = await answer;
    expect([status, json.fileSize]).toEqual([201, content.length]);
    const download = await maria.get(`/api/documents/${json.id}/download`);
    expect(download.bytes.equals(content)).toBe(true);
  });
});

describe("a volume that is nearly full", () => {
  afterEach(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });

  // A full volume can't be had without a right to mount one; what the system says of it can.
  test.each([
    ["less than a tenth of a small volume", { bavail: 99, blocks: 1000, bsize: 4096 }],
    ["less than 1 GB of a large volume", { bavail: 200_000, blocks: 100_000_000, bsize: 4096 }],
  ])("with %s free refuses uploads with 507; downloads, lists and deletes still work", async (_what, said) => {
    const { id } = await uploadAndLocate(maria, textFile(5000));
    const [records, before] = [await db.document.count(), storedFiles().length];
    vi.spyOn(fsp, "statfs").mockResolvedValue(said as never);
    syncBuiltinESMExports();
    const response = await uploadFile(maria);
    expect([response.status, response.json.message]).toEqual([
      507,
      "We can't take files right now: our storage is full. Nothing was kept. Please call us.",
    ]);
    expect([await db.document.count(), storedFiles().length]).toEqual([records, before]);
    expect((await maria.get(`/api/documents/${id}/download`)).bytes).toHaveLength(5000);
    expect((await maria.get("/documents")).status).toBe(200);
    expect((await maria.delete(`/api/documents/${id}`)).status).toBe(200);
    vi.restoreAllMocks();
    syncBuiltinESMExports();
    expect((await uploadFile(maria)).status).toBe(201);
  });
});

test("a volume that fills up during an upload ends the upload with 507 and keeps no file", async () => {
  const before = storedFiles().length;
  const whole = multipart(uploadParts({ bytes: textFile(30_000_000) }));
  let fill = () => {};
  const filled = new Promise<void>((resolve) => (fill = resolve));
  const { answer, sent } = postStreaming(maria, { "Content-Length": whole.length }, async (write) => {
    await write(whole.subarray(0, 100_000));
    await filled;
    await write(whole.subarray(100_000));
  });
  await waitUntil(() => storedFiles().length === before + 1);
  vi.spyOn(fsp, "statfs").mockResolvedValue({ bavail: 99, blocks: 1000, bsize: 4096 } as never);
  syncBuiltinESMExports();
  fill();
  expect((await answer).status).toBe(507);
  sent.destroy();
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  await waitUntil(() => storedFiles().length === before);
});

describe("very slow uploads", () => {
  afterEach(() => vi.useRealTimers());

  // The clock of the pace alone is turned on by hand: the limit is 40 s.
  test("are disconnected within a minute; a slow but steady upload and other requests are not", async () => {
    const whole = multipart(uploadParts({ bytes: textFile(400_000) }));
    const [records, before] = [await db.document.count(), storedFiles().length];
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const senders = await Promise.all(Array.from({ length: 4 }, () => family()));
    const length = { "Content-Length": whole.length };
    const held: (() => Promise<void>)[] = [];
    const cut = senders.map((sender) => {
      const { answer } = postStreaming(sender, length, async (write) => {
        await write(whole.subarray(0, 500));
        for (let at = 500; ; at += 1) {
          await new Promise<void>((resolve) => held.push(async () => resolve()));
          await write(whole.subarray(at, at + 1));
        }
      });
      return expect(answer).rejects.toThrow(/socket hang up|ECONNRESET|aborted/);
    });
    let release = () => {};
    const honest = postStreaming(maria, length, async (write) => {
      for (let at = 0; at < whole.length; at += 40_000) {
        await write(whole.subarray(at, at + 40_000));
        await new Promise<void>((resolve) => (release = resolve));
      }
    });
    const received = () => vi.getTimerCount() >= senders.length + 1;
    await waitUntil(received);
    for (let second = 0; second < 60; second += 10) {
      for (const send of held.splice(0)) await send();
      release();
      // What was written has to reach the server before its clock goes on.
      await pause(50);
      vi.advanceTimersByTime(10_000);
      expect((await maria.get("/documents")).status).toBe(200);
    }
    await Promise.all(cut);
    vi.useRealTimers();
    const free = setInterval(() => release(), 1);
    expect((await honest.answer).status).toBe(201);
    clearInterval(free);
    await waitUntil(() => storedFiles().length === before + 2);
    expect(await db.document.count()).toBe(records + 1);
  });
});

describe("files that a killed process left behind", () => {
  test("are deleted if no record names them and they are old enough; the documents' own files stay", async () => {
    const { id } = await uploadAndLocate(maria, textFile(1000));
    const { id: _, ...row } = await db.document.findUniqueOrThrow({ where: { id } });
    const many = Array.from({ length: 1_050 }, (__, index) => ({ ...row, filePath: `many ${index}` }));
    await db.document.createMany({ data: many });
    const { id: later } = await uploadAndLocate(maria, textFile(1000));
    const before = storedFiles();
    const stray = path.join(files, "ab", "ab".padEnd(64, "0"));
    mkdirSync(path.dirname(stray), { recursive: true });
    for (const ending of [".dat", ".meta.json"]) {
      writeFileSync(stray + ending, "half");
      utimesSync(stray + ending, 1000, 1000);
    }
    // As a file that is listed and no longer there.
    const gone = path.join(path.dirname(stray), `${"ab".padEnd(64, "1")}.dat`);
    symlinkSync(`${stray}.gone`, gone);
    const young = path.join(files, "cd", `${"cd".padEnd(64, "0")}.dat`);
    mkdirSync(path.dirname(young), { recursive: true });
    writeFileSync(young, "coming in");
    expect(await testing.deleteOrphanedFiles(new Date(Date.now() - 60_000))).toBe(2);
    expect(existsSync(young)).toBe(true);
    rmSync(gone);
    await testing.deleteOrphanedFiles(new Date(Date.now() + 60_000));
    expect(storedFiles().toSorted()).toEqual(before.toSorted());
    for (const each of [id, later]) expect((await maria.get(`/api/documents/${each}`)).status).toBe(200);
    await db.document.deleteMany({ where: { filePath: { startsWith: "many " } } });
  });

  // npm run faults -- documents is the full run.
  const plan =
    process.env.FAULTS === "full" ? { uploads: 200, kills: 25, seed: Date.now() } : { uploads: 40, kills: 4, seed: 7 };
  test(
    `by random kills during uploads (seed ${plan.seed}): after the next start every record has its file, every file its record`,
    { timeout: 900_000 },
    async () => {
      const { acknowledged, kills } = await crashDuringUploads({ template, ...plan });
      expect(kills).toBe(plan.kills);
      expect(acknowledged).toBeGreaterThan(plan.uploads / 4);
    },
  );
});
