import { consultant, db, family, setNow } from "./site.ts";
import { talk } from "./talk.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let start = Date.parse("2027-01-04T15:00:00Z");

/** Goes on to a time of its own and stands `minutes` after it; returns it. */
export function goOn(minutes = 0): Date {
  start += 8 * HOUR;
  standAt(minutes);
  return new Date(start);
}

/** Stands so many minutes after the start of the present visit. */
export function standAt(minutes: number): void {
  const time = start + minutes * MINUTE;
  setNow(() => new Date(time));
}

/** A video visit at the present time. */
export function visit(owner: { id: number } | null, changes: Record<string, unknown> = {}) {
  const fields = { title: "Hourly Consulting", type: "consultation", duration: 60, isLiveVideoCall: true };
  const times = { userId: owner?.id ?? null, appointmentDate: new Date(start) };
  return db.appointment.create({ data: { ...fields, ...times, ...changes } });
}

/** A family with a visit, and the consultant, signed in `minutes` after its start. */
export async function meeting(minutes = 0, changes: Record<string, unknown> = {}) {
  goOn(minutes);
  const maria = await family();
  return { maria, consulting: await consultant(), appointment: await visit(maria, changes) };
}

/** A family and the consultant in one room. */
export async function call() {
  const { maria, consulting, appointment } = await meeting();
  const hers = await talk(consulting, appointment.id);
  await hers.join();
  const theirs = await talk(maria, appointment.id);
  await theirs.join();
  await hers.next("user-joined");
  return { maria, consulting, appointment, hers, theirs };
}
