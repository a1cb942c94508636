import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import { textFile, uploadFile } from "./uploads.ts";
import { startServer } from "./servers/server-process.ts";

type Plan = { template: string; uploads: number; kills: number; seed: number };

/**
 * Uploads without a pause while the process is killed at random moments and started again. After each start every record
 * has its file, every file its record, and whatever was acknowledged is there, byte by byte.
 */
export async function crashDuringUploads({ template, uploads, kills, seed }: Plan) {
  const random = randomFrom(seed);
  let site = await startServer({ template });
  const { environment, folder } = site;
  const family = await site.family();
  const hashes = new Map<number, string>();
  let remainingUploads = uploads;
  for (let kill = 0; kill <= kills; kill += 1) {
    const share = kill === kills ? remainingUploads : Math.ceil(uploads / (kills + 1));
    remainingUploads -= share;
    const progress = { answered: 0 };
    const workers = Array.from({ length: 4 }, async (_, worker) => {
      for (let count = worker; count < share; count += 4) {
        const bytes = textFile(Math.floor(random() * 2_000_000) + 1);
        const response = await uploadFile(family.clone(), { bytes }).catch(() => null);
        progress.answered += 1;
        if (response?.status === 201) hashes.set(response.json.id, createHash("sha256").update(bytes).digest("hex"));
      }
    });
    if (kill < kills) {
      // However slow the machine: some uploads are through, and others are on their way.
      const uploadsBeforeKill = Math.floor(random() * 0.8 * share);
      while (progress.answered < uploadsBeforeKill) await pause(5);
      await pause(random() * 150);
      site.kill("SIGKILL");
    }
    await Promise.all(workers);
    if (kill < kills) {
      await site.ended;
      site = await startServer({ template, overrides: { ...environment } });
    }

    const records: { id: number }[] = (await family.get("/api/documents")).json;
    const store = path.join(folder, "files");
    // Killed before the first file came.
    const files = existsSync(store) ? readdirSync(store, { recursive: true, encoding: "utf8" }) : [];
    expect(files.filter((name) => name.endsWith(".dat"))).toHaveLength(records.length);
    expect(files.filter((name) => name.endsWith(".json"))).toHaveLength(records.length);
    expect(records.map(({ id }) => id)).toEqual(expect.arrayContaining([...hashes.keys()]));
    for (const { id } of records) {
      const { status, bytes } = await family.get(`/api/documents/${id}/download`);
      expect([id, status]).toEqual([id, 200]);
      const known = hashes.get(id);
      if (known) expect(createHash("sha256").update(bytes).digest("hex")).toBe(known);
    }
  }
  site.kill("SIGTERM");
  await site.ended;
  return { acknowledged: hashes.size, kills };
}

/** The same numbers for the same seed, so that a failure can be seen again (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
