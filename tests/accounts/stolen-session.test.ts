// Proves that whoever copied a session can't keep its owner from taking the account back, whatever was sent with it.
import { afterAll, expect, test } from "vitest";
import { environmentOverrides } from "../support/environment-overrides.ts";
import { addPasskey, signInWithPasskey } from "../support/passkeys.ts";
import { startSmtpServer } from "../support/servers/smtp-server.ts";

const smtp = await startSmtpServer();
Object.assign(environmentOverrides, { RATE_LIMITS: "on", SMTP_URL: smtp.url });
const { db, family, origin, testing, visitor } = await import("../support/site.ts");
afterAll(() => smtp.stop());

test("the owner signs in, changes the password, removes the thief's passkey and calendar link, and gets a reset mail", async () => {
  const own = await family({ address: "127.0.81.1", email: "chain@example.org", intake: true });
  const at = (ip: string) => Object.assign(visitor(), { ip });
  const thief = at("127.0.81.2");
  for (const [name, value] of own.cookies) thief.cookies.set(name, value);
  const { device, id } = await addPasskey(thief);
  const feed = new URL((await thief.post("/api/calendar-feed", {})).json.url as string).pathname;
  const person = await db.user.findUniqueOrThrow({ where: { id: own.id } });
  const { sid } = await db.session.findFirstOrThrow({ where: { userId: own.id } });
  const change = { pattern: "/comfort", method: "POST", body: null };
  while ((await testing.admitChange({ sid, person }, thief.ip, change)) === null);
  for (let times = 0; times < 5; times += 1) {
    const stranger = at("127.0.81.3");
    await stranger.post("/api/auth/forgot-password", { email: `chain+${times}@example.org` });
  }
  expect((await thief.form("/comfort", { comfort: "large" })).status).toBe(429);

  const owner = at("127.0.81.4");
  const send = async (method: string, path: string) => {
    const headers = { Origin: origin, "Content-Type": "application/json" };
    return (await owner.request(method, path, { headers, body: "{}" })).status;
  };
  const [newPassword, current] = ["four yellow hills 88", own.password];
  expect((await owner.post("/api/auth/login", { email: own.email, password: current })).status).toBe(200);
  const passwords = { currentPassword: current, newPassword, confirmPassword: newPassword };
  expect((await owner.post("/api/auth/change-password", passwords)).status).toBe(200);
  expect((await thief.get("/api/auth/me")).status).toBe(401);
  expect(await send("DELETE", `/api/auth/passkeys/${id}`)).toBe(200);
  expect(await send("DELETE", "/api/calendar-feed")).toBe(200);
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
