// Proves that whoever copied a session can't keep its owner from taking the account back, whatever was sent with it.
import { afterAll, afterEach, expect, test } from "vitest";
import { environmentOverrides } from "../support/environment-overrides.ts";
import { addPasskey, signInWithPasskey } from "../support/passkeys.ts";
import { signInAs } from "../support/people.ts";
import { startSmtpServer } from "../support/servers/smtp-server.ts";

const smtp = await startSmtpServer();
Object.assign(environmentOverrides, { RATE_LIMITS: "on", SMTP_URL: smtp.url });
const { adminEmail, adminPassword, consultant, db, family, origin, setNow, testing, visitor } =
  await import("../support/site.ts");
afterAll(() => smtp.stop());
afterEach(() => setNow(null));

test("the owner's new session is ended by no copied one that is more than ten minutes from its password, and ends it", async () => {
  const own = await family({ address: "127.0.82.1" });
  const thief = own.clone();
  setNow(() => new Date(Date.now() + 11 * 60_000));
  const owner = await signInAs(origin, own.email, own.password);
  const devices = async (client: typeof thief): Promise<{ id: number; current: boolean }[]> =>
    (await client.get("/api/auth/sessions")).json;
  const others = async (client: typeof thief) => (await devices(client)).find(({ current }) => !current)?.id ?? 0;
  const ended = await thief.delete(`/api/auth/sessions/${await others(thief)}`);
  expect([ended.status, ended.json.message]).toEqual([403, expect.stringContaining("sign in again")]);
  const path = "/dashboard/settings/devices";
  const asked = await thief.form(path, { id: String(await others(thief)) });
  expect([asked.status, asked.headers.location]).toEqual([
    302,
    `/confirm-identity?redirectTo=${encodeURIComponent(path)}`,
  ]);
  expect((await owner.get("/api/auth/me")).status).toBe(200);

  const late = await signInAs(origin, own.email, own.password);
  setNow(() => new Date(Date.now() + 22 * 60_000));
  await late.form("/confirm-identity", { password: own.password });
  const [first] = (await devices(late)).filter(({ current }) => !current);
  expect((await late.form(path, { id: String(first?.id) })).headers.location).toBe(path);
  const rest = (await devices(late)).filter(({ current }) => !current);
  for (const { id } of rest) expect((await late.delete(`/api/auth/sessions/${id}`)).status).toBe(200);
  for (const client of [thief, owner]) expect((await client.get("/api/auth/me")).status).toBe(401);
  const [last] = await devices(late);
  setNow(() => new Date(Date.now() + 40 * 60_000));
  expect((await late.delete(`/api/auth/sessions/${last?.id}`)).status).toBe(200);
});

test("the owner signs in and changes the password, which ends the thief's passkey and calendar link, and gets a reset mail", async () => {
  const own = await family({ address: "127.0.81.1", email: "chain@example.org", intake: true });
  const at = (ip: string) => Object.assign(visitor(), { ip });
  const thief = at("127.0.81.2");
  for (const [name, value] of own.cookies) thief.cookies.set(name, value);
  const { device } = await addPasskey(thief);
  const feed = new URL((await thief.post("/api/calendar-feed", {})).json.url as string).pathname;
  const person = await db.user.findUniqueOrThrow({ where: { id: own.id } });
  const { sid } = await db.session.findFirstOrThrow({ where: { userId: own.id } });
  const change = { pattern: "/comfort", method: "POST", readEntries: async () => null };
  while ((await testing.admitChange({ sid, person }, thief.ip, change)) === null);
  for (let times = 0; times < 5; times += 1) {
    const stranger = at("127.0.81.3");
    await stranger.post("/api/auth/forgot-password", { email: `chain+${times}@example.org` });
  }
  expect((await thief.form("/comfort", { comfort: "large" })).status).toBe(429);

  const owner = at("127.0.81.4");
  const [newPassword, current] = ["four yellow hills 88", own.password];
  expect((await owner.post("/api/auth/login", { email: own.email, password: current })).status).toBe(200);
  const passwords = { currentPassword: current, newPassword, confirmPassword: newPassword };
  expect((await owner.post("/api/auth/change-password", passwords)).status).toBe(200);
  expect((await thief.get("/api/auth/me")).status).toBe(401);
  expect((await owner.form("/comfort", { comfort: "large" })).status).toBe(302);
  const again = at("127.0.81.5");
  expect((await signInWithPasskey(again, device)).status).toBe(401);
  expect((await again.get("/api/intake-forms")).status).toBe(401);
  expect((await again.get(feed)).status).toBe(404);

  expect((await at("127.0.81.6").post("/api/auth/forgot-password", { email: own.email })).status).toBe(202);
  await testing.finishResetLinkMails();
  await testing.deliverDueMessages();
  expect(smtp.mails.filter(({ to }) => to === own.email).map(({ event }) => event)).toContain("password-reset");
});

const DAY_MS = 86_400_000;
const olderPasskey = (userId: number, daysAgo: number) =>
  db.passkey.create({
    data: {
      userId,
      name: "Old key",
      credentialId: `key${userId}-${daysAgo}`,
      publicKey: "-",
      createdAt: new Date(Date.now() - daysAgo * DAY_MS),
    },
  });
const passkeysOf = async (userId: number) =>
  (await db.passkey.findMany({ where: { userId }, orderBy: { id: "asc" } })).map(({ name }) => name);

test("a family keeps what it added lately where it says so, by page and API; else it ends, and what is older stays", async () => {
  const own = await family({ address: "127.0.82.1" });
  await olderPasskey(own.id, 31);
  await addPasskey(own, { name: "Mom's phone" });
  const feed = new URL((await own.post("/api/calendar-feed", {})).json.url as string).pathname;
  let currentPassword = own.password;
  const next = (newPassword: string) => {
    const fields = { currentPassword, newPassword, confirmPassword: newPassword };
    currentPassword = newPassword;
    return fields;
  };
  const page = await own.get("/dashboard/settings");
  expect(page.visibleText).toContain("Keep what was added in the last 30 days");
  expect(page.visibleText).toContain("Mom's phone, and the calendar link");
  expect(page.visibleText).not.toContain("Old key");
  await own.post("/api/auth/change-password", { ...next("four yellow hills 88"), keepAdded: true });
  await own.form("/dashboard/settings", { ...next("five yellow hills 88"), keepAdded: "on" });
  expect([await passkeysOf(own.id), (await visitor().get(feed)).status]).toEqual([["Old key", "Mom's phone"], 200]);
  expect((await own.form("/dashboard/settings", next("six yellow hills 88"))).status).toBe(302);
  expect([await passkeysOf(own.id), (await visitor().get(feed)).status]).toEqual([["Old key"], 404]);
  expect((await own.get("/dashboard/settings")).visibleText).not.toContain("Keep what was added");
});

test("the consultant's change of password ends a thief's passkey and link; her only second step stays", async () => {
  const admin = await consultant();
  const { id } = await db.user.findUniqueOrThrow({ where: { email: adminEmail } });
  await addPasskey(admin, { name: "Her own" });
  const thief = admin.clone();
  thief.ip = "127.0.82.2";
  const { device } = await addPasskey(thief, { name: "Thief's" });
  const feed = new URL((await thief.post("/api/calendar-feed", {})).json.url as string).pathname;
  const newPassword = "seven yellow hills 88";
  const fields = { currentPassword: adminPassword, newPassword, confirmPassword: newPassword };
  expect((await admin.form("/dashboard/settings", fields)).status).toBe(302);
  expect(await passkeysOf(id)).toEqual(["Her own"]);
  expect((await signInWithPasskey(visitor(), device)).status).toBe(401);
  expect((await visitor().get(feed)).status).toBe(404);
});
