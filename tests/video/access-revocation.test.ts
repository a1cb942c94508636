// Proves that when a person's access ends, their sockets are closed within seconds.
import { afterEach, describe, expect, test } from "vitest";
import { db, testing, family, setTestClock } from "../support/site.ts";
import type { TestResponse } from "../support/http-client.ts";
import { familyPassword, signInAs } from "../support/people.ts";
import { expectClosedWithError, connectSignaling } from "../support/signaling-client.ts";
import { startCall, startVideoAppointment, setClockFromStart } from "../support/call-scenarios.ts";

afterEach(() => setTestClock(null));

describe("a signaling socket is closed", () => {
  test("after signing out", async () => {
    const { maria, hers, theirs } = await startCall();
    await maria.post("/api/auth/logout", {});
    expect(await theirs.closed).toEqual({
      code: 1008,
      reason: "You are signed out. Press Try again to sign in and come back.",
    });
    expect(await hers.next("user-left")).toMatchObject({ payload: { role: "client" } });
  });

  test("after another browser changed the password; that browser can still join", async () => {
    const { maria, appointment, theirs } = await startCall();
    const other = await signInAs(maria.origin, maria.email, familyPassword);
    const own = await connectSignaling(other, appointment.id);
    const password = "a whole new roof of tin";
    const fields = { currentPassword: familyPassword, newPassword: password, confirmPassword: password };
    expect((await other.post("/api/auth/change-password", fields)).status).toBe(200);
    expect(await theirs.closed).toMatchObject({ code: 1008 });
    expect(await own.join()).toMatchObject({ role: "client" });
  });

  test("after the consultant lost administrator rights; rejoining gets not-allowed", async () => {
    const { consulting, appointment, hers, theirs } = await startCall();
    const { id } = (await consulting.get("/api/auth/me")).json;
    await db.user.update({ where: { id }, data: { isAdmin: false } });
    expect(await hers.closed).toEqual({ code: 1008, reason: "Your access has changed." });
    await theirs.next("user-left");
    const again = await connectSignaling(consulting, appointment.id);
    again.sendType("join-room");
    await expectClosedWithError(again, "not-allowed");
    await db.user.update({ where: { id }, data: { isAdmin: true } });
  });

  test("after the account was closed, even while its session row exists; requests then get 401", async () => {
    const { maria, appointment, theirs } = await startCall();
    const other = await connectSignaling(maria, appointment.id);
    await db.user.update({ where: { id: maria.id }, data: { closedAt: new Date() } });
    other.sendType("join-room");
    expect(await other.closed).toMatchObject({ code: 1008, reason: expect.stringContaining("You are signed out.") });
    await testing.closeRevokedSockets();
    expect(await theirs.closed).toMatchObject({ code: 1008, reason: expect.stringContaining("You are signed out.") });
    expect(await db.session.count({ where: { userId: maria.id } })).toBe(1);
    for (const path of ["/api/auth/me", "/api/appointments", "/api/documents"])
      expect([path, (await maria.get(path)).status]).toEqual([path, 401]);
    expect((await maria.get("/dashboard")).headers.location).toMatch(/^\/login/);
  });

  test("after the account was deleted", async () => {
    const { maria, appointment, theirs } = await startCall();
    await db.appointment.update({ where: { id: appointment.id }, data: { userId: null } });
    await db.user.delete({ where: { id: maria.id } });
    expect(await theirs.closed).toMatchObject({ code: 1008 });
  });

  test.each([
    ["cancelled", { status: "cancelled" }],
    ["changed to one without video", { isLiveVideoCall: false }],
  ])("after the visit was %s", async (_, data) => {
    const { appointment, hers, theirs } = await startCall();
    await db.appointment.update({ where: { id: appointment.id }, data });
    await Promise.all([hers, theirs].map((each) => expectClosedWithError(each, "not-allowed")));
  });

  test("after the visit was deleted", async () => {
    const { consulting, appointment, hers, theirs } = await startCall();
    expect((await consulting.delete(`/api/appointments/${appointment.id}`)).status).toBe(200);
    await Promise.all([hers, theirs].map((each) => expectClosedWithError(each, "not-allowed")));
  });

  test("when the room closes, 30 minutes after the visit's end", async () => {
    const { hers, theirs } = await startCall(40);
    setClockFromStart(44);
    await testing.closeRevokedSockets();
    expect([await hers.flush(), await theirs.flush()]).toEqual([[], []]);
    setClockFromStart(46);
    await Promise.all([hers, theirs].map((each) => each.next("call-ended")));
    expect([await hers.closed, await theirs.closed]).toMatchObject([{ code: 4002 }, { code: 4002 }]);
  });
});

describe("after the response, no more messages are relayed", () => {
  const changed = "a whole new roof of tin";
  const passwordFields = { currentPassword: familyPassword, newPassword: changed, confirmPassword: changed };
  const other = ({ origin, email }: { origin: string; email: string }) => signInAs(origin, email, familyPassword);

  test.each<[string, number, (call: Awaited<ReturnType<typeof startCall>>) => Promise<TestResponse>]>([
    ["from a family that signed out through the API", 200, ({ maria }) => maria.post("/api/auth/logout", {})],
    ["from a family that signed out with the form", 302, ({ maria }) => maria.form("/logout", {})],
    [
      "from a family whose password was changed in another browser",
      200,
      async ({ maria }) => (await other(maria)).post("/api/auth/change-password", passwordFields),
    ],
    [
      "from a family whose account was closed by the consultant",
      302,
      ({ maria, consulting }) => consulting.form(`/families/${maria.id}/close`, {}),
    ],
  ])("%s", async (_, status, end) => {
    const call = await startCall();
    const { hers, theirs, appointment } = call;
    const notJoined = await connectSignaling(call.maria, appointment.id);
    expect((await end(call)).status).toBe(status);
    theirs.sendType("chat", { text: "Still here." });
    notJoined.sendType("join-room");
    expect(await hers.next("user-left")).toMatchObject({ payload: { role: "client" } });
    expect([await theirs.closed, await notJoined.closed]).toMatchObject([{ code: 1008 }, { code: 1008 }]);
    expect(await hers.flush()).toEqual([]);
  });

  test("from the oldest of 20 sessions when a 21st signs in; the other sessions remain", async () => {
    const { maria, hers, theirs } = await startCall();
    const { sid: oldest, sess, expire, userId } = await db.session.findFirstOrThrow({ where: { userId: maria.id } });
    const later = { sess, userId, expire: new Date(expire.getTime() + 60_000) };
    const others = Array.from({ length: 19 }, (_, index) => `browser ${index} of ${maria.id}`);
    await db.session.createMany({ data: others.map((sid) => ({ ...later, sid })) });
    const last = await other(maria);
    theirs.sendType("chat", { text: "Still here." });
    await hers.next("user-left");
    expect(await hers.flush()).toEqual([]);
    const left = (await db.session.findMany({ where: { userId: maria.id } })).map(({ sid }) => sid);
    expect([left.length, left.includes(oldest), others.every((sid) => left.includes(sid))]).toEqual([20, false, true]);
    expect((await last.get("/api/auth/me")).status).toBe(200);
  });
});

describe("the idle sign-out", () => {
  test("is postponed for both participants during a call", async () => {
    const { consulting, hers, theirs } = await startCall();
    for (const minutes of [10, 20, 30]) {
      setClockFromStart(minutes);
      await testing.touchSessionsInCall();
    }
    await testing.closeRevokedSockets();
    expect((await consulting.get("/api/auth/me")).status).toBe(200);
    expect([await hers.flush(), await theirs.flush()]).toEqual([[], []]);
  });

  test("is not postponed for the consultant while the family is only waiting", async () => {
    const { maria, consulting, appointment } = await startVideoAppointment();
    const hers = await connectSignaling(consulting, appointment.id);
    await hers.join();
    const theirs = await connectSignaling(maria, appointment.id);
    await theirs.join({ waiting: true });
    setClockFromStart(10);
    await testing.touchSessionsInCall();
    setClockFromStart(16);
    expect(await hers.closed).toEqual({
      code: 1008,
      reason: "You are signed out. Press Try again to sign in and come back.",
    });
    await theirs.next("user-left");
    expect(await theirs.flush()).toEqual([]);
  });
});

describe("the waiting room", () => {
  test("lists a family for the consultant only while she is not in the room; a family gets an empty list", async () => {
    const { maria, consulting, appointment } = await startVideoAppointment(-5);
    const consultant = await db.user.findFirstOrThrow({ where: { isAdmin: true } });
    const waiting = async () =>
      (await testing.findFamiliesInWaitingRoom(consultant)).map(({ id, name }) => ({ id, name }));
    await expect.poll(waiting).toEqual([]);
    const theirs = await connectSignaling(maria, appointment.id);
    await theirs.join({ waiting: true });
    await expect.poll(waiting).toEqual([{ id: appointment.id, name: maria.name }]);
    expect(
      await testing.findFamiliesInWaitingRoom(await db.user.findUniqueOrThrow({ where: { id: maria.id } })),
    ).toEqual([]);
    await theirs.join();
    await expect.poll(waiting).toHaveLength(1);
    const hers = await connectSignaling(consulting, appointment.id);
    await hers.join({ waiting: true });
    await expect.poll(waiting).toHaveLength(1);
    await hers.join();
    await expect.poll(waiting).toEqual([]);
    hers.sendType("leave-room");
    await theirs.next("user-left");
    await expect.poll(waiting).toHaveLength(1);
    theirs.socket.close();
    await theirs.closed;
    await hers.flush();
    await expect.poll(waiting).toEqual([]);
  });

  test("can't be joined by another family", async () => {
    const { appointment } = await startVideoAppointment();
    const otherFamilyPage = await connectSignaling(await family(), appointment.id);
    otherFamilyPage.sendType("join-room", { waiting: true });
    await expectClosedWithError(otherFamilyPage, "not-allowed");
  });
});
