// Proves that a changed provider script on the payment page is a warning until the consultant marks it as seen.
import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { environmentOverrides } from "../support/environment-overrides.ts";
import type { TestClient } from "../support/http-client.ts";
import { startFakeSquare } from "../support/servers/fake-square.ts";

const SCRIPT_URL = "https://sandbox.web.squarecdn.com/v1/square.js";
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let time = new Date("2026-11-20T15:00:00Z");
const square = await startFakeSquare({ now: () => time });
Object.assign(environmentOverrides, {
  PAYMENTS: "square",
  SQUARE_ENVIRONMENT: "sandbox",
  SQUARE_APPLICATION_ID: "sandbox-application",
  SQUARE_LOCATION_ID: "L1",
  SQUARE_ACCESS_TOKEN: "stand-in-token",
});
const { consultant, db, family, setTestClock, testing } = await import("../support/site.ts");
const job = testing.JOBS.find(({ name }) => name === "checking the payment script")!;

let admin: TestClient;
let fetched: string[] = [];

beforeAll(async () => {
  await testing.stopJobs();
  setTestClock(() => time);
  const realFetch = globalThis.fetch;
  // The address is Square's; what answers is the stand-in.
  vi.spyOn(globalThis, "fetch").mockImplementation((input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (!url.includes("squarecdn")) return realFetch(input, init);
    fetched.push(url);
    return realFetch(new URL(new URL(url).pathname, square.url), init);
  });
  admin = await consultant();
});
afterAll(() => square.stop());
beforeEach(() => {
  fetched = [];
});

const serve = (text: string) => square.serveCardForm((response) => void response.end(text));
const check = async () => job.run(new AbortController().signal);
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const versions = () => db.paymentScript.findMany({ orderBy: { id: "asc" } });
const recorded = (action: string) => db.auditEntry.count({ where: { action } });
const hashes = async () => (await versions()).map((each) => each.sha256);

/** Lets a day pass, has the script checked, and returns what the card payment's row of the system status says. */
async function nextDay(milliseconds = DAY_MS): Promise<string> {
  time = new Date(time.getTime() + milliseconds);
  await check();
  return statusLine();
}

async function statusLine(): Promise<string> {
  // Sessions of the day before have ended.
  admin = await consultant();
  await testing.refreshWarnings();
  const { document } = await admin.get("/system-status");
  const rows = [...document.querySelectorAll("main .rows > li")];
  const row = rows.find((each) => each.textContent?.includes("Square takes cards"));
  if (!row) throw new Error("The system status has no row of the card payment.");
  return (row.textContent ?? "").replace(/\s+/g, " ");
}

async function markAsSeen() {
  const { document } = await admin.get("/system-status");
  const upTo = document.querySelector("main input[name=upTo]")?.getAttribute("value") ?? "";
  return admin.form("/system-status", { upTo });
}

const CHANGED = "The card provider’s script on your payment page changed";

test("the first script's hash is stored as accepted, without a warning", async () => {
  serve("first();");
  expect(await check()).toBe(DAY_MS);
  expect(fetched).toEqual([SCRIPT_URL]);
  expect(await versions()).toMatchObject([
    { url: SCRIPT_URL, sha256: sha256("first();"), firstSeenAt: time, acceptedAt: time },
  ]);
  expect(await statusLine()).not.toContain("script");
  expect((await markAsSeen()).headers.location).toBe("/system-status");
  expect(await recorded("payment-script-accepted")).toBe(0);
});

test("the script is requested at most once an hour, and an unchanged script causes no warning", async () => {
  expect(await check()).toBe(HOUR_MS);
  expect(fetched).toEqual([]);
  expect(await nextDay()).not.toContain("script");
  expect(await versions()).toMatchObject([{ firstSeenAt: new Date(time.getTime() - DAY_MS), lastSeenAt: time }]);
});

describe("a script change", () => {
  test("is shown on the dashboard, and with instructions in the system status, and gets one audit log entry", async () => {
    serve("second();");
    const line = await nextDay();
    expect(line).toContain("needs attention");
    expect(line).toContain(`${CHANGED} on Sun, Nov 22, 2026`);
    expect(line).toContain("PAYMENTS=off");
    expect(line).toContain("Mark as seen");
    expect((await admin.get("/dashboard")).visibleText).toContain(CHANGED);
    expect(await recorded("payment-script-changed")).toBe(1);
    expect((await admin.get("/activity?kind=practice")).visibleText).toContain(
      "found another script on the payment page",
    );
    expect(await nextDay()).toContain(`${CHANGED} on Sun, Nov 22, 2026`);
    expect(await recorded("payment-script-changed")).toBe(1);
  });

  test("followed by another one counts as two; marking as seen covers only the changes that were shown", async () => {
    const [shown] = (await versions()).filter(({ acceptedAt }) => acceptedAt === null);
    serve("third();");
    expect(await nextDay()).toContain(`${CHANGED} 2 times, last on Tue, Nov 24, 2026`);
    await admin.form("/system-status", { upTo: String(shown!.id) });
    expect(await statusLine()).toContain(`${CHANGED} on Tue, Nov 24, 2026`);
    expect((await markAsSeen()).status).toBe(302);
    expect(await statusLine()).not.toContain(CHANGED);
    expect((await admin.get("/dashboard")).visibleText).not.toContain(CHANGED);
    expect(await recorded("payment-script-accepted")).toBe(2);
  });

  test("back to an earlier script counts as a change, too", async () => {
    serve("second();");
    expect(await nextDay()).toContain(CHANGED);
    expect(await hashes()).toEqual(["first();", "second();", "third();", "second();"].map(sha256));
    await markAsSeen();
  });

  test("found by three concurrent checks is stored once", async () => {
    serve("fourth();");
    time = new Date(time.getTime() + DAY_MS);
    await Promise.all([check(), check(), check()]);
    expect((await hashes()).filter((each) => each === sha256("fourth();"))).toHaveLength(1);
    await markAsSeen();
  });

  test("can be marked as seen only by the consultant, and only with a valid number", async () => {
    serve("fifth();");
    await nextDay();
    const maria = await family();
    expect((await maria.form("/system-status", { upTo: "999" })).status).toBe(403);
    for (const upTo of ["", "all", "-1", "1.5"]) await admin.form("/system-status", { upTo });
    expect(await statusLine()).toContain(CHANGED);
    await markAsSeen();
  });
});

describe("a failed script check", () => {
  const redirect = (response: ServerResponse) =>
    void response.writeHead(302, { location: `${square.url}/v1/other.js` }).end();
  test.each<[string, (response: ServerResponse) => void]>([
    ["a 500 response", (response) => void response.writeHead(500).end("out of order")],
    ["a 404 response", (response) => void response.writeHead(404).end("none")],
    ["a redirect", redirect],
    ["an empty response", (response) => void response.end()],
    ["a closed connection", (response) => void response.destroy()],
    [
      "a truncated script",
      (response) => void response.writeHead(200, { "content-length": 100 }).write("a", () => response.destroy()),
    ],
    [
      "an endless script",
      (response) => {
        const more = () => void (response.destroyed || response.write(Buffer.alloc(500_000), () => setImmediate(more)));
        more();
      },
    ],
  ])("is retried after an hour and is no change: %s", async (_, answer) => {
    const before = await versions();
    square.serveCardForm(answer);
    time = new Date(time.getTime() + 2 * HOUR_MS);
    expect(await check()).toBe(HOUR_MS);
    expect(fetched).toEqual([SCRIPT_URL]);
    expect(await versions()).toEqual(before);
    expect(await statusLine()).not.toContain("script");
  });

  test("times out after 20 seconds and is retried after an hour", async () => {
    const timeout = vi.spyOn(AbortSignal, "timeout").mockImplementation(() => AbortSignal.abort(new Error("too late")));
    time = new Date(time.getTime() + 2 * HOUR_MS);
    expect(await check()).toBe(HOUR_MS);
    expect(timeout).toHaveBeenCalledWith(20_000);
    timeout.mockRestore();
  });

  test("is a warning once no check has succeeded for three days, until one does", async () => {
    square.serveCardForm((response) => void response.writeHead(503).end());
    const { lastSeenAt } = (await versions()).at(-1)!;
    time = new Date(lastSeenAt.getTime() + 3 * DAY_MS);
    expect(await nextDay(0)).not.toContain("script");
    const line = await nextDay(HOUR_MS);
    expect(line).toContain("The card provider’s script could not be checked since");
    expect(line).toContain("sandbox.web.squarecdn.com");
    serve("fifth();");
    expect(await nextDay(HOUR_MS)).not.toContain("script");
  });
});
