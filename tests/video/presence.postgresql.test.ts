// Proves that video rooms span several server processes through PostgreSQL.
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TestClient } from "../support/http-client.ts";
import type { Family } from "../support/people.ts";
import { startServer } from "../support/servers/server-process.ts";
import { consultant, db, testing, environment, family } from "../support/site.ts";
import { expectClosedWithError, connectSignaling } from "../support/signaling-client.ts";

const MINUTE = 60_000;
const RELAY = { TURN_URLS: "turn:relay.example:3478", TURN_SECRET: "a secret of the relay and of both processes" };
const LONG_SDP = `v=0\r\n${"a=candidate:1 1 udp 2122260223 192.0.2.1 54321 typ host\r\n".repeat(500)}`;

const start = new Date(Math.floor(Date.now() / MINUTE) * MINUTE);
const consulting = await consultant();

/** A visit whose room is open at this very moment; the time of those before it is free again. */
async function visitNow(owner: Family) {
  await db.appointment.updateMany({ data: { status: "cancelled" } });
  const fields = { title: "Hourly Consulting", type: "consultation", isLiveVideoCall: true };
  const room = await db.appointment.create({ data: { ...fields, userId: owner.id, appointmentDate: start } });
  return room.id;
}

/** The same browser at another process of the site. */
function at(other: string, client: TestClient): TestClient {
  const there = new TestClient(other);
  for (const [name, value] of client.cookies) there.cookies.set(name, value);
  return there;
}

describe("two server processes on one database", () => {
  let other: Awaited<ReturnType<typeof startServer>>;
  beforeAll(async () => {
    other = await startServer({ overrides: { DATABASE_URL: environment.DATABASE_URL, ...RELAY } });
  });
  afterAll(async () => {
    other.kill("SIGTERM");
    await other.ended;
  });

  /** A family at this process and the consultant at the other, in one room. */
  async function callAcross() {
    const maria = await family();
    const room = await visitNow(maria);
    const theirs = await connectSignaling(maria, room);
    expect(await theirs.join({ page: "family" })).toMatchObject({ present: ["client"] });
    const hers = await connectSignaling(at(other.origin, consulting), room);
    expect(await hers.join({ page: "practice" })).toMatchObject({ present: ["client", "admin"], otherPage: "family" });
    expect(await theirs.next("user-joined")).toMatchObject({ payload: { role: "admin", page: "practice" } });
    return { maria, room, theirs, hers };
  }

  test("relay the messages of a call to each other, long or short, in order", async () => {
    const { hers, theirs } = await callAcross();
    theirs.sendType("offer", { type: "offer", sdp: LONG_SDP });
    expect(await hers.next("offer")).toMatchObject({ payload: { type: "offer", sdp: LONG_SDP } });
    const lines = Array.from({ length: 40 }, (_, index) => `candidate ${index}`);
    for (const candidate of lines) hers.sendType("ice-candidate", { candidate });
    const arrived = [];
    for (const _ of lines) arrived.push((await theirs.next("ice-candidate")).payload?.candidate);
    expect(arrived).toEqual(lines);
    hers.sendType("leave-room");
    expect(await theirs.next("user-left")).toMatchObject({ payload: { role: "admin" } });
    expect(await db.callSignal.count()).toBe(0);
  });

  test("give the seat to the family's newest tab on either process, without a user-left for the consultant", async () => {
    const { maria, room, hers, theirs } = await callAcross();
    const second = await connectSignaling(at(other.origin, maria), room);
    expect(await second.join({ page: "second" })).toMatchObject({ present: ["client", "admin"] });
    await expectClosedWithError(theirs, "replaced", 4001);
    expect(await hers.next("user-joined")).toMatchObject({ payload: { role: "client", page: "second" } });
    const third = await connectSignaling(maria, room);
    await third.join({ page: "third" });
    await expectClosedWithError(second, "replaced", 4001);
    expect(await hers.next("user-joined")).toMatchObject({ payload: { page: "third" } });
    third.sendType("chat", { text: "Here again." });
    await hers.next("chat");
    expect(hers.received).toEqual([]);
  });

  test("give the seat to exactly one of two tabs that join at the same moment", async () => {
    const { maria, room, hers } = await callAcross();
    const tabs = await Promise.all([connectSignaling(maria, room), connectSignaling(at(other.origin, maria), room)]);
    for (const tab of tabs) tab.sendType("join-room");
    const [loser, winner] = await Promise.race([
      tabs[0].closed.then(() => tabs),
      tabs[1].closed.then(() => tabs.toReversed()),
    ]);
    await expectClosedWithError(loser, "replaced", 4001);
    await winner?.next("joined");
    winner?.sendType("chat", { text: "It is me." });
    await hers.next("chat");
    expect(await db.callPresence.count({ where: { appointmentId: room, role: "client" } })).toBe(1);
  });

  test("share which families are waiting and whether the consultant is in the room", async () => {
    const maria = await family();
    const room = await visitNow(maria);
    const person = await db.user.findFirstOrThrow({ where: { isAdmin: true } });
    const isWaiting = async () => (await testing.findFamiliesInWaitingRoom(person)).some(({ id }) => id === room);
    const theirs = await connectSignaling(at(other.origin, maria), room);
    await theirs.join({ waiting: true });
    expect(await isWaiting()).toBe(true);
    const hers = await connectSignaling(consulting, room);
    expect(await hers.join()).toMatchObject({ present: ["admin"] });
    expect(await isWaiting()).toBe(false);
  });

  test("give a family relay credentials at one only while the consultant is in the room at the other", async () => {
    const maria = await family();
    const room = await visitNow(maria);
    const hasRelay = async () => {
      const response = await at(other.origin, maria).get(`/video-call/${room}/connection`);
      expect([response.status, response.text.includes("stun:")]).toEqual([200, true]);
      return response.text.includes("credential");
    };
    await (await connectSignaling(maria, room)).join();
    const hers = await connectSignaling(consulting, room);
    await hers.join({ waiting: true });
    expect(await hasRelay()).toBe(false);
    const died = { id: "died", appointmentId: room, role: "admin", seat: `${room}:admin`, processId: "died" };
    await db.callPresence.create({ data: { ...died, lastSeenAt: new Date(Date.now() - MINUTE) } });
    expect(await hasRelay()).toBe(false);
    await hers.join();
    expect(await hasRelay()).toBe(true);
    hers.sendType("leave-room");
    await expect.poll(hasRelay).toBe(false);
  });

  test("end a call for both participants, and the family can't rejoin", async () => {
    const { maria, room, hers, theirs } = await callAcross();
    hers.sendType("end-call");
    for (const page of [hers, theirs]) {
      await page.next("call-ended");
      expect(await page.closed).toMatchObject({ code: 4002 });
    }
    const tooLate = await connectSignaling(maria, room);
    tooLate.sendType("join-room");
    await expectClosedWithError(tooLate, "ended");
  });

  test("close the family's socket at one when it signs out at the other", async () => {
    const { maria, hers, theirs } = await callAcross();
    await at(other.origin, maria).post("/api/auth/logout", {});
    expect(await theirs.closed).toMatchObject({ code: 1008 });
    await hers.next("user-left");
  });

  test("relay messages again after the database terminated their LISTEN connections", async () => {
    const { hers, theirs } = await callAcross();
    await db.$executeRaw`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND query LIKE 'LISTEN%'`;
    hers.sendType("chat", { text: "Still there?" });
    expect(await theirs.next("chat")).toMatchObject({ payload: { text: "Still there?" } });
    theirs.sendType("chat", { text: "Yes." });
    await hers.next("chat");
  });

  test("send user-left when the other process was killed, and let its user join again", async () => {
    const dying = await startServer({ overrides: { DATABASE_URL: environment.DATABASE_URL } });
    const maria = await family();
    const room = await visitNow(maria);
    const theirs = await connectSignaling(maria, room);
    await theirs.join();
    const hers = await connectSignaling(at(dying.origin, consulting), room);
    await hers.join();
    await theirs.next("user-joined");
    dying.kill("SIGKILL");
    await dying.ended;
    // The time that passes before a silent process counts as gone.
    await db.$executeRaw`UPDATE call_presences SET "seenAt" = "seenAt" - interval '20 seconds' WHERE role = 'admin'`;
    expect(await theirs.next("user-left")).toMatchObject({ payload: { role: "admin" } });
    const again = await connectSignaling(consulting, room);
    expect(await again.join()).toMatchObject({ present: ["client", "admin"] });
    await theirs.next("user-joined");
    expect(theirs.received).toEqual([]);
  });

  test("restore the presence row of a user who was still connected when it was deleted", async () => {
    const { room, hers, theirs } = await callAcross();
    const presence = { appointmentId: room, role: "admin" };
    await db.callPresence.deleteMany({ where: presence });
    while ((await db.callPresence.count({ where: presence })) === 0) await pause(50);
    hers.sendType("chat", { text: "I never left." });
    expect(await theirs.next("chat")).toMatchObject({ payload: { text: "I never left." } });
    theirs.sendType("chat", { text: "I know." });
    expect(await hers.next("chat")).toMatchObject({ payload: { text: "I know." } });
  });
});
