// Proves who gets relay credentials, when, and for how long.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { environmentOverrides } from "../support/environment-overrides.ts";
import { findCoturn } from "../support/servers/coturn.js";
import { startTurnServer } from "../support/servers/turn-server.ts";

const turn = await startTurnServer();
Object.assign(environmentOverrides, { TURN_URLS: `turn:127.0.0.1:${turn.port}`, TURN_SECRET: turn.secret });
const { consultant, db, family, setTestClock } = await import("../support/site.ts");
const { startVideoAppointment: meeting } = await import("../support/call-scenarios.ts");
const { closeAllSockets: hangUp, connectSignaling: talk } = await import("../support/signaling-client.ts");

type IceServer = { urls: string[]; username: string; credential: string };

const MINUTE = 60_000;

/** The relay goes by the real clock: a visit so many minutes from now. */
async function visitAt(userId: number, minutes: number): Promise<number> {
  const appointmentDate = new Date((Math.floor(Date.now() / MINUTE) + minutes) * MINUTE);
  const fields = { title: "Hourly Consulting", type: "consultation", duration: 15, isLiveVideoCall: true };
  return (await db.appointment.create({ data: { ...fields, userId, appointmentDate } })).id;
}

afterEach(async () => {
  await hangUp();
  setTestClock(null);
});
afterAll(() => turn.stop());

/** What coturn's own client says of a name and password: two peers, one message each way through the relay. */
async function relayed({ username, credential }: IceServer, port = turn.port): Promise<string> {
  const program = path.join(path.dirname(findCoturn() ?? ""), "turnutils_uclient");
  const words = ["-y", "-c", "-m", "1", "-n", "1", "-u", username, "-w", credential, "-p", String(port)];
  const child = spawn(program, [...words, "127.0.0.1"], { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part: Buffer) => (output += part.toString()));
  await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  return output;
}

/** The consultant at work in the room of this visit, until the test is over. */
async function consultantIn(id: number) {
  const page = await talk(await consultant(), id);
  await page.join();
  return page;
}

async function relayOf(client: Awaited<ReturnType<typeof family>>, id: number): Promise<IceServer> {
  const response = await client.get(`/video-call/${id}/connection`);
  expect(response.status).toBe(200);
  const { iceServers } = response.json as { iceServers: IceServer[] };
  // No other server learns a family's address.
  expect(iceServers[0]?.urls).toEqual([`stun:127.0.0.1:${turn.port}`]);
  return iceServers[1] as IceServer;
}

describe("the TURN relay", () => {
  test("is the only server that the privacy policy names for network addresses", async () => {
    const words = (await (await family()).get("/privacy-policy")).visibleText;
    expect(words).toContain("each device asks 127.0.0.1 for its own network address");
    expect(words).not.toMatch(/cloudflare|google/);
  });

  test("accepts credentials issued for this person and visit for an hour, and rejects altered ones", async () => {
    const maria = await family();
    const id = await visitAt(maria.id, 0);
    await consultantIn(id);
    const server = await relayOf(maria, id);
    const [end = "", whom] = server.username.split(":");
    const seconds = Number(end) - Date.now() / 1000;
    expect([seconds > 3000, seconds <= 3600, whom]).toEqual([true, true, `${id}-${maria.id}`]);
    expect(await relayed(server)).toMatch(/tot_recv_msgs=2\b/);
    expect(await relayed({ ...server, credential: "made-up" })).toMatch(/Cannot complete Allocation/);
    expect(await relayed({ ...server, username: `${Number(end) + 60}:${whom}` })).toMatch(/Cannot complete Allocation/);
  });

  test("rejects credentials whose hour is over", async () => {
    const maria = await family();
    const id = await visitAt(maria.id, -61);
    setTestClock(() => new Date(Date.now() - 61 * MINUTE));
    const past = await family();
    await db.appointment.update({ where: { id }, data: { userId: past.id } });
    await consultantIn(id);
    expect(await relayed(await relayOf(past, id))).toMatch(/Cannot complete Allocation/);
  });

  test("does not relay to forbidden peer addresses with the settings in docs/operations.md", async () => {
    const page = readFileSync(path.join(import.meta.dirname, "../../docs/operations.md"), "utf8");
    const denied = page.split("\n").filter((line) => line.startsWith("denied-peer-ip="));
    expect(denied).toEqual(
      expect.arrayContaining([expect.stringContaining("169.254."), expect.stringContaining("10.0.")]),
    );
    const maria = await family();
    const id = await visitAt(maria.id, -17);
    await consultantIn(id);
    const restrictedTurn = await startTurnServer(denied);
    try {
      expect(await relayed(await relayOf(maria, id), restrictedTurn.port)).toMatch(/Forbidden IP/);
    } finally {
      await restrictedTurn.stop();
    }
  });

  test("credentials are issued only while the consultant is in the room, and never in the page", async () => {
    const { maria, consulting, appointment } = await meeting(0);
    const path = `/video-call/${appointment.id}/connection`;
    const has = async (client: typeof maria | typeof consulting) => {
      const response = await client.get(path);
      expect([response.status, response.text.includes("stun:")]).toEqual([200, true]);
      return response.text.includes("credential");
    };
    expect([await has(maria), await has(consulting)]).toEqual([false, false]);
    const waiting = await talk(maria, appointment.id);
    await waiting.join({ waiting: true });
    const testing = await talk(consulting, appointment.id);
    await testing.join({ waiting: true });
    expect([await has(maria), await has(consulting)]).toEqual([false, false]);
    await testing.join();
    expect([await has(maria), await has(consulting)]).toEqual([true, true]);
    for (const client of [maria, consulting])
      expect((await client.get(`/video-call/${appointment.id}`)).text).not.toMatch(/credential/);
    expect((await (await family()).get(path)).status).toBe(404);
    testing.sendType("leave-room");
    await expect.poll(() => has(maria)).toBe(false);
  });

  test("credentials are not issued before the room opens (403), nor to another family (404)", async () => {
    const { maria, consulting, appointment } = await meeting(-11);
    const missing = await (await family()).get(`/video-call/${appointment.id}/connection`);
    expect(missing.status).toBe(404);
    for (const client of [maria, consulting]) {
      const response = await client.get(`/video-call/${appointment.id}/connection`);
      expect([response.status, response.text.includes("credential")]).toEqual([403, false]);
    }
  });
});
