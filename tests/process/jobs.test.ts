// Proves which background work the server does, and that it reminds families of follow-ups.
import { expect, test } from "vitest";
import { family, db, setTestClock, testing } from "../support/site.ts";

test("all the work that families and the consultant rely on without asking for it is a job of the server", () => {
  expect(testing.JOBS.map(({ name }) => name)).toEqual([
    "removing files without a record",
    "checking a document",
    "cleanup of expired rows",
    "cleanup of waiting lists",
    "checking the system",
    "rendering changed public pages",
    "counting cached pages",
    "erasing accounts",
    "deleting expired records",
    "making the nightly backup",
    "reconciling payments",
    "checking the payment script",
    "writing reminders",
    "noting the end of the audit trail",
    "removing expired entries of the audit trail",
    "reminding of follow-ups",
    "offering freed times",
    "delivering mail",
    "deleting old messages",
    "encrypting texts",
  ]);
});

test("a family is reminded of a shared follow-up by a job of the server", async () => {
  await testing.stopJobs();
  // Friday, 10:00 AM in the practice.
  setTestClock(() => new Date("2026-11-20T15:00:00Z"));
  const { id: userId } = await family();
  await db.followUp.create({ data: { userId, text: "Call", dueDay: "2026-11-20", isShared: true } });
  await testing.JOBS.find(({ name }) => name === "reminding of follow-ups")!.run(new AbortController().signal);
  expect(await db.message.findMany({ where: { userId } })).toMatchObject([{ event: "follow-up-due" }]);
});
