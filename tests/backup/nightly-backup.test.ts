// Proves that the background job makes the nightly backup once per night.
import { readdirSync } from "node:fs";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { newEncryptionKey } from "../support/backup-commands.ts";
import { environmentOverrides } from "../support/environment-overrides.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const DAY_MS = 86_400_000;
const folder = temporaryFolder("nightly");
Object.assign(environmentOverrides, {
  BACKUP_KEYS: newEncryptionKey("nightly"),
  BACKUP_STORAGE: `file:${path.join(folder, "backups")}`,
});
const { family, setTestClock, testing } = await import("../support/site.ts");

afterEach(() => setTestClock(null));

const backups = () => readdirSync(folder, { recursive: true }).filter((name) => String(name).endsWith(".backup"));
async function runJob() {
  const job = testing.JOBS.find(({ name }) => name === "making the nightly backup");
  await job?.run(new AbortController().signal);
}

test("the job makes one backup in a night and another one in the next night", async () => {
  await family({ intake: true });
  await runJob();
  expect(backups()).toHaveLength(1);
  await runJob();
  expect(backups()).toHaveLength(1);
  setTestClock(() => new Date(Date.now() + DAY_MS));
  await runJob();
  expect(backups()).toHaveLength(2);
});
