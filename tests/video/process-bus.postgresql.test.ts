// Proves that messages between processes about calls can be neither read nor forged in the database.
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { chatText } from "../../app/video/signaling-protocol.ts";
import { TestClient } from "../support/http-client.ts";
import { startServer } from "../support/servers/server-process.ts";
import { closeAllSockets, connectSignaling } from "../support/signaling-client.ts";
import { consultant, db, environment, family } from "../support/site.ts";

// After the settings of the site, whose keys it reads.
const { encryptText } = await import("../../app/db/text-encryption.server.ts");
const MINUTE_MS = 60_000;
const COLUMN = "call_signals.news";
const CANARY = "Leo sleeps better";

let other: Awaited<ReturnType<typeof startServer>>;
const consulting = await consultant();
const listener = new pg.Client({ connectionString: environment.DATABASE_URL });

beforeAll(async () => {
  other = await startServer({ overrides: { DATABASE_URL: environment.DATABASE_URL } });
  // What the receiving process deletes at once, as whoever reads along in the database sees it.
  await listener.connect();
  await listener.query(`
    CREATE TABLE seen (process text, news text);
    CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN INSERT INTO seen VALUES (NEW.process, NEW.news); RETURN NULL; END $$;
    CREATE TRIGGER see AFTER INSERT ON call_signals FOR EACH ROW EXECUTE FUNCTION see()`);
});

afterAll(async () => {
  await listener.end();
  other.kill("SIGTERM");
  await other.ended;
});

let call: Awaited<ReturnType<typeof startCallAcross>>;
beforeEach(async () => void (call = await startCallAcross()));
afterEach(closeAllSockets);

/** A family at this process and the consultant at the other, in one room. */
async function startCallAcross() {
  await db.appointment.updateMany({ data: { status: "cancelled" } });
  const maria = await family();
  const appointmentDate = new Date(Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS);
  const fields = { title: "Hourly Consulting", type: "consultation", isLiveVideoCall: true, appointmentDate };
  const { id: room } = await db.appointment.create({ data: { ...fields, userId: maria.id } });
  const theirs = await connectSignaling(maria, room);
  await theirs.join();
  const there = new TestClient(other.origin);
  for (const [name, value] of consulting.cookies) there.cookies.set(name, value);
  const hers = await connectSignaling(there, room);
  await hers.join();
  await theirs.next("user-joined");
  const presences = await db.callPresence.findMany({ where: { appointmentId: room } });
  const presenceOf = (role: string) => presences.find((each) => each.role === role)!;
  return { room, theirs, hers, client: presenceOf("client"), admin: presenceOf("admin") };
}

/** Puts a message where the family's process finds it. */
async function write(news: string): Promise<void> {
  await db.$executeRaw`INSERT INTO call_signals (process, news, "createdAt")
    VALUES (${call.client.processId}, ${news}, timezone('UTC', now()))`;
}

/** All that the family has heard once a message that the consultant sends has come. */
async function receivedBefore(text: string): Promise<unknown[]> {
  call.hers.sendType("chat", { text });
  for (;;) {
    const { payload } = await call.theirs.next("chat");
    if (chatText(payload) === text) return call.theirs.received;
    call.theirs.received.push({ type: "chat", payload } as (typeof call.theirs.received)[number]);
  }
}

test("a reader of the database sees only encrypted messages, and notifications with only a number", async () => {
  const notifications: string[] = [];
  listener.on("notification", ({ payload }) => notifications.push(payload ?? ""));
  for (const { processId } of [call.client, call.admin]) await listener.query(`LISTEN "call_${processId}"`);
  expect(await receivedBefore(CANARY)).toEqual([]);
  const { rows } = await listener.query<{ news: string }>("SELECT news FROM seen");
  expect(rows.length).toBeGreaterThan(1);
  for (const { news } of rows) expect(news).toMatch(/^sealed:1:tests:[\w-]{50,}$/);
  await expect.poll(() => notifications.length).toBeGreaterThan(0);
  for (const payload of notifications) expect(payload).toMatch(/^\d+$/);
});

test("a message encrypted with the site's key is accepted and ends the call", async () => {
  await write(encryptText(JSON.stringify({ kind: "ended", appointmentId: call.room }), COLUMN));
  expect(await call.theirs.closed).toMatchObject({ code: 4002 });
});

test("messages forged in the database are dropped: no call ends and nothing is relayed", async () => {
  const { room, client, admin } = call;
  const text = JSON.stringify({ type: "chat", appointmentId: room, from: "admin", payload: { text: "Forged." } });
  const ended = JSON.stringify({ kind: "ended", appointmentId: room });
  const relayed = JSON.stringify({ kind: "relayed", appointmentId: room, from: admin.id, to: client.id, text });
  const sealed = encryptText(ended, COLUMN);
  const altered = sealed.slice(0, -4) + (sealed.endsWith("AAAA") ? "BBBB" : "AAAA");
  const forged = [ended, relayed, "{", "", altered, encryptText(relayed, "family_notes.text"), "sealed:1:tests:AAAA"];
  for (const news of forged) await write(news);
  expect(await receivedBefore("Still there?")).toEqual([]);
  expect(await db.callSignal.count()).toBe(0);
});

test("a valid message is relayed even when it is read together with forged messages", async () => {
  const { room, client, admin } = call;
  const text = JSON.stringify({ type: "chat", appointmentId: room, from: "admin", payload: { text: "True." } });
  const relayed = JSON.stringify({ kind: "relayed", appointmentId: room, from: admin.id, to: client.id, text });
  const rows = ["{", "sealed:1:tests:AAAA", encryptText(relayed, COLUMN)];
  await db.$executeRaw`INSERT INTO call_signals (process, news, "createdAt")
    SELECT ${client.processId}, news, timezone('UTC', now()) FROM unnest(${rows}::text[]) AS t(news)`;
  expect(await call.theirs.next("chat")).toMatchObject({ payload: { text: "True." } });
});

test("a valid message of a tab that no longer has its place in the call is not relayed", async () => {
  const { room, client } = call;
  const text = JSON.stringify({ type: "chat", appointmentId: room, from: "admin", payload: { text: "Too late." } });
  const relayed = { kind: "relayed", appointmentId: room, from: "replaced-tab", to: client.id, text };
  await write(encryptText(JSON.stringify(relayed), COLUMN));
  expect(await receivedBefore("Still there?")).toEqual([]);
});
