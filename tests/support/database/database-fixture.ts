import { randomUUID } from "node:crypto";
import { afterAll, beforeEach, inject } from "vitest";
import { copyDatabase } from "./copy-database.ts";
import { testEnvironment } from "../test-environment.ts";
import { temporaryFolder } from "../temporary-folder.ts";

// One test file has one migrated database of its own, without a site in front of it, and finds it empty before each test.
const folder = temporaryFolder("tables");
export const url = await copyDatabase(inject("template"), folder);
export const isSqlite = url.startsWith("file:");
Object.assign(process.env, await testEnvironment(url, folder));

export const database = await import("../../../app/db/database-client.server.ts");
export const { db } = database;

beforeEach(async () => {
  await db.document.deleteMany();
  await db.appointment.deleteMany();
  await db.consultationRequest.deleteMany();
  await db.user.deleteMany();
});
afterAll(() => database.closeDatabase());

/** A time of the practice's week, and times around it. */
export const SLOT_START = new Date("2027-03-01T15:00Z");
export const minutesAfterStart = (minutes: number) => new Date(SLOT_START.getTime() + minutes * 60_000);

export const APPOINTMENT_FIELDS = { title: "Visit", type: "consultation", appointmentDate: SLOT_START };
export const USER_FIELDS = { email: "maria@example.com", password: "hash", firstName: "Maria", lastName: "Alvarez" };

export const createAppointment = (
  start: Date,
  duration = 60,
  more: { status?: string; consultationRequestId?: number; userId?: number } = {},
) => db.appointment.create({ data: { ...APPOINTMENT_FIELDS, appointmentDate: start, duration, ...more } });

export const createUser = (email = `${randomUUID()}@example.com`) =>
  db.user.create({ data: { ...USER_FIELDS, email } });

/** As any program with the database's password could write it; columns are SQL. */
export function insertRawAppointment(start: Date, duration: number | string, columns: Record<string, string> = {}) {
  const date = isSqlite ? String(start.getTime()) : `'${start.toISOString()}'`;
  const row = {
    title: "'By hand'",
    type: "'consultation'",
    appointmentDate: date,
    duration: String(duration),
    ...columns,
  };
  const names = Object.keys(row).map((name) => `"${name}"`);
  return db.$executeRawUnsafe(`INSERT INTO appointments (${names.join()}) VALUES (${Object.values(row).join()})`);
}

export const rejectionReasons = (outcomes: PromiseSettledResult<unknown>[]) =>
  outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason as unknown] : []));
