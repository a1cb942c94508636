import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { accountsOfSite } from "../support/accounts.ts";
import { createPeople } from "../support/people.ts";
import { testEnvironment } from "../support/test-environment.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** The moment at which every picture is taken: a Friday, ten in the morning in the practice. */
export const NOW = new Date("2026-11-20T15:00:30Z");

export type ScreenshotSite = Awaited<ReturnType<typeof startScreenshotSite>>;

/** The built product in this process, on a database of its own, at the chosen moment; no job changes what a test has seeded. */
export async function startScreenshotSite() {
  const folder = temporaryFolder("screenshots");
  const environment = await testEnvironment(`file:${folder}/app.db`, folder);
  // Nobody is asked the way through the network: both sides of a visit are on this machine.
  Object.assign(process.env, { LOG_LEVEL: "silent", STUN_URLS: "stun:127.0.0.1:9" }, environment);
  const { testing, stop } = await import("../../server.ts");
  testing.setTestClock(() => NOW);
  await testing.stopJobs();
  const people = createPeople(environment.APP_ORIGIN, undefined, accountsOfSite(testing));
  /** The text of every mail that was due, as it was written to a file. */
  const writtenMails = async () => {
    await testing.deliverDueMessages();
    const outbox = path.join(folder, "outbox");
    const files = readdirSync(outbox).map((name) => readFileSync(path.join(outbox, name), "utf8"));
    return files.map((mail) => mail.replace(/=\r?\n/g, ""));
  };
  const { db, setTestClock, refreshWarnings } = testing;
  return { ...people, origin: environment.APP_ORIGIN, db, setTestClock, refreshWarnings, writtenMails, stop };
}

/** So many days from the chosen moment, at an hour of the practice's winter time. */
export function practiceTime(days: number, hour: number, minute = 0): Date {
  const day = new Date(NOW.getTime() + days * 86_400_000).toISOString().slice(0, 10);
  return new Date(`${day}T${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}:00-05:00`);
}
