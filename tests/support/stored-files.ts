import { readdirSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { TestClient } from "./http-client.ts";
import { folder } from "./site.ts";
import { uploadFile } from "./uploads.ts";

const files = path.join(folder, "files");

/** The names of the site's stored files and of their records, relative to its folder of files. */
export function storedFiles(): string[] {
  return readdirSync(files, { recursive: true, encoding: "utf8" }).filter((name) => /\.(dat|json)$/.test(name));
}

/** How many files and sockets this process has open. */
export function countOpenFiles(): number {
  return readdirSync("/proc/self/fd").length;
}

/** Uploads a document; resolves to its id and the path of its stored file. */
export async function uploadAndLocate(client: TestClient, bytes: Buffer): Promise<{ id: number; file: string }> {
  const before = new Set(storedFiles());
  const { id } = (await uploadFile(client, { bytes })).json;
  const [name = ""] = storedFiles().filter((each) => each.endsWith(".dat") && !before.has(each));
  return { id: Number(id), file: path.join(files, name) };
}

/** Checks every 20 ms and resolves once the condition holds; the test's own time limit ends it. */
export async function waitUntil(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await pause(20);
}
