// Proves the limits on frames: size, number, rate and validity.
import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { afterEach, describe, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { testing, family, setTestClock } from "../support/site.ts";
import { expectClosedWithError, type SignalingClient, connectSignaling } from "../support/signaling-client.ts";
import { startCall, startVideoAppointment, startAdjacentVideoAppointment } from "../support/call-scenarios.ts";

const MEBIBYTE = 1024 * 1024;
const offer = { type: "offer", sdp: "v=0\r\n" };

afterEach(() => setTestClock(null));

/** The connection under a page's socket, for bytes that no library would send. */
const rawSocket = ({ socket }: SignalingClient) => (socket as unknown as { _socket: Socket })._socket;

/** Two others whose call goes on whatever happens beside it. */
async function expectTalking({ hers, theirs }: Awaited<ReturnType<typeof startCall>>) {
  hers.sendType("chat", { text: "Are you there?" });
  expect(await theirs.next("chat")).toMatchObject({ payload: { text: "Are you there?" } });
}

describe("an invalid message", () => {
  test.each(["offer", "answer", "ice-candidate", "chat"] as const)(
    "of type %s without a joined room gets not-joined; the third one closes the socket",
    async (type) => {
      const running = await startCall();
      const otherFamilyPage = await connectSignaling(await family(), running.appointment.id);
      const payload = { offer, answer: offer, "ice-candidate": null, chat: { text: "Hello?" } }[type];
      for (let time = 0; time < 3; time += 1) otherFamilyPage.sendType(type, payload);
      for (let time = 0; time < 3; time += 1) {
        expect(await otherFamilyPage.next("error")).toMatchObject({
          code: "not-joined",
          appointmentId: running.appointment.id,
        });
      }
      expect(await otherFamilyPage.closed).toMatchObject({ code: 1008 });
      await expectTalking(running);
      expect([running.hers.received, running.theirs.received]).toEqual([[], []]);
    },
  );

  test("for another room than the joined one gets not-joined; the third one closes the socket", async () => {
    const running = await startCall();
    const { maria, appointment } = await startAdjacentVideoAppointment();
    const page = await connectSignaling(maria, appointment.id);
    await page.join();
    page.send({ type: "offer", appointmentId: running.appointment.id, payload: offer });
    expect(await page.next("error")).toMatchObject({ code: "not-joined" });
    page.send({ type: "leave-room", appointmentId: running.appointment.id });
    expect(await page.next("error")).toMatchObject({ code: "not-joined" });
    page.send({ type: "end-call", appointmentId: running.appointment.id });
    await expectClosedWithError(page, "not-joined");
    await expectTalking(running);
  });

  test("that can't be parsed gets bad-frame; the third one closes the socket", async () => {
    const { theirs, hers } = await startCall();
    theirs.socket.send("{");
    theirs.socket.send(randomBytes(20));
    theirs.send({ type: "joined" });
    for (let time = 0; time < 3; time += 1) expect(await theirs.next("error")).toMatchObject({ code: "bad-frame" });
    expect(await theirs.closed).toMatchObject({ code: 1008 });
    await hers.next("user-left");
  });
});

describe("an invalid frame", () => {
  test("closes only its own socket when it is one byte over 64 KiB", async () => {
    const running = await startCall();
    const { maria, appointment } = await startAdjacentVideoAppointment();
    const page = await connectSignaling(maria, appointment.id);
    page.socket.send("x".repeat(64 * 1024 + 1));
    expect(await page.closed).toMatchObject({ code: 1009 });
    await expectTalking(running);
  });

  test("is not buffered when it announces 100 MB, nor when its fragments never end", async () => {
    const { maria, appointment } = await startVideoAppointment();
    const before = process.memoryUsage().rss;
    const endless = Array.from({ length: 20 }, async (_, index) => {
      const page = await connectSignaling(maria.clone(), appointment.id);
      if (index % 2) {
        const head = Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0x06, 0x40, 0, 0, 1, 2, 3, 4]);
        rawSocket(page).write(Buffer.concat([head, randomBytes(4096)]));
      } else {
        const first = Buffer.from([0x01, 0x81, 1, 2, 3, 4, 0x20]);
        const next = Buffer.from([0x00, 0x81, 1, 2, 3, 4, 0x20]);
        rawSocket(page).write(Buffer.concat([first, ...Array.from({ length: 16_000 }, () => next)]));
      }
      return page.closed;
    });
    const codes = (await Promise.all(endless)).map(({ code }) => code);
    expect(codes.filter((code) => code !== 1008 && code !== 1009)).toEqual([]);
    expect(process.memoryUsage().rss - before).toBeLessThan(50 * MEBIBYTE);
  });

  test("closes its own socket when it arrives in more than 256 pieces", async () => {
    const { maria, appointment } = await startVideoAppointment();
    const page = await connectSignaling(maria, appointment.id);
    const connection = rawSocket(page);
    connection.setNoDelay(true);
    connection.write(Buffer.from([0x81, 0xfe, 0x10, 0, 1, 2, 3, 4]));
    for (let count = 0; count < 600 && connection.writable; count += 1) {
      connection.write(Buffer.from([0x20]));
      await setTimeout(1);
    }
    expect(await page.closed).toMatchObject({ code: 1008 });
  });

  test.each([
    ["unmasked", [0x81, 0x02, 0x7b, 0x7d], 1002],
    ["of an unknown opcode", [0x83, 0x80, 1, 2, 3, 4], 1002],
    ["with a reserved bit", [0xc1, 0x80, 1, 2, 3, 4], 1002],
    ["a continuation without a start", [0x80, 0x80, 1, 2, 3, 4], 1002],
    ["a fragmented ping", [0x09, 0x80, 1, 2, 3, 4], 1002],
    ["not in UTF-8", [0x81, 0x82, 0, 0, 0, 0, 0xc3, 0x28], 1007],
  ])("closes its own socket when it is %s", async (_, bytes, code) => {
    const { maria, appointment } = await startVideoAppointment();
    const page = await connectSignaling(maria, appointment.id);
    rawSocket(page).write(Buffer.from(bytes));
    expect(await page.closed).toMatchObject({ code });
  });
});

describe("rate and connection limits", () => {
  test("close a socket that sends 10,000 messages, while another call goes on", async () => {
    const running = await startCall();
    const { maria, appointment } = await startAdjacentVideoAppointment();
    const page = await connectSignaling(maria, appointment.id);
    await page.join();
    const text = JSON.stringify({ type: "ice-candidate", appointmentId: appointment.id, payload: null });
    for (let count = 0; count < 10_000; count += 1) page.socket.send(text);
    await expectTalking(running);
    await expectClosedWithError(page, "too-fast");
    expect(page.received).toEqual([]);
  });

  test("count pings, too: 2,000 of them close the socket", async () => {
    const { maria, appointment } = await startVideoAppointment();
    const page = await connectSignaling(maria, appointment.id);
    for (let count = 0; count < 2_000; count += 1) page.socket.ping();
    expect([1006, 1008]).toContain((await page.closed).code);
  });

  test("apply to all tabs of a family together: eight tabs with 250 messages each are closed", async () => {
    const { maria, appointment } = await startVideoAppointment();
    const pages = await Promise.all(Array.from({ length: 8 }, () => connectSignaling(maria, appointment.id)));
    const text = JSON.stringify({ type: "ice-candidate", appointmentId: appointment.id, payload: null });
    for (const page of pages) page.socket.on("message", () => {});
    await Promise.all(pages.map((page) => page.join({ waiting: true })));
    for (const { socket } of pages) for (let count = 0; count < 250; count += 1) socket.send(text);
    const ends = await Promise.all(pages.map((page) => page.closed));
    expect(ends.map(({ code }) => code)).toEqual(pages.map(() => 1008));
  });

  test("close a tab that is in no room when the eleventh tab opens; a tab in a room stays open", async () => {
    const { maria, appointment } = await startVideoAppointment();
    const joined = await connectSignaling(maria, appointment.id);
    await joined.join();
    const idle = await connectSignaling(maria, appointment.id);
    for (let count = 2; count < 11; count += 1) await connectSignaling(maria, appointment.id);
    expect(await idle.closed).toMatchObject({ code: 1008 });
    expect(await joined.flush()).toEqual([]);
    expect(joined.socket.readyState).toBe(WebSocket.OPEN);
  });
});

describe("forty sockets of one family opened at once", () => {
  test("are reduced to ten", async () => {
    const { maria, appointment } = await startVideoAppointment();
    const tabs = await Promise.all(Array.from({ length: 40 }, () => connectSignaling(maria, appointment.id)));
    const openTabs = () => tabs.filter(({ socket }) => socket.readyState === WebSocket.OPEN);
    await vi.waitFor(() => expect(openTabs()).toHaveLength(10), { interval: 5, timeout: 5_000 });
    for (const tab of openTabs()) expect(await tab.flush()).toEqual([]);
    expect(openTabs()).toHaveLength(10);
  });
});

describe("the heartbeat", () => {
  test("closes a socket that has not answered by the second ping, and the consultant gets user-left", async () => {
    const { maria, consulting, appointment } = await startVideoAppointment();
    const hers = await connectSignaling(consulting, appointment.id);
    await hers.join();
    const theirs = await connectSignaling(maria, appointment.id, { autoPong: false });
    await theirs.join();
    await hers.next("user-joined");
    // Its own ping at the same moment would count as unanswered.
    testing.stopSocketMaintenance();
    testing.terminateOrPingSockets();
    await hers.flush();
    testing.terminateOrPingSockets();
    expect(await hers.next("user-left")).toMatchObject({ payload: { role: "client" } });
    expect(await theirs.closed).toMatchObject({ code: 1006 });
    expect(await hers.flush()).toEqual([]);
  });

  test("keeps sockets open that answer each ping", async () => {
    const { hers, theirs } = await startCall();
    testing.stopSocketMaintenance();
    for (let beats = 0; beats < 4; beats += 1) {
      const beaten = [hers, theirs].map(({ socket }) => new Promise((resolve) => socket.once("ping", resolve)));
      testing.terminateOrPingSockets();
      await Promise.all(beaten);
      await Promise.all([hers.flush(), theirs.flush()]);
    }
    expect([hers.received, theirs.received]).toEqual([[], []]);
  });
});
