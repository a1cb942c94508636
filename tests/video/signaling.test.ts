// Proves joining, leaving, tab takeover, ending and message relay in a video room.
import { afterEach, describe, expect, test } from "vitest";
import { consultant, db, family, setTestClock } from "../support/site.ts";
import { expectClosedWithError, connectSignaling } from "../support/signaling-client.ts";
import { startCall, startNextSlot, startVideoAppointment, createVideoAppointment } from "../support/call-scenarios.ts";

const offer = { type: "offer", sdp: "v=0\r\no=- 1 2 IN IP4 127.0.0.1\r\n" };

afterEach(() => setTestClock(null));

describe("a video room", () => {
  test("tells each participant who is present, and relays messages unchanged", async () => {
    const { maria, consulting, appointment } = await startVideoAppointment(-5);
    const theirs = await connectSignaling(maria, appointment.id);
    expect(await theirs.join({ page: "a" })).toMatchObject({
      appointmentId: appointment.id,
      role: "client",
      present: ["client"],
      payload: {
        role: "client",
        present: ["client"],
        waiting: false,
        otherPage: null,
        closesAt: expect.any(String) as string,
      },
    });
    const hers = await connectSignaling(consulting, appointment.id);
    expect(await hers.join({ page: "b" })).toMatchObject({
      role: "admin",
      present: ["client", "admin"],
      otherPage: "a",
    });
    expect(await theirs.next("user-joined")).toMatchObject({ payload: { role: "admin", page: "b" } });

    theirs.sendType("offer", offer);
    expect(await hers.next("offer")).toEqual({ type: "offer", appointmentId: appointment.id, payload: offer });
    hers.sendType("answer", { ...offer, type: "answer" });
    expect(await theirs.next("answer")).toMatchObject({ payload: { type: "answer" } });
    theirs.sendType("ice-candidate", null);
    expect(await hers.next("ice-candidate")).toMatchObject({ payload: null });
    hers.sendType("chat", { text: "Können Sie mich hören? 👋" });
    expect(await theirs.next("chat")).toMatchObject({ payload: { text: "Können Sie mich hören? 👋" } });
    expect(theirs.received).toEqual([]);
  });

  test("sends user-left when a family leaves or disconnects, and lets it join again", async () => {
    const { maria, appointment, hers, theirs } = await startCall();
    theirs.sendType("leave-room");
    expect(await hers.next("user-left")).toMatchObject({ payload: { role: "client" } });
    await theirs.join();
    await hers.next("user-joined");
    theirs.socket.terminate();
    await hers.next("user-left");
    const again = await connectSignaling(maria, appointment.id);
    expect(await again.join()).toMatchObject({ present: ["client", "admin"] });
  });

  test("is ended by the consultant for both; the family can't rejoin until she does", async () => {
    const { maria, consulting, appointment, hers, theirs } = await startCall();
    hers.sendType("end-call");
    await Promise.all([hers, theirs].map((each) => each.next("call-ended")));
    expect([await hers.closed, await theirs.closed]).toMatchObject([{ code: 4002 }, { code: 4002 }]);
    const tooLate = await connectSignaling(maria, appointment.id);
    tooLate.sendType("join-room");
    await expectClosedWithError(tooLate, "ended");
    const back = await connectSignaling(consulting, appointment.id);
    await back.join();
    const again = await connectSignaling(maria, appointment.id);
    expect(await again.join()).toMatchObject({ present: ["client", "admin"] });
  });

  test("stays ended for the family while the consultant's page only waits", async () => {
    const { maria, consulting, appointment, hers, theirs } = await startCall();
    hers.sendType("end-call");
    await Promise.all([hers.closed, theirs.closed]);
    const waits = await connectSignaling(consulting, appointment.id);
    expect(await waits.join({ waiting: true })).toMatchObject({ waiting: true });
    expect((await maria.get(`/video-call/${appointment.id}`)).visibleText).toContain("This visit has ended");
  });

  test.each([
    ["the family did not join", null, ["did not join the call.", undefined]],
    ["the family only waited", { waiting: true }, ["", "completed"]],
    ["the family joined", {}, ["", "completed"]],
  ])("presets the text and status of the follow-up form after a visit when %s", async (_, theirJoin, expected) => {
    const { maria, consulting, appointment } = await startVideoAppointment(5);
    if (theirJoin) await (await connectSignaling(maria, appointment.id)).join(theirJoin);
    const hers = await connectSignaling(consulting, appointment.id);
    await hers.join();
    hers.sendType("end-call");
    await hers.next("call-ended");
    const { document, visibleText } = await consulting.get(`/dashboard/appointments/${appointment.id}/after`);
    const sentence = visibleText.includes(`${maria.name} did not join the call.`) ? "did not join the call." : "";
    const checked = document.querySelector("[name=status][checked]")?.getAttribute("value");
    expect([sentence, checked]).toEqual(expected);
  });

  test("can't be ended by the family: not-allowed, and the call goes on", async () => {
    const { hers, theirs } = await startCall();
    theirs.sendType("end-call");
    expect(await theirs.next("error")).toMatchObject({ code: "not-allowed" });
    theirs.sendType("chat", { text: "still here" });
    await hers.next("chat");
    expect(hers.received).toEqual([]);
  });
});

describe("a page in the waiting room", () => {
  test("takes no seat, can't send an offer, and the consultant's page gets no message until it joins", async () => {
    const { maria, consulting, appointment } = await startVideoAppointment(-5);
    const hers = await connectSignaling(consulting, appointment.id);
    await hers.join();
    const theirs = await connectSignaling(maria, appointment.id);
    expect(await theirs.join({ waiting: true })).toMatchObject({ waiting: true, present: ["client", "admin"] });
    expect(await hers.flush()).toEqual([]);
    theirs.sendType("offer", offer);
    expect(await theirs.next("error")).toMatchObject({ code: "not-joined" });
    expect(await hers.flush()).toEqual([]);
    expect(await theirs.join()).toMatchObject({ waiting: false });
    await hers.next("user-joined");
  });
});

describe("another tab", () => {
  test("of the family takes over the seat, and the first tab is closed with replaced", async () => {
    const { maria, appointment, hers, theirs } = await startCall();
    const second = await connectSignaling(maria, appointment.id);
    expect(await second.join({ page: "second" })).toMatchObject({ present: ["client", "admin"] });
    await expectClosedWithError(theirs, "replaced", 4001);
    expect(await hers.next("user-joined")).toMatchObject({ payload: { role: "client", page: "second" } });
    second.sendType("offer", offer);
    await hers.next("offer");
    expect(hers.received.map(({ type }) => type)).toEqual([]);
  });

  test("of the consultant does the same", async () => {
    const { consulting, appointment, hers, theirs } = await startCall();
    const second = await connectSignaling(consulting, appointment.id);
    await second.join();
    await expectClosedWithError(hers, "replaced", 4001);
    await theirs.next("user-joined");
  });

  test("of another family gets not-allowed, and the call goes on without any message", async () => {
    const { appointment, hers, theirs } = await startCall();
    const otherFamilyPage = await connectSignaling(await family(), appointment.id);
    otherFamilyPage.sendType("join-room");
    await expectClosedWithError(otherFamilyPage, "not-allowed");
    expect([await hers.flush(), theirs.received]).toEqual([[], []]);
  });
});

describe("joining a room", () => {
  test.each([
    ["11 minutes before the start", -11, {}, "too-early"],
    ["31 minutes after the end", 46, {}, "too-late"],
    ["of a canceled visit", 0, { status: "cancelled" }, "not-allowed"],
    ["of an appointment without video", 0, { isLiveVideoCall: false }, "not-allowed"],
  ])("is refused %s, to the family and the consultant", async (_, minutes, changes, errorCode) => {
    const { maria, consulting, appointment } = await startVideoAppointment(minutes, changes);
    for (const client of [maria, consulting]) {
      const page = await connectSignaling(client, appointment.id);
      page.sendType("join-room");
      await expectClosedWithError(page, errorCode);
    }
  });

  test.each(["1 OR 1", "1", -1, 0, 1.5])("is refused for the invalid room id %j", async (appointmentId) => {
    const page = await connectSignaling(await family(), 1);
    page.send({ type: "join-room", appointmentId });
    await expectClosedWithError(page, "not-allowed");
  });

  test.each([-9, 44])("is allowed %d minutes from the start", async (minutes) => {
    const { maria, appointment } = await startVideoAppointment(minutes);
    expect(await (await connectSignaling(maria, appointment.id)).join()).toMatchObject({ role: "client" });
  });

  test("is refused to another family exactly as for a room that does not exist", async () => {
    const { appointment } = await startVideoAppointment();
    const devon = await family();
    const answers = await Promise.all(
      [appointment.id, 2_000_000_000].map(async (id) => {
        const page = await connectSignaling(devon, id);
        page.sendType("join-room");
        const { appointmentId: _, ...said } = await page.next("error");
        return { said, closed: await page.closed };
      }),
    );
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]).toMatchObject({ said: { code: "not-allowed" }, closed: { code: 1008 } });
  });

  test("is allowed to the consultant for a visit without an account", async () => {
    await startNextSlot();
    const appointment = await createVideoAppointment(null);
    expect(await (await connectSignaling(await consultant(), appointment.id)).join()).toMatchObject({
      present: ["admin"],
    });
    expect(await db.appointment.count({ where: { userId: null } })).toBe(1);
  });
});
