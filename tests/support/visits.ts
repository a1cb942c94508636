import type { Client } from "./client.ts";
import { consultant, db, family, setNow } from "./site.ts";
import { hangUp, talk } from "./talk.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let start = Date.parse("2027-01-04T15:00:00Z");
let consulting: Client | null = null;

/** Ends all calls, goes on to a time of its own and stands `minutes` after it; whoever was signed in still is, as if just now. */
export async function goOn(minutes = 0): Promise<void> {
  await hangUp();
  start += 8 * HOUR;
  standAt(minutes);
  const time = start + minutes * MINUTE;
  const sess = JSON.stringify({ signedInAt: time, activeAt: time });
  await db.session.updateMany({ data: { sess, expire: new Date(time + 15 * MINUTE) } });
}

/** Stands so many minutes after the start of the present visit. */
export function standAt(minutes: number): void {
  const time = start + minutes * MINUTE;
  setNow(() => new Date(time));
}

/** A video visit of a quarter of an hour at the present time. */
export function visit(owner: { id: number } | null, changes: Record<string, unknown> = {}) {
  const fields = { title: "Hourly Consulting", type: "consultation", duration: 15, isLiveVideoCall: true };
  const times = { userId: owner?.id ?? null, appointmentDate: new Date(start) };
  return db.appointment.create({ data: { ...fields, ...times, ...changes } });
}

/** A family with a visit, and the consultant, both signed in `minutes` after its start. */
export async function meeting(minutes = 0, changes: Record<string, unknown> = {}) {
  await goOn(minutes);
  return withVisit(changes);
}

/** A second one right after it, whose room is open as well. */
export function meetingBeside() {
  start += 15 * MINUTE;
  standAt(-5);
  return withVisit();
}

async function withVisit(changes: Record<string, unknown> = {}) {
  const maria = await family();
  consulting ??= await consultant();
  return { maria, consulting, appointment: await visit(maria, changes) };
}

/** A family and the consultant in one room. */
export async function call(minutes = 0) {
  const { maria, consulting, appointment } = await meeting(minutes);
  const hers = await talk(consulting, appointment.id);
  await hers.join();
  const theirs = await talk(maria, appointment.id);
  await theirs.join();
  await hers.next("user-joined");
  return { maria, consulting, appointment, hers, theirs };
}
