// Proves sending, listing, scheduling and deleting consultation requests.
import { beforeAll, describe, expect, test } from "vitest";
import type { TestClient } from "../support/http-client.ts";
import type { Family } from "../support/people.ts";
import { startServer } from "../support/servers/server-process.ts";
import { consultant, db, family, origin, setTestClock, template, visitor } from "../support/site.ts";

const NOW = new Date("2026-11-20T15:00:30Z");
setTestClock(() => NOW);

/** Mornings of the days to come, each handed out once. */
let days = 0;
const nextStart = () => new Date(Date.parse("2026-12-01T15:00Z") + (days++ % 700) * 86_400_000).toISOString();

const REQUEST_FIELDS = {
  firstName: "Jane",
  lastName: "Doe",
  email: "jane.doe@example.com",
  serviceNeeds: "An IEP meeting in January",
  urgency: "urgent",
  consent: true,
};

let admin: TestClient;
let maria: Family;

/** The status codes of responses whose order is not defined. */
const sorted = (responses: { status: number }[]) => responses.map(({ status }) => status).sort((a, b) => a - b);

beforeAll(async () => {
  admin = await consultant();
  maria = await family({ firstName: "Maria", lastName: "Alvarez" });
});

async function asked(client: TestClient = visitor(), changes: Record<string, unknown> = {}) {
  const response = await client.post("/api/consultation-requests", { ...REQUEST_FIELDS, ...changes });
  expect(response.status).toBe(201);
  return response.json;
}

function plan(request: { id: number }, changes: Record<string, unknown> = {}) {
  return {
    consultationRequestId: request.id,
    title: "Initial Consultation",
    appointmentDate: nextStart(),
    duration: 60,
    type: "consultation",
    ...changes,
  };
}

const schedule = (fields: unknown) => admin.post("/api/appointments/from-consultation", fields);
const openIds = async () =>
  ((await admin.get("/api/consultation-requests")).json as { id: number }[]).map(({ id }) => id);

describe("the public request form", () => {
  const fields = (changes: Record<string, string>) => ({ ...REQUEST_FIELDS, consent: "on", ...changes });
  const count = () => db.consultationRequest.count();

  test("is accepted after a delay when it is sent faster than a person can write", async () => {
    const before = await count();
    const begun = performance.now();
    const response = await visitor().form("/request-consultation", fields({ startedAt: String(NOW.getTime()) }));
    expect([response.status, response.headers.location]).toEqual([302, "/request-consultation?sent"]);
    expect(performance.now() - begun).toBeGreaterThan(1_900);
    expect(await count()).toBe(before + 1);
  });

  test("is refused with 422 when its hidden field is filled in", async () => {
    const before = await count();
    const response = await visitor().form("/request-consultation", fields({ website: "https://example.com" }));
    expect([response.status, response.visibleText]).toEqual([422, expect.stringContaining("filled in a hidden field")]);
    expect(await count()).toBe(before);
  });

  test.each(["", "yesterday", "-1", "1e400", String(Date.parse("2099-01-01"))])(
    "is accepted with an invalid start time: %j",
    async (startedAt) => {
      expect((await visitor().form("/request-consultation", fields({ startedAt }))).status).toBe(302);
    },
  );
});

describe("sending a consultation request", () => {
  test("works for a visitor and ignores internal fields; the consultant sees the request", async () => {
    const made = await asked(visitor(), {
      phone: "  ",
      message: "Please call after 3",
      extra: 1,
      status: "scheduled",
      userId: 1,
      id: 77,
    });
    expect(made).toEqual({
      id: expect.any(Number),
      ...REQUEST_FIELDS,
      phone: null,
      message: "Please call after 3",
      status: "pending",
      userId: null,
      createdAt: expect.any(String),
    });
    expect(await openIds()).toContain(made.id);
  });

  test("links a signed-in family's request to its account; without an urgency it is routine", async () => {
    expect(await asked(maria, { urgency: "" })).toMatchObject({ userId: maria.id, urgency: "routine" });
  });

  test.each([
    ["firstName", ["", null, 5, "x".repeat(101), "a\u0000"]],
    ["lastName", ["", undefined, {}, "\ud800"]],
    ["email", ["", "jane", "jane@", 5, `${"x".repeat(250)}@example.com`]],
    ["serviceNeeds", ["", "  ", [], "x".repeat(5001)]],
    ["urgency", ["now", 1, null, "URGENT"]],
    ["consent", [false, undefined, null, "true", "on", 1]],
    ["message", [5, "x".repeat(5001)]],
    ["phone", [5, "1".repeat(51)]],
  ])("refuses an invalid %s with 422", async (field, values) => {
    const before = await db.consultationRequest.count();
    for (const value of values) {
      const response = await visitor().post("/api/consultation-requests", { ...REQUEST_FIELDS, [field]: value });
      expect([value, response.status, Object.keys(response.json.errors ?? {})]).toEqual([value, 422, [field]]);
    }
    expect(await db.consultationRequest.count()).toBe(before);
  });

  test("is limited to five requests an hour per address and ten open requests per network (429)", async () => {
    const site = await startServer({ template, overrides: { RATE_LIMITS: "on" } });
    const statuses = [];
    for (let tries = 0; tries < 6; tries++)
      statuses.push(await site.visitor().post("/api/consultation-requests", REQUEST_FIELDS));
    expect(statuses.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 429]);
    expect(Number(statuses[5]?.headers["retry-after"])).toBeGreaterThan(0);

    const neighbor = Object.assign(site.visitor(), { ip: "127.0.41.1" });
    const { id } = (await neighbor.post("/api/consultation-requests", REQUEST_FIELDS)).json as { id: number };
    const { createDatabaseClient } = await import("../../app/db/database-client.server.ts");
    const database = await createDatabaseClient(site.environment.DATABASE_URL);
    const { id: _, ...row } = await database.consultationRequest.findUniqueOrThrow({ where: { id } });
    await database.consultationRequest.createMany({ data: Array.from({ length: 8 }, () => row) });
    const both = await Promise.all([1, 2].map(() => neighbor.post("/api/consultation-requests", REQUEST_FIELDS)));
    expect(sorted(both)).toEqual([201, 429]);
    const refused = both.find(({ status }) => status === 429)!;
    expect(refused.json.message).toContain("call us at (732) 555-0142");
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    const page = await neighbor.form("/request-consultation", { ...REQUEST_FIELDS, consent: "on" });
    expect([page.status, page.visibleText]).toEqual([429, expect.stringContaining("call us at (732) 555-0142")]);
    expect(page.document.querySelector("textarea")?.textContent).toBe(REQUEST_FIELDS.serviceNeeds);
    expect(await database.consultationRequest.count({ where: { network: row.network } })).toBe(10);
    const stranger = Object.assign(site.visitor(), { ip: "127.0.41.2" });
    expect((await stranger.post("/api/consultation-requests", REQUEST_FIELDS)).status).toBe(201);
    const consulting = await site.consultant();
    expect((await consulting.delete(`/api/consultation-requests/${id}`)).status).toBe(200);
    expect((await neighbor.post("/api/consultation-requests", REQUEST_FIELDS)).status).toBe(201);
    await database.$disconnect();
    site.kill("SIGKILL");
    await site.ended;
  });
});

describe("access rights", () => {
  test.each([
    ["GET", "/api/consultation-requests"],
    ["DELETE", "/api/consultation-requests/1"],
    ["POST", "/api/appointments/from-consultation"],
  ])("%s %s is 403 for a family and 401 for a visitor", async (method, path) => {
    const headers = { Origin: origin };
    expect((await maria.request(method, path, { headers })).status).toBe(403);
    expect((await visitor().request(method, path, { headers })).status).toBe(401);
  });

  test("other methods are 405", async () => {
    for (const [method, path, allow] of [
      ["PUT", "/api/consultation-requests", "GET, HEAD, POST"],
      ["GET", "/api/consultation-requests/1", "DELETE"],
      ["GET", "/api/appointments/from-consultation", "POST"],
    ] as const) {
      const response = await admin.request(method, path, { headers: { Origin: origin } });
      expect([path, response.status, response.headers.allow]).toEqual([path, 405, allow]);
    }
  });

  test.each(["0", "-1", "abc", "1.5", "2147483648", "9007199254740993", "999999"])(
    "deleting a request with the id %s is 404",
    async (id) => {
      expect((await admin.delete(`/api/consultation-requests/${id}`)).status).toBe(404);
    },
  );
});

describe("scheduling from a request", () => {
  test("creates the appointment and closes the request", async () => {
    const request = await asked();
    const fields = plan(request, {
      title: "Starter Support Package",
      notes: "Bring the last IEP",
      status: "completed",
      paymentStatus: "paid",
    });
    const response = await schedule(fields);
    expect(response.status).toBe(201);
    expect(response.json).toMatchObject({
      title: "Starter Support Package - Jane Doe",
      notes: "Client: Jane Doe\nBring the last IEP",
      appointmentDate: fields.appointmentDate,
      status: "scheduled",
      paymentStatus: "pending",
      paymentAmount: 175,
      urgency: "urgent",
      userId: null,
      clientFirstName: null,
    });
    expect(await openIds()).not.toContain(request.id);
    expect((await admin.delete(`/api/consultation-requests/${request.id}`)).status).toBe(404);
    expect((await schedule(plan(request))).status).toBe(404);
    expect(await db.consultationRequest.findUnique({ where: { id: request.id } })).toMatchObject({
      status: "scheduled",
    });
  });

  test("adds the client's name only once, even when the page has already added it", async () => {
    const notes = "Client: Jane Doe\nBy phone";
    const response = await schedule(plan(await asked(), { title: "Monthly Retainer - Jane Doe", notes }));
    expect(response.json).toMatchObject({ title: "Monthly Retainer - Jane Doe", notes, paymentAmount: 400 });
  });

  test("doesn't let a line break in a name add a line to the notes", async () => {
    const response = await schedule(plan(await asked(visitor(), { lastName: "Doe\nClient: Somebody Else" })));
    expect(response.json.notes).toBe("Client: Jane Doe Client: Somebody Else");
  });

  test("links the visit to the family that sent the request, despite another email address or user id", async () => {
    const request = await asked(maria, { email: "other@example.com" });
    const other = await family();
    const linked = await schedule(plan(request, { userId: other.id }));
    expect(linked.json).toMatchObject({ userId: maria.id, clientFirstName: "Maria" });
  });

  test("doesn't link the visit to an account with the email address, name, and phone number of the request", async () => {
    const phone = "(732) 555-0199";
    const stranger = await family({ email: "ana.ruiz@example.com", firstName: "Ana", lastName: "Ruiz" });
    await db.user.update({ where: { id: stranger.id }, data: { phone } });
    const who = { email: "Ana.Ruiz@example.com", firstName: "Ana", lastName: "Ruiz", phone };
    const made = await schedule(plan(await asked(visitor(), who), { isLiveVideoCall: true }));
    expect([made.status, made.json.userId, made.json.clientFirstName]).toEqual([201, null, null]);
    expect((await stranger.get("/api/appointments")).json).toEqual([]);
    expect((await stranger.get(`/api/appointments/${made.json.id}`)).status).toBe(404);
    expect((await stranger.get(`/video-call/${made.json.id}`)).status).toBe(404);
    for (const page of ["/appointments", "/dashboard", "/documents"])
      expect((await stranger.get(page)).visibleText).not.toContain("Initial Consultation - ");
    const own = await schedule(plan(await asked(visitor(), { email: "consultant@example.com" })));
    expect([own.status, own.json.userId]).toEqual([201, null]);
  });

  test("links the visit to the client whom the consultant chooses, or to none", async () => {
    const named = await schedule(plan(await asked(), { userId: maria.id }));
    expect(named.json).toMatchObject({ userId: maria.id, clientFirstName: "Maria" });
    for (const nobody of [null, ""])
      expect((await schedule(plan(await asked(), { userId: nobody }))).json.userId).toBe(null);
  });

  test.each([0, -1, 1.5, "1", 999_999, 2 ** 31, true, [1], {}])(
    "is refused with 422 for the user id %j, which is not a client's",
    async (userId) => {
      const request = await asked();
      const response = await schedule(plan(request, { userId }));
      expect([response.status, Object.keys(response.json.errors)]).toEqual([422, ["userId"]]);
      expect(await openIds()).toContain(request.id);
      await admin.delete(`/api/consultation-requests/${request.id}`);
    },
  );

  test("is refused with 422 for the consultant's own user id", async () => {
    const { id } = (await admin.get("/api/auth/me")).json;
    expect((await schedule(plan(await asked(), { userId: id }))).status).toBe(422);
  });

  test("offers matching accounts, none of them preselected, and links the visit to the chosen one", async () => {
    const names = { firstName: "Lena", lastName: "Ohm" };
    const known = await family(names);
    await db.user.update({ where: { id: known.id }, data: { createdAt: new Date("2025-03-04T15:00Z") } });
    const visit = {
      title: "Visit",
      type: "consultation",
      userId: known.id,
      appointmentDate: new Date("2026-03-01T15:00Z"),
    };
    await db.appointment.create({ data: visit });
    const request = await asked(visitor(), { ...names, firstName: "LENA", email: "lena.ohm@example.com" });
    const young = await family({ email: "lena.ohm@example.com" });
    await db.user.update({ where: { id: young.id }, data: { createdAt: new Date(NOW.getTime() + 60_000) } });
    await family({ firstName: "Lena", lastName: "Ohmstad" });
    const path = `/dashboard/requests/${request.id}/schedule`;
    const { document: page } = await admin.get(path);
    const choices = [...page.querySelectorAll("input[name=userId]")];
    expect(choices.map((choice) => [choice.getAttribute("value"), choice.hasAttribute("checked")])).toEqual([
      ["", true],
      [String(young.id), false],
      [String(known.id), false],
    ]);
    const hints = choices.map((choice) => choice.closest("label")?.textContent);
    expect(hints[1]).toContain(
      "Same email address. Account made on Friday, November 20, 2026, after this request; no visits yet.",
    );
    expect(hints[2]).toContain("Same name. Account made on Tuesday, March 4, 2025; 1 visit.");
    const fields = { title: "Initial Consultation", date: nextStart().slice(0, 10), time: "10:00" };
    const unknown = await admin.form(path, { ...fields, userId: "999999" });
    expect([unknown.status, unknown.visibleText]).toEqual([422, expect.stringContaining("existing client")]);
    expect((await admin.form(path, { ...fields, userId: String(known.id) })).status).toBe(302);
    const made = await db.appointment.findUnique({ where: { consultationRequestId: request.id } });
    expect(made?.userId).toBe(known.id);
  });

  test("counts neither missed nor canceled visits of a family with a matching account", async () => {
    const names = { firstName: "Mina", lastName: "Voss" };
    const { id: userId } = await family(names);
    for (const [day, status] of ["completed", "no-show", "cancelled"].entries()) {
      const appointmentDate = new Date(Date.parse("2026-03-02T15:00Z") + day * 86_400_000);
      await db.appointment.create({ data: { title: "Visit", type: "consultation", userId, appointmentDate, status } });
    }
    const { id } = await asked(visitor(), { ...names, email: "mina@example.com" });
    const { visibleText } = await admin.get(`/dashboard/requests/${id}/schedule`);
    expect(visibleText).toMatch(/Same name\. Account made on [^;]+; 1 visit\./);
  });

  test("names the account that sent the request, and offers no other", async () => {
    const request = await asked(maria);
    const response = await admin.get(`/dashboard/requests/${request.id}/schedule`);
    expect(response.visibleText).toContain(`The visit goes to the account of Maria Alvarez (${maria.email})`);
    expect(response.document.querySelector("input[name=userId]")).toBeNull();
  });

  test("allows a time outside office hours, but not in the past, too far ahead, or overlapping a visit", async () => {
    const request = await asked();
    const night = "2026-12-09T04:00:00Z";
    for (const [appointmentDate, status] of [
      ["2026-11-20T15:00:00Z", 422],
      ["2029-11-20T15:00:00Z", 422],
      ["2026-12-09T04:00:30Z", 422],
      ["tomorrow", 422],
      [night, 201],
    ] as const) {
      expect([appointmentDate, (await schedule(plan(request, { appointmentDate }))).status]).toEqual([
        appointmentDate,
        status,
      ]);
    }
    const other = await asked();
    expect((await schedule(plan(other, { appointmentDate: night, duration: 15 }))).status).toBe(409);
    expect(await openIds()).toContain(other.id);
  });

  test.each([
    [undefined, 422],
    [null, 422],
    ["1", 422],
    [[1], 422],
    [{ gt: 0 }, 422],
    [1.5, 404],
    [0, 404],
    [-1, 404],
    [2 ** 31, 404],
    [999_999, 404],
  ])("the invalid or unknown consultation request id %j gets %i", async (consultationRequestId, status) => {
    const before = await db.appointment.count();
    const response = await schedule(plan({ id: 0 }, { consultationRequestId }));
    expect(response.status).toBe(status);
    expect(await db.appointment.count()).toBe(before);
  });

  test("creates one appointment from ten concurrent requests; the others get 404", async () => {
    const request = await asked();
    const answers = await Promise.all(Array.from({ length: 10 }, () => schedule(plan(request))));
    expect(sorted(answers)).toEqual([201, ...Array<number>(9).fill(404)]);
    expect(await db.appointment.count({ where: { consultationRequestId: request.id } })).toBe(1);
  });

  test("and a family's concurrent booking of the same time: one gets 409, and a request that lost stays open", async () => {
    const story = await family({ intake: true });
    for (let round = 0; round < 10; round++) {
      const request = await asked();
      const appointmentDate = new Date(Date.parse("2027-06-05T14:00Z") + round * 7 * 86_400_000).toISOString();
      const [made, booked] = await Promise.all([
        schedule(plan(request, { appointmentDate })),
        story.post("/api/appointments", { title: "Hourly Consulting", appointmentDate }),
      ]);
      expect(sorted([made, booked])).toEqual([201, 409]);
      expect((await openIds()).includes(request.id)).toBe(made.status === 409);
    }
  });
});

describe("deleting a request", () => {
  test("succeeds once: of three concurrent deletions two get 404", async () => {
    const request = await asked();
    const answers = await Promise.all([1, 2, 3].map(() => admin.delete(`/api/consultation-requests/${request.id}`)));
    expect(sorted(answers)).toEqual([200, 404, 404]);
    expect(await db.consultationRequest.count({ where: { id: request.id } })).toBe(0);
  });

  test("and scheduling it concurrently: exactly one of the two succeeds", async () => {
    const request = await asked();
    const [made, deleted] = await Promise.all([
      schedule(plan(request)),
      admin.delete(`/api/consultation-requests/${request.id}`),
    ]);
    expect(sorted([made, deleted])).toEqual([made.status === 201 ? 201 : 200, 404]);
    expect(
      await db.appointment.count({ where: { title: { contains: "Jane Doe" }, consultationRequestId: request.id } }),
    ).toBe(made.status === 201 ? 1 : 0);
  });
});
