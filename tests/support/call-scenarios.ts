import type { TestClient } from "./http-client.ts";
import { consultant, db, family, setTestClock } from "./site.ts";
import { closeAllSockets, connectSignaling } from "./signaling-client.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let start = Date.parse("2027-01-04T15:00:00Z");
let consultantClient: TestClient | null = null;

/**
 * Ends all calls and moves the clock to `minutes` after a start time that no other test uses. Sessions that exist
 * count as just signed in.
 */
export async function startNextSlot(minutes = 0): Promise<void> {
  await closeAllSockets();
  start += 8 * HOUR_MS;
  setClockFromStart(minutes);
  const time = start + minutes * MINUTE_MS;
  const sess = JSON.stringify({ signedInAt: time, activeAt: time });
  await db.session.updateMany({ data: { sess, expire: new Date(time + 15 * MINUTE_MS) } });
}

/** Sets the clock to so many minutes after the start of the present appointment. */
export function setClockFromStart(minutes: number): void {
  const time = start + minutes * MINUTE_MS;
  setTestClock(() => new Date(time));
}

/** A video appointment of 15 minutes at the present start time. */
export function createVideoAppointment(owner: { id: number } | null, changes: Record<string, unknown> = {}) {
  const fields = { title: "Hourly Consulting", type: "consultation", duration: 15, isLiveVideoCall: true };
  const times = { userId: owner?.id ?? null, appointmentDate: new Date(start) };
  return db.appointment.create({ data: { ...fields, ...times, ...changes } });
}

/** A family with a visit, and the consultant, both signed in `minutes` after its start. */
export async function startVideoAppointment(minutes = 0, changes: Record<string, unknown> = {}) {
  await startNextSlot(minutes);
  return createParticipants(changes);
}

/** A second one right after it, whose room is open as well. */
export function startAdjacentVideoAppointment() {
  start += 15 * MINUTE_MS;
  setClockFromStart(-5);
  return createParticipants();
}

async function createParticipants(changes: Record<string, unknown> = {}) {
  const maria = await family();
  consultantClient ??= await consultant();
  return { maria, consulting: consultantClient, appointment: await createVideoAppointment(maria, changes) };
}

/** A family and the consultant in one room. */
export async function startCall(minutes = 0) {
  const { maria, consulting: consultantClient, appointment } = await startVideoAppointment(minutes);
  const hers = await connectSignaling(consultantClient, appointment.id);
  await hers.join();
  const theirs = await connectSignaling(maria, appointment.id);
  await theirs.join();
  await hers.next("user-joined");
  return { maria, consulting: consultantClient, appointment, hers, theirs };
}
