// Proves that no account, and no network with its new accounts, fills the database with changes and their audit entries.
import { expect, test } from "vitest";
import { TEST_NOW } from "../support/bookings.ts";
import { environmentOverrides } from "../support/environment-overrides.ts";
import { addPastVisit } from "../support/past-visit.ts";
import { signInAs } from "../support/people.ts";

environmentOverrides.RATE_LIMITS = "on";
const { consultant, db, family, origin, setNow, testing } = await import("../support/site.ts");

setNow(() => TEST_NOW);
const MAX_AN_HOUR = 600;
const MAX_OF_NETWORK = 1_200;

let addresses = 0;
const nextAddress = () => `127.0.70.${(addresses += 1)}`;
const maria = await family();

const anyChange = { pattern: "/api/intake-forms", method: "POST", body: null };

/** Counts requests of a session as the site does with each; the last few of a limit are sent. */
async function countChanges({ id }: { id: number }, address: string, times: number, sid?: string): Promise<void> {
  const person = await db.user.findUniqueOrThrow({ where: { id } });
  const session = { person, sid: sid ?? (await db.session.findFirstOrThrow({ where: { userId: id } })).sid };
  for (let time = 0; time < times; time += 1) expect(await testing.admitChange(session, address, anyChange)).toBeNull();
}

test("a session changes something 600 times an hour, known or new; then nothing is stored until later", async () => {
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

test("a session that is used up still ends and protects everything, where it makes nothing", async () => {
  const send = ([method, path, fields]: ReturnType<typeof post | typeof form | typeof remove>) => {
    if (method === "form") return maria.form(path, fields);
    if (method === "POST") return maria.post(path, fields);
    const headers = { Origin: origin, "Content-Type": "application/json" };
    return maria.request(method, path, { headers, body: JSON.stringify(fields) });
  };
  const statuses = async (requests: Parameters<typeof send>[0][]) => {
    maria.ip = nextAddress();
    const answers: [string, boolean][] = [];
    for (const request of requests) answers.push([`${request[0]} ${request[1]}`, (await send(request)).status === 429]);
    return answers;
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
  expect((await maria.post("/api/auth/logout", {})).status).toBe(200);
});

test("whoever signs in anew changes things again, 3,000 times an hour in all sessions together", async () => {
  const again = await signInAs(origin, maria.email, maria.password);
  again.ip = nextAddress();
  expect((await again.post("/api/intake-forms", {})).status).toBe(422);
  // The first session has used 600, this one 1.
  for (const times of [600, 600, 600, 599])
    await countChanges(maria, nextAddress(), times, `session ${(addresses += 1)}`);
  expect((await again.post("/api/intake-forms", {})).status).toBe(429);
  expect((await again.form("/dashboard/settings/devices", { id: "nothing" })).status).toBe(422);
});

test("the new accounts of one network share 1,200 changes an hour, which costs a known family and the consultant nothing", async () => {
  const address = nextAddress();
  for (let counted = 0; counted < MAX_OF_NETWORK; counted += MAX_AN_HOUR)
    await countChanges(await family({ address }), address, MAX_AN_HOUR);
  const [late, known] = [await family({ address }), await family({ address })];
  await addPastVisit(db, known, TEST_NOW);
  const refused = await late.post("/api/intake-forms", {});
  expect([refused.status, Number(refused.headers["retry-after"]) > 61]).toEqual([429, true]);
  expect((await known.post("/api/intake-forms", {})).status).toBe(422);
  const admin = await consultant();
  admin.ip = address;
  expect((await admin.post("/api/intake-forms", {})).status).toBe(403);
  late.ip = nextAddress();
  expect((await late.post("/api/intake-forms", {})).status).toBe(422);
});
