// Proves that stored files are encrypted and authenticated, in a folder and in a bucket.
import { createSecretKey, randomBytes } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, inject, test } from "vitest";
import { SAMPLES, textFile, uploadFile } from "../support/uploads.ts";
import { signInAs } from "../support/people.ts";
import { runCommand, startServer } from "../support/servers/server-process.ts";
import { startS3 } from "../support/servers/s3-server.ts";
import { PUBLIC_SITE } from "../support/test-environment.ts";

const template = inject("template");
const newKey = (name: string) => `${name}:${randomBytes(32).toString("base64")}`;
const [first, second] = [newKey("spring"), newKey("summer")];
const CANARY = "Leo reads better in the morning";

/** All files of a folder as one string, to search it. */
function everything(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map((entry) => readFileSync(path.join(entry.parentPath, entry.name), "latin1")).join("\n");
}

function filesIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.filter((name) => /\.dat$|_object$/.test(name));
}

function documents(args: string[], environment: Record<string, string>) {
  return runCommand(["bin/documents.js", ...args], { ...environment, ON_PINNED_NODE: "1" });
}

/** Stores a document as without FILE_KEYS: its data key plain in the record, its chunks authenticated but not encrypted. */
async function storePlain(url: string, folder: string, id: number) {
  Object.assign(process.env, { DATA_DIR: folder, DATABASE_URL: url });
  const { createDatabaseClient } = await import("../../app/db/database-client.server.ts");
  const { unwrapDataKey, wrapDataKey } = await import("../../app/files/data-keys.server.ts");
  const {
    decryptChunkInPlace: decryptChunk,
    encryptChunkInPlace: encryptChunk,
    splitChunks,
  } = await import("../../app/files/chunk-encryption.server.ts");
  const db = await createDatabaseClient(url);
  const record = await db.document.findUniqueOrThrow({ where: { id }, select: { wrappedDataKey: true, keyId: true } });
  const { key } = unwrapDataKey(record);
  const file = path.join(folder, "files", filesIn(path.join(folder, "files"))[0]!);
  const bytes = readFileSync(file);
  let index = 0;
  for (const chunk of splitChunks(bytes)) {
    decryptChunk(chunk, index, { key: createSecretKey(key), isPlaintext: false });
    encryptChunk(chunk, index++, { key: createSecretKey(key), isPlaintext: true });
  }
  writeFileSync(file, bytes);
  await db.document.update({ where: { id }, data: wrapDataKey({ key, isPlaintext: true }) });
  await db.$disconnect();
}

describe("with envelope keys", () => {
  test("documents and texts are stored encrypted, and FILE_KEYS can be rotated", { timeout: 120_000 }, async () => {
    const plain = await startServer({ template, overrides: { FILE_KEYS: "" } });
    const maria = await plain.family();
    const bytes = textFile(300_000);
    const { id } = (await uploadFile(maria, { bytes })).json;
    plain.kill("SIGTERM");
    await plain.ended;
    expect(everything(plain.folder)).not.toContain(CANARY);
    await storePlain(plain.environment.DATABASE_URL, plain.folder, id);
    expect(everything(plain.folder)).toContain(CANARY);

    const settings: Record<string, string> = { ...plain.environment, FILE_KEYS: first };
    expect(await documents(["rotate"], settings)).toMatchObject({
      code: 0,
      output: expect.stringContaining("1 documents brought") as string,
    });
    expect(filesIn(path.join(plain.folder, "files"))).toHaveLength(1);
    expect(everything(path.join(plain.folder, "files"))).not.toContain(CANARY);

    const early = await startServer({ template, overrides: settings });
    const author = await signInAs(early.origin, maria.email, maria.password);
    await author.form("/dashboard/intake-form?step=child", { childName: CANARY, intent: "keep" });
    early.kill("SIGTERM");
    await early.ended;

    const both = { ...settings, FILE_KEYS: `${second},${first}` };
    const changing = await startServer({ template, overrides: both });
    maria.cookies.clear();
    const signedInClient = async () => {
      const again = changing.visitor();
      await again.post("/api/auth/login", { email: maria.email, password: maria.password });
      return again;
    };
    const client = await signedInClient();
    expect((await client.get(`/api/documents/${id}/download`)).bytes.equals(bytes)).toBe(true);
    const newer = (await uploadFile(client, { bytes })).json;
    expect(await documents(["rotate"], both)).toMatchObject({
      code: 0,
      output: expect.stringContaining("1 documents brought") as string,
    });
    changing.kill("SIGTERM");
    await changing.ended;

    const changed = await startServer({ template, overrides: { ...settings, FILE_KEYS: second } });
    const last = changed.visitor();
    await last.post("/api/auth/login", { email: maria.email, password: maria.password });
    // A text that was written under the first key, which nobody has any more.
    expect((await last.get("/dashboard/intake-form?step=child")).text).toContain(CANARY);
    for (const each of [id, newer.id]) {
      expect((await last.get(`/api/documents/${each}/download`)).bytes.equals(bytes)).toBe(true);
      const part = await last.get(`/api/documents/${each}`, { Range: "bytes=65530-65550" });
      expect(part.bytes.equals(bytes.subarray(65_530, 65_551))).toBe(true);
    }
    expect(everything(path.join(plain.folder, "files"))).not.toContain(CANARY);
    changed.kill("SIGTERM");
    await changed.ended;
    expect(await documents(["check"], { ...settings, FILE_KEYS: second })).toMatchObject({ code: 0 });
    const lost = await documents(["check"], { ...settings, FILE_KEYS: newKey("another") });
    expect(lost).toMatchObject({ code: 1, output: expect.stringContaining(`damaged: ${id}, ${newer.id}`) as string });
  });

  test.each(["spring", "spring:short", `two words:${"A".repeat(43)}=`, `${newKey("a")},b`])(
    "the invalid FILE_KEYS=%s stops the startup with an error",
    async (FILE_KEYS) => {
      await expect(startServer({ template, overrides: { FILE_KEYS } })).rejects.toThrow("FILE_KEYS must be NAME:KEY");
    },
  );

  test("a public site stores documents encrypted without FILE_KEYS too, and warns that FILE_KEYS is missing", async () => {
    const warning = /the person who installed this site has not set FILE_KEYS yet/;
    const outputs: string[] = [];
    for (const keys of [{ FILE_KEYS: "" }, {}] as Record<string, string>[]) {
      const site = await startServer({ template, overrides: { ...PUBLIC_SITE, LOG_LEVEL: "info", ...keys } });
      const maria = await site.family();
      expect((await uploadFile(maria, { bytes: textFile(1000) })).status).toBe(201);
      expect(everything(path.join(site.folder, "files"))).not.toContain(CANARY);
      // The checks run right after the start, before the family is there.
      if ("FILE_KEYS" in keys) await site.waitForOutput(warning);
      site.kill("SIGTERM");
      await site.ended;
      outputs.push(site.output());
    }
    expect(outputs).toEqual([expect.stringMatching(warning), expect.not.stringMatching(warning)]);
  });
});

describe("in a bucket", () => {
  test(
    "documents are stored encrypted, read by range and deleted; while the bucket is down requests get 503",
    { timeout: 120_000 },
    async () => {
      const s3 = await startS3();
      const site = await startServer({ template, overrides: { ...s3.settings, FILE_KEYS: first } });
      const maria = await site.family();
      const bytes = textFile(6_000_000);
      const sent = await uploadFile(maria, { bytes });
      expect(sent.status).toBe(201);
      expect(filesIn(s3.directory)).toHaveLength(1);
      expect(everything(s3.directory)).not.toContain(CANARY);
      const path_ = `/api/documents/${sent.json.id}`;
      expect((await maria.get(`${path_}/download`)).bytes.equals(bytes)).toBe(true);
      expect((await maria.get(path_, { Range: "bytes=-100000" })).bytes.equals(bytes.subarray(-100_000))).toBe(true);
      expect((await maria.request("HEAD", path_)).headers["content-length"]).toBe("6000000");

      const refused = await uploadFile(maria, { fileName: "a.pdf", bytes: SAMPLES.png });
      expect([refused.status, filesIn(s3.directory).length]).toEqual([415, 1]);
      expect(readdirSync(path.join(site.folder, "uploading"))).toEqual([]);

      const other = (await uploadFile(maria)).json;
      const [object = ""] = filesIn(s3.directory).filter(
        (name) => readFileSync(path.join(s3.directory, name)).length < 1000,
      );
      writeFileSync(path.join(s3.directory, object), Buffer.alloc(67));
      expect((await maria.get(`/api/documents/${other.id}`)).status).toBe(409);
      rmSync(path.join(s3.directory, object));
      expect((await maria.get(`/api/documents/${other.id}`)).status).toBe(404);

      expect((await maria.delete(path_)).status).toBe(200);
      expect(filesIn(s3.directory)).toHaveLength(0);
      expect((await maria.get("/readyz")).json).toMatchObject({ storage: true });

      const kept = (await uploadFile(maria)).json;
      await s3.stop();
      const down = [
        await uploadFile(maria),
        await maria.get(`/api/documents/${kept.id}`),
        await maria.delete(`/api/documents/${kept.id}`),
      ];
      expect(down.map(({ status }) => status)).toEqual([503, 503, 503]);
      expect(down.every(({ headers }) => headers["retry-after"] !== undefined)).toBe(true);
      // An answer of the health check may be a second old.
      const readiness = async () => maria.get("/readyz").then(({ status, json }) => [status, json.storage]);
      await expect.poll(readiness).toEqual([503, false]);
      expect((await maria.get("/documents")).visibleText).toContain("Letter from school.txt");
      const listed: { id: number }[] = (await maria.get("/api/documents")).json;
      expect(listed.map(({ id }) => id)).toEqual([kept.id, other.id]);
      site.kill("SIGTERM");
      await site.ended;
    },
  );

  test.each([
    [{ FILE_STORAGE: "s3://No_Bucket" }, "FILE_STORAGE must look like"],
    [{ FILE_STORAGE: "s3://documents" }, "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are required"],
    [{ FILE_STORAGE: "ftp://documents" }, "FILE_STORAGE must begin with"],
  ])("%j stops the startup with an error", async (changes, line) => {
    await expect(startServer({ template, overrides: changes })).rejects.toThrow(line);
  });
});
