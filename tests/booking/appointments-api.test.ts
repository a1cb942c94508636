// Proves booking, reading, cancelling and deleting appointments through the JSON API.
import { beforeAll, describe, expect, test } from "vitest";
import type { TestClient, TestResponse } from "../support/http-client.ts";
import type { Family } from "../support/people.ts";
import { consultant, db, family, origin, setTestClock, visitor } from "../support/site.ts";
import { bookOrFail, nextFreeHour, TEST_NOW, sortedStatuses, bookingBody } from "../support/bookings.ts";

const HOUR = 3_600_000;
const FIELDS = [
  "id",
  "userId",
  "title",
  "description",
  "appointmentDate",
  "duration",
  "type",
  "status",
  "urgency",
  "meetingLink",
  "place",
  "notes",
  "isLiveVideoCall",
  "paymentAmount",
  "paymentStatus",
  "paymentId",
  "paymentDate",
  "createdAt",
  "updatedAt",
];

setTestClock(() => TEST_NOW);

let maria: Family;
let devon: Family;
let admin: TestClient;
let newcomer: Family;

beforeAll(async () => {
  maria = await family({ intake: true, firstName: "Maria", lastName: "Alvarez" });
  devon = await family({ intake: true });
  newcomer = await family();
  admin = await consultant();
});

describe("booking", () => {
  test.each(["/api/appointments", "/api/appointments/in-person"])(
    "a family books through %s and reads the same appointment back",
    async (path) => {
      const fields = bookingBody({
        description: " For Leo ",
        meetingLink: "https://meet.example.com/leo",
        notes: "After school",
        isLiveVideoCall: true,
      });
      const response = await maria.post(path, fields);
      expect(response.status).toBe(201);
      expect(Object.keys(response.json).sort()).toEqual([...FIELDS].sort());
      expect(response.json).toMatchObject({
        userId: maria.id,
        title: "Initial Consultation",
        description: "For Leo",
        appointmentDate: fields.appointmentDate,
        duration: 60,
        type: "consultation",
        status: "scheduled",
        meetingLink: "https://meet.example.com/leo",
        notes: "After school",
        isLiveVideoCall: true,
        paymentAmount: 75,
        paymentStatus: "pending",
        paymentId: null,
      });
      expect((await maria.get(`/api/appointments/${response.json.id}`)).json).toEqual(response.json);
      expect((await maria.get("/api/appointments")).json).toContainEqual(response.json);
    },
  );

  test("omitted or empty fields get their default values", async () => {
    const response = await maria.post("/api/appointments", {
      title: "Hourly Consulting",
      appointmentDate: nextFreeHour(),
      duration: "",
      type: "",
      meetingLink: "",
      description: null,
    });
    expect(response.json).toMatchObject({
      duration: 60,
      type: "consultation",
      isLiveVideoCall: false,
      meetingLink: null,
      description: null,
      notes: null,
    });
  });

  test("the server sets the price and ignores status, payment, owner and other fields a family may not set", async () => {
    const forged = {
      id: 1,
      userId: devon.id,
      status: "completed",
      paymentStatus: "paid",
      paymentId: "stolen",
      paymentAmount: 1,
      paymentDate: TEST_NOW.toISOString(),
      clientFirstName: "Devon",
      urgency: "emergency",
      consultationRequestId: 1,
      createdAt: "2001-01-01T00:00:00Z",
      constructor: { prototype: { polluted: true } },
    };
    const response = await maria.post("/api/appointments", bookingBody({ title: "month\u200bly retainer", ...forged }));
    expect(response.status).toBe(201);
    expect(response.json).toMatchObject({
      userId: maria.id,
      status: "scheduled",
      paymentStatus: "pending",
      paymentId: null,
      paymentAmount: 400,
      paymentDate: null,
      urgency: null,
    });
    expect(response.json.createdAt > "2026").toBe(true);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test("a userId sent by a family is ignored, even if it is malformed", async () => {
    expect((await bookOrFail(maria, { userId: "1 OR 1" })).userId).toBe(maria.id);
  });

  test("a family without an intake form gets 422 and books nothing", async () => {
    for (const path of ["/api/appointments", "/api/appointments/in-person"]) {
      const response = await newcomer.post(path, bookingBody());
      expect([response.status, response.json.message]).toEqual([
        422,
        "Intake Form must be filled out to proceed with appointment",
      ]);
    }
    expect(await db.appointment.count({ where: { userId: newcomer.id } })).toBe(0);
  });

  test("the consultant books for the family in userId; any other userId gets 422, the in-person endpoint 403", async () => {
    const made = await bookOrFail(admin, { userId: newcomer.id });
    expect(made).toMatchObject({
      userId: newcomer.id,
      clientFirstName: newcomer.firstName,
      clientLastName: newcomer.lastName,
    });
    const herself = (await admin.get("/api/auth/me")).json.id as number;
    for (const userId of [undefined, null, "", "1", 1.5, 0, -1, 2 ** 31, 999_999, herself, [newcomer.id], { gt: 0 }]) {
      const response = await admin.post("/api/appointments", bookingBody({ userId }));
      expect([userId, response.status, Object.keys(response.json.errors)]).toEqual([userId, 422, ["userId"]]);
    }
    expect((await admin.post("/api/appointments/in-person", bookingBody({ userId: newcomer.id }))).status).toBe(403);
  });

  test("a family lists only its own appointments; the consultant lists all, with names, sorted by date", async () => {
    await bookOrFail(devon);
    await bookOrFail(maria);
    const own = (await devon.get("/api/appointments")).json as { userId: number }[];
    expect(own.length).toBeGreaterThan(0);
    expect(own.every(({ userId }) => userId === devon.id)).toBe(true);
    const all = (await admin.get("/api/appointments")).json as {
      userId: number;
      appointmentDate: string;
      clientFirstName: string;
    }[];
    expect(all.some(({ userId, clientFirstName }) => userId === maria.id && clientFirstName === "Maria")).toBe(true);
    const dates = all.map(({ appointmentDate }) => appointmentDate);
    expect(dates).toEqual([...dates].sort());
  });

  test("a date with a UTC offset is stored as the same instant", async () => {
    const start = nextFreeHour();
    const local = new Date(Date.parse(start) - 5 * HOUR).toISOString().slice(0, 16);
    expect((await bookOrFail(maria, { appointmentDate: `${local}-05:00` })).appointmentDate).toBe(start);
  });
});

describe("access to the appointment and payment endpoints", () => {
  const endpoints: [string, string][] = [
    ["GET", "/api/appointments"],
    ["POST", "/api/appointments"],
    ["POST", "/api/appointments/in-person"],
    ["GET", "/api/appointments/availability?date=2026-12-07&time=10:00&duration=60"],
    ["GET", "/api/appointments/1"],
    ["PATCH", "/api/appointments/1"],
    ["DELETE", "/api/appointments/1"],
    ["GET", "/api/payments/config"],
    ["POST", "/api/payments/process"],
    ["POST", "/api/payments/webhook"],
  ];

  test.each(endpoints)("a visitor without a session: %s %s gets 401", async (method, path) => {
    const response = await visitor().request(method, path, { headers: { Origin: origin } });
    expect([response.status, response.json]).toEqual([401, { message: "Unauthorized" }]);
  });

  test.each([
    ["/api/appointments", "GET, HEAD, POST"],
    ["/api/appointments/in-person", "POST"],
    ["/api/appointments/availability", "GET, HEAD"],
    ["/api/appointments/1", "GET, HEAD, PATCH, DELETE"],
  ])("other methods on %s get 405 with an Allow header", async (path, allow) => {
    for (const method of ["PUT", "PATCH", "POST", "DELETE"].filter((each) => !allow.includes(each))) {
      const response = await maria.request(method, path, { headers: { Origin: origin } });
      expect([method, response.status, response.headers.allow]).toEqual([method, 405, allow]);
    }
  });

  test("cross-site requests to book or cancel get 403, and the appointment stays scheduled", async () => {
    const made = await bookOrFail(maria);
    const crossSiteHeaders = { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" };
    expect((await maria.post("/api/appointments", bookingBody(), crossSiteHeaders)).status).toBe(403);
    expect((await maria.delete(`/api/appointments/${made.id}`, crossSiteHeaders)).status).toBe(403);
    expect((await maria.get(`/api/appointments/${made.id}`)).json.status).toBe("scheduled");
  });

  test("another family's appointment gets 404 with the same body as an unknown id, on GET and DELETE", async () => {
    const made = await bookOrFail(maria);
    for (const method of ["GET", "DELETE"]) {
      const otherFamilyResponse = await devon.request(method, `/api/appointments/${made.id}`, {
        headers: { Origin: origin },
      });
      const unknownIdResponse = await devon.request(method, "/api/appointments/999999", {
        headers: { Origin: origin },
      });
      expect([otherFamilyResponse.status, otherFamilyResponse.text]).toEqual([404, unknownIdResponse.text]);
    }
    expect((await maria.get(`/api/appointments/${made.id}`)).json.status).toBe("scheduled");
  });

  test.each([
    "0",
    "-1",
    "1.5",
    "1e9",
    "0x1",
    "abc",
    "%00",
    "NaN",
    "2147483648",
    "9007199254740993",
    "１",
    "1".repeat(5000),
    "%20",
    "1;drop",
  ])("the invalid appointment id %s gets 404 (400 for a null byte)", async (id) => {
    for (const person of [maria, admin]) {
      for (const method of ["GET", "DELETE"]) {
        const response = await person.request(method, `/api/appointments/${encodeURI(decodeURI(id))}`, {
          headers: { Origin: origin },
        });
        expect(response.status).toBe(id === "%00" ? 400 : 404);
      }
    }
  });

  test("the consultant can't make payments: 403", async () => {
    expect((await admin.post("/api/payments/process", {})).status).toBe(403);
  });
});

describe("cancelling and deleting", () => {
  test("a family cancels: the record stays as cancelled, its time is free again, a second cancellation gets 409", async () => {
    const made = await bookOrFail(maria);
    const response = await maria.delete(`/api/appointments/${made.id}`);
    expect([response.status, response.json]).toEqual([200, { message: "Appointment Cancelled" }]);
    expect((await maria.get(`/api/appointments/${made.id}`)).json.status).toBe("cancelled");
    expect((await maria.delete(`/api/appointments/${made.id}`)).status).toBe(409);
    await bookOrFail(devon, { appointmentDate: made.appointmentDate });
  });

  test("of ten concurrent cancellations one gets 200 and nine get 409", async () => {
    const made = await bookOrFail(maria);
    const responses = await Promise.all(Array.from({ length: 10 }, () => maria.delete(`/api/appointments/${made.id}`)));
    expect(sortedStatuses(responses)).toEqual([200, ...Array<number>(9).fill(409)]);
  });

  test("an appointment in progress can be canceled; one that has ended gets 409", async () => {
    const made = await bookOrFail(maria, { appointmentDate: "2026-11-20T20:00:00Z" });
    const other = await bookOrFail(maria, { appointmentDate: "2026-11-20T22:00:00Z" });
    try {
      setTestClock(() => new Date("2026-11-20T21:00:00Z"));
      expect((await maria.delete(`/api/appointments/${made.id}`)).status).toBe(409);
      setTestClock(() => new Date("2026-11-20T22:59:59Z"));
      expect((await maria.delete(`/api/appointments/${other.id}`)).status).toBe(200);
    } finally {
      setTestClock(() => TEST_NOW);
    }
  });

  test("of three concurrent deletions by the consultant one succeeds; then the id gets 404 and the time is free", async () => {
    const made = await bookOrFail(maria);
    const responses = await Promise.all([1, 2, 3].map(() => admin.delete(`/api/appointments/${made.id}`)));
    expect(sortedStatuses(responses)).toEqual([200, 404, 404]);
    expect((await maria.get(`/api/appointments/${made.id}`)).status).toBe(404);
    await bookOrFail(devon, { appointmentDate: made.appointmentDate });
  });
});

describe("long appointment lists", () => {
  const DAY = 24 * HOUR;
  const today = Date.parse("2026-11-20T15:00Z");
  const visit = { title: "Long ago", type: "consultation", status: "cancelled", duration: 15 };
  const starts = (response: TestResponse) =>
    (response.json as { appointmentDate: string }[]).map(({ appointmentDate }) => Date.parse(appointmentDate));

  test("are sorted by date and limited: 500 latest for a family, 100 past on its page, 1,000 nearest for the consultant", async () => {
    setTestClock(() => TEST_NOW);
    const [person, other] = [await family(), await family()];
    const rows = Array.from({ length: 620 }, (_, index) => ({
      ...visit,
      userId: person.id,
      appointmentDate: new Date(today - (index + 1) * DAY),
    }));
    const later = { ...visit, userId: other.id, title: "Far ahead" };
    await db.appointment.createMany({ data: rows });
    await db.appointment.createMany({
      data: rows.map((_, index) => ({ ...later, appointmentDate: new Date(today + (index + 1) * DAY) })),
    });
    const responses = await Promise.all([1, 2, 3].map(() => person.get("/api/appointments")));
    for (const response of responses) {
      expect([response.status, starts(response).length]).toEqual([200, 500]);
      expect(starts(response).at(-1)).toBe(today - DAY);
      expect(starts(response)).toEqual(starts(response).toSorted((one, another) => one - another));
    }
    const page = await person.get("/appointments");
    expect(page.document.querySelectorAll("main .rows > li")).toHaveLength(100);
    expect(page.visibleText).toContain("Only your latest 100 are shown here. Please call us about older ones.");
    const all = starts(await (await consultant()).get("/api/appointments"));
    expect(all).toHaveLength(1000);
    expect(all).toEqual(all.toSorted((one, another) => one - another));
    expect(Math.max(...all.map((start) => Math.abs(start - today)))).toBeLessThan(501 * DAY);
    await db.appointment.deleteMany({ where: { userId: { in: [person.id, other.id] } } });
    expect((await person.get("/appointments")).visibleText).not.toContain("Only your latest");
  });
});
