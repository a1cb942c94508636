// Proves that neither an account nor a network with new accounts can fill the database with changes and audit entries.
import { expect, test } from "vitest";
import { TEST_NOW } from "../support/bookings.ts";
import { environmentOverrides } from "../support/environment-overrides.ts";
import { addPastVisit } from "../support/past-visit.ts";
import type { TestClient } from "../support/http-client.ts";
import { type Family, signInAs } from "../support/people.ts";

environmentOverrides.RATE_LIMITS = "on";
const { consultant, db, family, origin, setTestClock, testing, visitor } = await import("../support/site.ts");

setTestClock(() => TEST_NOW);
const MAX_AN_HOUR = 600;
/** Of one account in a day, which its network is not asked about. */
const OWN_CHANGES = 100;
const MAX_OF_NETWORK = 1_200;

let addresses = 0;
const nextAddress = () => `127.0.70.${(addresses += 1)}`;
const maria = await family();

const anyChange = { pattern: "/api/intake-forms", method: "POST", readEntries: async () => null };

/** Counts requests of a session as the site does with each; the last few of a limit are sent. */
async function countChanges({ id }: { id: number }, address: string, times: number, sid?: string): Promise<void> {
  const person = await db.user.findUniqueOrThrow({ where: { id } });
  const session = { person, sid: sid ?? (await db.session.findFirstOrThrow({ where: { userId: id } })).sid };
  for (let time = 0; time < times; time += 1)
    expect(await testing.consumeMutationLimits(session, address, anyChange)).toBeNull();
}

test("a session can make 600 changes an hour; then it gets 429, and no audit log entry is stored", async () => {
  await addPastVisit(db, maria, TEST_NOW);
  await countChanges(maria, nextAddress(), MAX_AN_HOUR - 1);
  maria.ip = nextAddress();
  expect((await maria.post("/api/intake-forms", {})).status).toBe(422);
  const entries = await db.auditEntry.count();
  const refused = await maria.post("/api/intake-forms", {});
  expect([refused.status, refused.json.message]).toEqual([429, expect.stringMatching(/^Too many tries. Please wait/)]);
  const form = await maria.form("/comfort", { comfort: "large" });
  expect([form.status, form.text]).toEqual([429, expect.stringMatching(/^Too many tries. Please wait/)]);
  for (const { headers } of [refused, form]) expect(Number(headers["retry-after"])).toBeGreaterThan(0);
  expect(await db.auditEntry.count()).toBe(entries);
  expect((await maria.get("/dashboard")).status).toBe(200);
});

const post = (path: string, fields = {}) => ["POST", path, fields] as const;
const form = (path: string, fields = {}) => ["form", path, fields] as const;
const remove = (path: string) => ["DELETE", path, {}] as const;

test("a session over its change limit can still end access and secure the account, but creates nothing (429)", async () => {
  const send = ([method, path, fields]: ReturnType<typeof post | typeof form | typeof remove>) => {
    if (method === "form") return maria.form(path, fields);
    if (method === "POST") return maria.post(path, fields);
    const headers = { Origin: origin, "Content-Type": "application/json" };
    return maria.request(method, path, { headers, body: JSON.stringify(fields) });
  };
  const statuses = async (requests: Parameters<typeof send>[0][]) => {
    maria.ip = nextAddress();
    const responses: [string, boolean][] = [];
    for (const request of requests)
      responses.push([`${request[0]} ${request[1]}`, (await send(request)).status === 429]);
    return responses;
  };
  const ends = [
    ...["passkeys/77", "second-factor", "sessions/nothing"].map((path) => remove(`/api/auth/${path}`)),
    ...["calendar-feed", "appointments/77", "documents/77", "me"].map((path) => remove(`/api/${path}`)),
    ...["change-password", "forgot-password", "second-factor", "second-factor/confirm"].map((path) =>
      post(`/api/auth/${path}`),
    ),
    ...["passkeys", "passkeys/options", "passkey-options", "passkey-login"].map((path) => post(`/api/auth/${path}`)),
    post("/api/me/keep"),
    ...["confirm-identity", "change-email", "passkeys", "second-factor", "stay-signed-in", "keep-account"].map((path) =>
      form(`/${path}`),
    ),
    form("/passkeys", { step: "remove", id: "77" }),
    form(`/undo-email-change/${"x".repeat(43)}`),
    form("/dashboard/settings"),
    form("/dashboard/settings/devices", { id: "nothing" }),
    form("/dashboard/settings/delete-account"),
    form("/dashboard/settings/calendar", { link: "end" }),
    form("/consents/card-on-file", { intent: "withdraw" }),
    form("/appointments/new", { intent: "discard" }),
    form("/appointments/77/cancel"),
    form("/documents/77/delete"),
  ];
  expect(await statuses(ends)).toEqual(ends.map(([method, path]) => [`${method} ${path}`, false]));
  const makes = [
    post("/api/calendar-feed"),
    post("/api/appointments"),
    form("/comfort", { comfort: "large" }),
    form("/dashboard/settings/calendar", { link: "new" }),
    form("/consents/card-on-file", { intent: "sign" }),
    form("/appointments/new", { intent: "continue" }),
  ];
  expect(await statuses(makes)).toEqual(makes.map(([method, path]) => [`${method} ${path}`, true]));
});

test("extra or repeated form fields don't let a session over its change limit create anything (429)", async () => {
  const part = (name: string, value: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const hidden: [path: string, type: string, body: string][] = [
    [
      "/dashboard/settings/calendar",
      "multipart/form-data; boundary=b",
      `${part("zz", "&link=end&")}${part("link", "new")}--b--\r\n`,
    ],
    [
      "/consents/card-on-file",
      "multipart/form-data; boundary=b",
      `${part("zz", "&intent=withdraw&")}${part("intent", "sign")}--b--\r\n`,
    ],
    ["/appointments/new", "multipart/form-data; boundary=b", `${part("zz", "&intent=discard&")}--b--\r\n`],
    ["/dashboard/settings/calendar", "application/x-www-form-urlencoded", "link=end&link=new"],
    ["/dashboard/settings/calendar", "application/x-www-form-urlencoded", "link=new&link=end"],
  ];
  for (const [path, type, body] of hidden) {
    const response = await maria.request("POST", path, { headers: { Origin: origin, "Content-Type": type }, body });
    expect([path, body, response.status]).toEqual([path, body, 429]);
  }
  expect((await maria.post("/api/auth/logout", {})).status).toBe(200);
});

test("a new sign-in can make changes again, up to 3,000 an hour in all sessions of the account", async () => {
  const again = await signInAs(origin, maria.email, maria.password);
  again.ip = nextAddress();
  expect((await again.post("/api/intake-forms", {})).status).toBe(422);
  // The first session has used 600, this one 1.
  for (const times of [600, 600, 600, 599])
    await countChanges(maria, nextAddress(), times, `session ${(addresses += 1)}`);
  expect((await again.post("/api/intake-forms", {})).status).toBe(429);
  expect((await again.form("/dashboard/settings/devices", { id: "nothing" })).status).toBe(422);
});

test("when new accounts exhaust their network's limit, another new one gets 100 changes; others are unaffected", async () => {
  const address = nextAddress();
  const newAccounts: Family[] = [];
  for (let counted = 0; counted < MAX_OF_NETWORK; counted += MAX_AN_HOUR - OWN_CHANGES) {
    newAccounts.push(await family({ address }));
    const times = Math.min(MAX_AN_HOUR, MAX_OF_NETWORK - counted + OWN_CHANGES);
    await countChanges(newAccounts.at(-1)!, address, times);
  }
  const [late, known] = [await family({ address }), await family({ address })];
  await addPastVisit(db, known, TEST_NOW);
  expect((await late.post("/api/intake-forms", {})).status).toBe(422);
  await countChanges(late, address, OWN_CHANGES - 1);
  const refused = await late.post("/api/intake-forms", {});
  expect([refused.status, Number(refused.headers["retry-after"]) > 61]).toEqual([429, true]);
  await countChanges(known, address, OWN_CHANGES);
  expect((await known.post("/api/intake-forms", {})).status).toBe(422);
  const admin = await consultant();
  admin.ip = address;
  expect((await admin.post("/api/intake-forms", {})).status).toBe(403);
  late.ip = nextAddress();
  expect((await late.post("/api/intake-forms", {})).status).toBe(422);
});

test("a visitor and a family over the per-minute limit don't affect other users at the same address", async () => {
  const address = nextAddress();
  const [busy, other, admin] = [await family(), await family(), await consultant()];
  const stranger = visitor();
  for (const person of [stranger, busy, other, admin]) person.ip = address;
  // A sign-in is no change of the account, so only the limits of a minute count it.
  const send = (client: TestClient) => client.post("/api/auth/login", {});
  const sendOften = async (client: TestClient) => {
    // More at once would be more connections than an address may have.
    for (let batch = 0; batch < 10; batch += 1) await Promise.all(Array.from({ length: 30 }, () => send(client)));
  };
  await busy.get("/api/auth/me");
  await sendOften(stranger);
  await sendOften(busy);
  expect([(await send(stranger)).status, (await send(busy)).status]).toEqual([429, 429]);
  expect((await busy.get("/api/auth/me")).status).toBe(200);
  for (const person of [other, admin]) expect((await send(person)).status).toBe(422);
  // Signed out, the device is still known; a cookie of an ended session is none.
  expect((await other.post("/api/auth/logout", {})).status).toBe(200);
  expect((await other.post("/api/auth/login", { email: other.email, password: other.password })).status).toBe(200);
  const ended = visitor();
  ended.ip = address;
  for (const [name, value] of other.cookies) if (name === "session") ended.cookies.set(name, value);
  expect((await other.post("/api/auth/logout", {})).status).toBe(200);
  expect([(await send(ended)).status, (await send(ended)).status]).toEqual([422, 429]);
});
