// Proves which invalid settings stop the startup with a one-line reason, and that the first startup is complete.
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { expect, test } from "vitest";
import { resolveStunUrls } from "../../app/env-schema.server.ts";
import { freePort } from "../support/free-port.ts";
import { createPeople } from "../support/people.ts";
import { type Environment, runCommand, spawnProcess } from "../support/servers/server-process.ts";
import { adminEmail, adminPassword, PUBLIC_SITE, testEnvironment } from "../support/test-environment.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const started = async (changes: Environment) =>
  runCommand(["server.ts"], { DATA_DIR: temporaryFolder("settings"), PORT: String(await freePort()), ...changes });

const refusal = async (changes: Environment) => {
  const { code, output } = await started(changes);
  expect(code).toBe(1);
  return output.trim().split("\n");
};

test("each invalid setting stops the startup with a line of its own", async () => {
  expect(
    await refusal({
      PORT: "70000",
      APP_ORIGIN: "https://practice.example/portal",
      DATABASE_URL: "mysql://localhost/practice",
      ADMIN_EMAIL: "the consultant",
      ADMIN_PASSWORD: "short",
      PRACTICE_TIME_ZONE: "Mars/Base",
      PRACTICE_MEETING_PLACE: "12 Broad Street\nLong Branch",
      PRACTICE_TAX_ID: "as above",
      PAYMENTS: "yes",
      RATE_LIMITS: "maybe",
    }),
  ).toEqual([
    "PORT must be a port number",
    "APP_ORIGIN must be an origin such as https://www.example.com, without a path",
    "DATABASE_URL must begin with file: or postgresql://",
    "ADMIN_EMAIL must be an email address",
    "ADMIN_PASSWORD must have at least 6 characters",
    "PRACTICE_TIME_ZONE must be a time zone name such as America/New_York",
    "PRACTICE_MEETING_PLACE must be one line",
    "PRACTICE_TAX_ID must be a tax number such as 12-3456789",
    "PAYMENTS must be square, simulator or off",
    "RATE_LIMITS must be on or off",
  ]);
});

const WHICH_HEADER =
  "is required when APP_ORIGIN is public: the header in which the proxy in front names the visitor, such as X-Forwarded-For, or none where there is no proxy";

test("a public site without a valid VISITOR_ADDRESS_HEADER does not start, with a one-line error", async () => {
  const complete = {
    APP_ORIGIN: "https://practice.example",
    SESSION_SECRET: "a-secret-for-tests-that-is-long-enough",
    ADMIN_EMAIL: adminEmail,
    ADMIN_PASSWORD: adminPassword,
  };
  for (const VISITOR_ADDRESS_HEADER of ["", "  "]) {
    expect(await refusal({ ...complete, VISITOR_ADDRESS_HEADER })).toEqual([`VISITOR_ADDRESS_HEADER ${WHICH_HEADER}`]);
  }
  expect(await refusal({ ...complete, VISITOR_ADDRESS_HEADER: "X Real IP" })).toEqual([
    "VISITOR_ADDRESS_HEADER must be the name of a header, such as X-Forwarded-For, or none",
  ]);
});

test("a public site requires https, secrets, an admin account, real payments and rate limits", async () => {
  expect(await refusal({ APP_ORIGIN: "http://practice.example", PAYMENTS: "simulator", RATE_LIMITS: "off" })).toEqual([
    "APP_ORIGIN must be https when it is public",
    "SESSION_SECRET is required when APP_ORIGIN is public",
    "ADMIN_EMAIL is required when APP_ORIGIN is public",
    "ADMIN_PASSWORD is required when APP_ORIGIN is public",
    `VISITOR_ADDRESS_HEADER ${WHICH_HEADER}`,
    "PAYMENTS must not be simulator when APP_ORIGIN is public",
    "RATE_LIMITS must be on when APP_ORIGIN is public",
  ]);
});

test("a public site does not start with an ADMIN_PASSWORD of fewer than 12 characters", async () => {
  const folder = temporaryFolder("settings");
  const lines = await refusal({
    ...(await testEnvironment(`file:${path.join(folder, "app.db")}`, folder)),
    ...PUBLIC_SITE,
    ADMIN_PASSWORD: "eleven char",
  });
  expect(lines.at(-1)).toMatch(/^ADMIN_PASSWORD: .* must be at least 12 characters\.$/);
});

test("PORT 0 is refused", async () => {
  expect(await refusal({ PORT: "0" })).toEqual(["PORT must be a port number"]);
});

test("AUDIT_YEARS must be a whole number from 1 to 100", async () => {
  for (const AUDIT_YEARS of ["0", "2.5", "101", "six"])
    expect(await refusal({ AUDIT_YEARS })).toEqual([expect.stringMatching(/^AUDIT_YEARS /)]);
});

test("a malformed CLAMAV_URL is refused", async () => {
  for (const CLAMAV_URL of [
    "localhost",
    "127.0.0.1:0",
    "127.0.0.1:65536",
    "http://127.0.0.1:3310",
    "clamav://127.0.0.1:3310",
    "tcp://127.0.0.1",
    "tcp://127.0.0.1:3310/",
    "tcp:///127.0.0.1:3310",
    "tcp:127.0.0.1:3310",
    "tcp://user:password@127.0.0.1:3310",
    "unix:clamd.ctl",
    "unix://clamd.ctl",
    "unix://run/clamav/clamd.ctl",
    "unix:////run/clamav/clamd.ctl",
  ])
    expect(await refusal({ CLAMAV_URL })).toEqual([
      "CLAMAV_URL must look like tcp://127.0.0.1:3310 or unix:///run/clamav/clamd.ctl",
    ]);
});

test("CLOSED_ACCOUNT_YEARS and REQUEST_MONTHS must be whole numbers within their limits", async () => {
  for (const [name, values] of [
    ["CLOSED_ACCOUNT_YEARS", ["0", "1.5", "101", "never"]],
    ["REQUEST_MONTHS", ["0", "-1", "1201", "1 year"]],
  ] as const)
    for (const value of values)
      expect(await refusal({ [name]: value })).toEqual([expect.stringMatching(new RegExp(`^${name} `))]);
});

test("the error for a DATA_DIR that can't be written to names the path", async () => {
  const file = path.join(temporaryFolder("settings"), "a-file");
  writeFileSync(file, "");
  expect(await refusal({ DATA_DIR: file })).toEqual([
    `DATA_DIR must be a folder that this account can write to; ${file} is not (EEXIST).`,
  ]);
});

test("the error for a port that is in use names the port", async () => {
  const other = createServer();
  const port = await freePort();
  await new Promise<void>((resolve) => other.listen(port, "127.0.0.1", resolve));
  const lines = await refusal({ PORT: String(port) });
  other.close();
  expect(lines).toEqual([`PORT ${port} is in use on 127.0.0.1. End the program that has it, or set another PORT.`]);
});

test("on the first startup the consultant can sign in as soon as /healthz responds with 200", async () => {
  const folder = temporaryFolder("settings");
  const environment = await testEnvironment(`file:${path.join(folder, "app.db")}`, folder);
  // On one's own machine a short one is warned of, no more.
  const ADMIN_PASSWORD = "kettle 2";
  const site = spawnProcess(process.cwd(), process.execPath, ["server.ts"], { ...environment, ADMIN_PASSWORD });
  const { visitor } = createPeople(environment.APP_ORIGIN, environment.PORT);
  let isAwake = false;
  void site.ended.then(() => (isAwake = true));
  while (!isAwake) {
    isAwake = await visitor()
      .get("/healthz")
      .then(
        ({ status }) => status === 200,
        () => isAwake,
      );
  }
  const response = await visitor().post("/api/auth/login", { email: adminEmail, password: ADMIN_PASSWORD });
  expect([response.status, response.json.isAdmin]).toEqual([200, true]);
  await site.waitForOutput(/ADMIN_PASSWORD\. A public site would refuse it/);
  site.kill("SIGTERM");
  await site.ended;
});

test("STUN servers are the practice's own TURN hosts by default; public servers only when it has none", () => {
  const turnUrls = ["turn:turn.practice.example:3478", "turn:turn.practice.example:3478?transport=tcp"].concat([
    "turns:turn.practice.example:5349",
    "turn:backup.practice.example",
  ]);
  const own = ["stun:turn.practice.example:3478", "stun:backup.practice.example"];
  expect(resolveStunUrls(undefined, turnUrls)).toEqual(own);
  expect(resolveStunUrls("stun:a.example,stun:b.example:3478", turnUrls)).toEqual([
    "stun:a.example",
    "stun:b.example:3478",
  ]);
  expect(resolveStunUrls("stun:a.example", [])).toEqual(["stun:a.example"]);
  const shared = ["stun:stun.cloudflare.com:3478", "stun:stun.l.google.com:19302"];
  expect(resolveStunUrls(undefined, [])).toEqual(shared);
  expect(resolveStunUrls("none", [])).toEqual([]);
  expect(resolveStunUrls("none", turnUrls)).toEqual([]);
});
