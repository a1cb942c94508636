// Proves that a public practice's consultant gets nowhere before the second step is set up.
import { expect, test } from "vitest";
import { codeOf, turnOnSecondFactor, wrongCodeOf } from "../support/authenticator-app.ts";
import { startServer } from "../support/servers/server-process.ts";
import { adminEmail, adminPassword, template } from "../support/site.ts";

const HTTPS = { "X-Forwarded-Proto": "https" };
const OVERRIDES = {
  APP_ORIGIN: "https://practice.example",
  RATE_LIMITS: "on",
  PAYMENTS: "off",
  VISITOR_ADDRESS_HEADER: "none",
};

test("the consultant of a public practice sets up the second step first, and it can't be guessed", async () => {
  const site = await startServer({ template, overrides: OVERRIDES });
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
