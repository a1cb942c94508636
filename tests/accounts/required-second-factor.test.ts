// Proves that the consultant of a public site must set up a second factor, and have a long password, before she can use it.
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { codeOf, turnOnSecondFactor, wrongCodeOf } from "../support/authenticator-app.ts";
import { addPasskey, signInWithPasskey } from "../support/passkeys.ts";
import type { TestClient } from "../support/http-client.ts";
import { startServer } from "../support/servers/server-process.ts";
import { adminEmail, adminPassword, template } from "../support/site.ts";
import { PUBLIC_SITE } from "../support/test-environment.ts";

const HTTPS = { "X-Forwarded-Proto": "https" };

test("a passkey counts as the required second factor of a public site's consultant", async () => {
  const site = await startServer({ template, overrides: PUBLIC_SITE });
  const consultant = site.visitor();
  await consultant.form("/login", { email: adminEmail, password: adminPassword }, HTTPS);
  expect((await consultant.get("/dashboard", HTTPS)).headers.location).toBe("/second-factor");
  expect((await consultant.get("/passkeys", HTTPS)).visibleText).toContain("you also have your second step");
  const { id, device, recoveryCodes } = await addPasskey(consultant, {}, HTTPS);
  expect((await consultant.get("/dashboard", HTTPS)).status).toBe(200);
  const later = site.visitor();
  const alone = await later.post("/api/auth/login", { email: adminEmail, password: adminPassword }, HTTPS);
  expect([alone.status, alone.json.secondFactor]).toEqual([401, true]);
  const signedIn = await signInWithPasskey(later, device, HTTPS);
  expect([signedIn.status, [...later.cookies.keys()].toSorted()]).toEqual([
    200,
    ["__Host-known-device", "__Host-passkey", "__Host-session"],
  ]);
  const recovered = site.visitor();
  const fields = { email: adminEmail, password: adminPassword, code: recoveryCodes[0] };
  expect((await recovered.post("/api/auth/login", fields, HTTPS)).status).toBe(200);
  expect((await recovered.delete(`/api/auth/passkeys/${id}`, HTTPS)).status).toBe(200);
  expect((await recovered.get("/dashboard", HTTPS)).headers.location).toBe("/second-factor");
  expect((await later.get("/dashboard", HTTPS)).headers.location).toMatch(/^\/login/);
  site.kill("SIGTERM");
  expect(await site.ended).toBe(0);
});

test.each([
  ["an authenticator app", (client: TestClient) => turnOnSecondFactor(client, adminPassword, HTTPS)],
  ["a passkey", (client: TestClient) => addPasskey(client, {}, HTTPS)],
])("a session with only the password is ended once %s is set up in another session", async (_, setUp) => {
  const site = await startServer({ template, overrides: PUBLIC_SITE });
  const [attacker, consultant] = [site.visitor(), site.visitor()];
  for (const client of [attacker, consultant])
    await client.form("/login", { email: adminEmail, password: adminPassword }, HTTPS);
  expect((await attacker.get("/families", HTTPS)).headers.location).toBe("/second-factor");
  await setUp(consultant);
  expect((await consultant.get("/families", HTTPS)).status).toBe(200);
  for (const path of ["/families", "/second-factor", "/passkeys"])
    expect((await attacker.get(path, HTTPS)).headers.location).toMatch(/^\/login/);
  expect((await attacker.get("/api/auth/me", HTTPS)).status).toBe(401);
  site.kill("SIGTERM");
  expect(await site.ended).toBe(0);
});

test("a public site's consultant must set up the second factor first; guessing its codes is rate limited", async () => {
  const site = await startServer({ template, overrides: PUBLIC_SITE });
  const consultant = site.visitor();
  const signedIn = await consultant.form("/login", { email: adminEmail, password: adminPassword }, HTTPS);
  expect([signedIn.status, signedIn.headers.location]).toEqual([302, "/second-factor"]);

  for (const path of ["/dashboard", "/families", "/documents", "/documents/archive.zip", "/login"])
    expect([path, (await consultant.get(path, HTTPS)).headers.location]).toEqual([path, "/second-factor"]);
  for (const path of [
    "/api/auth/me",
    "/api/appointments",
    "/api/documents",
    "/api/appointments/availability?date=2030-01-07&time=10:00&duration=60",
  ])
    expect([path, (await consultant.get(path, HTTPS)).status]).toEqual([path, 401]);
  expect((await consultant.post("/api/documents", {}, HTTPS)).status).toBe(401);
  const page = await consultant.get("/second-factor", HTTPS);
  expect(page.visibleText).toContain("Before you go on");

  const { secret } = await turnOnSecondFactor(consultant, adminPassword);
  expect((await consultant.get("/api/auth/me", HTTPS)).json.isAdmin).toBe(true);
  expect((await consultant.get("/dashboard", HTTPS)).status).toBe(200);

  const stranger = site.visitor();
  const attempt = (code: string) =>
    stranger.post("/api/auth/login", { email: adminEmail, password: adminPassword, code }, HTTPS);
  const statuses = [];
  for (let tries = 0; tries < 11; tries += 1) statuses.push((await attempt(wrongCodeOf(secret))).status);
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
  expect((await attempt(codeOf(secret))).status).toBe(429);
  site.kill("SIGTERM");
  expect(await site.ended).toBe(0);
});

test("a consultant who has only begun to set up the second factor still can't use a public site", async () => {
  const site = await startServer({ template, overrides: PUBLIC_SITE });
  const consultant = site.visitor();
  await consultant.form("/login", { email: adminEmail, password: adminPassword }, HTTPS);
  expect((await consultant.post("/api/auth/second-factor", { password: adminPassword }, HTTPS)).status).toBe(201);
  for (const path of ["/dashboard", "/families"])
    expect([path, (await consultant.get(path, HTTPS)).headers.location]).toEqual([path, "/second-factor"]);
  site.kill("SIGTERM");
  expect(await site.ended).toBe(0);
});

const email = "first@example.com";
const short = "kettle 2";

/** A public site with the data of a local one, on which the consultant had a short password and did `before`. */
async function moveToPublicSite(before: (consultant: TestClient) => Promise<unknown> = async () => {}) {
  const local = await startServer({ template, overrides: { ADMIN_EMAIL: email, ADMIN_PASSWORD: short } });
  await local.waitForOutput(/A public site would refuse it/);
  const consultant = local.visitor();
  await consultant.form("/login", { email, password: short });
  await before(consultant);
  local.kill("SIGTERM");
  expect(await local.ended).toBe(0);
  const { DATABASE_URL, DATA_DIR } = local.environment;
  return startServer({ template, overrides: { ...PUBLIC_SITE, DATABASE_URL, DATA_DIR, ADMIN_EMAIL: email } });
}

test("a consultant whose short password was set on a local site must choose a longer one on the public site first", async () => {
  const site = await moveToPublicSite();
  const consultant = site.visitor();
  const refused = await consultant.post("/api/auth/login", { email, password: short }, HTTPS);
  expect([refused.status, refused.json.message]).toEqual([403, expect.stringContaining("too weak")]);
  const signedIn = await consultant.form("/login", { email, password: short }, HTTPS);
  const link = signedIn.headers.location ?? "";
  expect(link).toMatch(/^\/reset-password\/[\w-]+$/);
  expect([...consultant.cookies.keys()]).toEqual([]);
  expect((await consultant.get("/second-factor", HTTPS)).headers.location).toMatch(/^\/login/);
  expect((await consultant.get(link, HTTPS)).visibleText).toMatch(/choose a longer password.*At least 12 characters/);
  const choose = (newPassword: string) => consultant.form(link, { newPassword, confirmPassword: newPassword }, HTTPS);
  expect((await choose("kettle 3")).status).toBe(422);
  expect((await choose(adminPassword)).headers.location).toBe("/dashboard");
  expect((await consultant.get("/dashboard", HTTPS)).headers.location).toBe("/second-factor");
  const { recoveryCodes } = await turnOnSecondFactor(consultant, adminPassword);
  const later = await site.visitor().form("/login", { email, password: adminPassword }, HTTPS);
  expect([recoveryCodes.length > 0, later.headers.location]).toEqual([true, "/login/code"]);
  site.kill("SIGTERM");
  expect(await site.ended).toBe(0);
});

test("the required longer password keeps the authenticator app, the recovery codes and the calendar link", async () => {
  let app = { secret: "", recoveryCodes: [""] };
  let calendar = "";
  const site = await moveToPublicSite(async (local) => {
    app = await turnOnSecondFactor(local, short);
    calendar = new URL((await local.post("/api/calendar-feed", {})).json.url).pathname;
  });
  const consultant = site.visitor();
  const signIn = async (password: string, code: string) => {
    const first = await consultant.form("/login", { email, password }, HTTPS);
    expect(first.headers.location).toBe("/login/code");
    return (await consultant.form("/login/code", { code }, HTTPS)).headers.location ?? "";
  };
  const link = await signIn(short, codeOf(app.secret));
  const { visibleText } = await consultant.get(link, HTTPS);
  const fields = { newPassword: adminPassword, confirmPassword: adminPassword };
  expect((await consultant.form(link, fields, HTTPS)).headers.location).toBe("/login?changed");
  expect((await consultant.form(link, fields, HTTPS)).status).toBe(410);
  await signIn(adminPassword, app.recoveryCodes[0] ?? "");
  expect((await consultant.get("/dashboard", HTTPS)).status).toBe(200);
  expect((await site.visitor().get(calendar, HTTPS)).status).toBe(200);
  expect(visibleText).toContain(
    "an authenticator app, its recovery codes, passkeys and the calendar link stay as they are.",
  );
  site.kill("SIGTERM");
  expect(await site.ended).toBe(0);
});

test("the link to the required longer password ends with the access that it began with", async () => {
  let app = { secret: "", recoveryCodes: [""] };
  const site = await moveToPublicSite(async (local) => {
    app = await turnOnSecondFactor(local, short);
  });
  const database = new Database((site.environment.DATABASE_URL ?? "").slice("file:".length));
  const thief = site.visitor();
  const signIn = async (code: string | undefined) => {
    await thief.form("/login", { email, password: short }, HTTPS);
    return thief.form("/login/code", { code: code ?? "" }, HTTPS);
  };
  const link = (await signIn(app.recoveryCodes[0])).headers.location ?? "";
  expect((await thief.get(link, HTTPS)).status).toBe(200);
  database.exec(`UPDATE "users" SET "accessVersion" = "accessVersion" + 1`);
  expect((await thief.get(link, HTTPS)).status).toBe(410);
  const fields = { newPassword: adminPassword, confirmPassword: adminPassword };
  expect((await thief.form(link, fields, HTTPS)).status).toBe(410);
  // Access ends while the sign-in is in progress, before it gets its link.
  database.exec(`CREATE TRIGGER "ended" AFTER DELETE ON "recovery_codes" BEGIN
    UPDATE "users" SET "accessVersion" = "accessVersion" + 1; END`);
  const late = await signIn(app.recoveryCodes[1]);
  expect([late.status, late.visibleText.includes("Please sign in again.")]).toEqual([401, true]);
  database.close();
  site.kill("SIGTERM");
  expect(await site.ended).toBe(0);
});
