// What a family costs: bytes in the database and on the disk, processor time of a request, memory. docs/scale.md uses it.
import { readFileSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import Database from "better-sqlite3";
import { bookOrFail } from "../tests/support/bookings.ts";
import { createPeople, type Family } from "../tests/support/people.ts";
import { temporaryFolder } from "../tests/support/temporary-folder.ts";
import { textFile, uploadFile } from "../tests/support/uploads.ts";
import { type DatabaseKind, openDatabases, withClient } from "./databases.ts";
import { processorSeconds, type RunningServer, startProduct } from "./processes.ts";
import { isQuick } from "./compare-rates.ts";
import type { Finding } from "./report.ts";

const FAMILIES = isQuick ? 5 : 20;
const ROUNDS = isQuick ? 20 : 300;
const SIGN_INS = isQuick ? 5 : 30;
/** What a family does in a year: an assumption. More visits of all would not find an open hour. */
const YEAR = { visits: 5, documents: 6, documentBytes: 300_000 };
const MIB_BYTES = 1024 * 1024;
const PAGES = ["/dashboard", "/appointments", "/documents", "/messages", "/dashboard", "/appointments/new"];

export async function scale(): Promise<Finding[]> {
  return [...(await measureOnDatabase("SQLite")), ...(await measureOnDatabase("PostgreSQL"))];
}

async function measureOnDatabase(kind: DatabaseKind): Promise<Finding[]> {
  const databases = await openDatabases(kind);
  const url = await databases.create("scale");
  const folder = temporaryFolder("bench-scale");
  const product = await startProduct({ DATABASE_URL: url }, folder);
  try {
    const { family } = createPeople(product.origin);
    // Files and pages that the first family brings belong to no other.
    await liveAYear(await family({ intake: true }));
    const [databaseBytes, fileBytes] = [await databaseSize(url), folderSize(folder)];
    const families: Family[] = [];
    for (let count = 0; count < FAMILIES; count += 1) {
      families.push(await family({ intake: true }));
      await liveAYear(families.at(-1)!);
    }
    const perFamily = ((await databaseSize(url)) - databaseBytes) / FAMILIES;
    const perDocument = (folderSize(folder) - fileBytes) / (FAMILIES * YEAR.documents) - YEAR.documentBytes;
    return [
      figure(`bytes of a family's year in the database, ${kind}`, perFamily, "bytes"),
      ...(kind === "SQLite" ? [figure("bytes of a stored document beyond its own", perDocument, "bytes")] : []),
      ...(await processorTimes(product, families[0]!, kind)),
      figure(`memory after all of it, ${kind}`, residentBytes(product.pid) / MIB_BYTES, "MiB"),
    ];
  } finally {
    await product.stop();
    await databases.stop();
  }
}

async function liveAYear(family: Family): Promise<void> {
  for (let count = 0; count < YEAR.visits; count += 1) await bookOrFail(family);
  for (let count = 0; count < YEAR.documents; count += 1) {
    const { status, text } = await uploadFile(family, { bytes: textFile(YEAR.documentBytes) });
    if (status !== 201) throw new Error(`A document was refused: ${status} ${text}`);
  }
}

/** Milliseconds of the process's processor time for one request of each kind, one after another. */
async function processorTimes(product: RunningServer, family: Family, kind: DatabaseKind): Promise<Finding[]> {
  const times = async (label: string, rounds: number, call: () => Promise<unknown>) => {
    await call();
    const before = processorSeconds(product.pid) ?? Number.NaN;
    for (let round = 0; round < rounds; round += 1) await call();
    const seconds = (processorSeconds(product.pid) ?? Number.NaN) - before;
    return figure(`processor time of ${label}, ${kind}`, (1000 * seconds) / rounds, "ms");
  };
  const { email, password } = family;
  const { visitor } = createPeople(product.origin);
  let page = 0;
  return [
    await times("a page of a family", ROUNDS, () => family.get(PAGES[(page += 1) % PAGES.length]!)),
    await times("a booking", ROUNDS / 10, () => bookOrFail(family)),
    await times("a document of 300 kB", ROUNDS / 10, () => uploadFile(family, { bytes: textFile(YEAR.documentBytes) })),
    await times("a sign-in", SIGN_INS, () => visitor().post("/api/auth/login", { email, password })),
  ];
}

function figure(label: string, value: number, unit: "bytes" | "ms" | "MiB"): Finding {
  return { goal: "scale", label, value, unit };
}

async function databaseSize(url: string): Promise<number> {
  if (!url.startsWith("file:")) {
    const sql = "SELECT pg_database_size(current_database())::float8 AS bytes";
    return withClient(url, async (client) => (await client.query<{ bytes: number }>(sql)).rows[0]!.bytes);
  }
  const database = new Database(url.slice("file:".length), { readonly: true });
  const read = (name: string) => database.pragma(name, { simple: true }) as number;
  const bytes = (read("page_count") - read("freelist_count")) * read("page_size");
  database.close();
  return bytes;
}

/** The files of documents; the database lies elsewhere. */
function folderSize(folder: string): number {
  const files = readdirSync(path.join(folder, "files"), { recursive: true, withFileTypes: true });
  return files
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(path.join(entry.parentPath, entry.name)).size, 0);
}

function residentBytes(pid: number): number {
  const [, kilobytes = "NaN"] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) * 1024;
}
