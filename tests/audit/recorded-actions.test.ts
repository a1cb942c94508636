// Proves that each access to a family's data and each change, including refused ones, is in the audit log once answered.
import { beforeAll, describe, expect, test, vi } from "vitest";
import { bookOrFail, nextFreeHour } from "../support/bookings.ts";
import type { TestClient } from "../support/http-client.ts";
import { type Family, intakeForm, signInAs } from "../support/people.ts";
import { cookieHeader, connectSignaling, expectClosedWithError } from "../support/signaling-client.ts";
import { WebSocket } from "ws";
import { environmentOverrides } from "../support/environment-overrides.ts";
import { textFile, uploadFile } from "../support/uploads.ts";

Object.assign(environmentOverrides, { RATE_LIMITS: "on" });
const { adminEmail, adminPassword, consultant, db, family, origin, setTestClock, visitor } =
  await import("../support/site.ts");

let admin: TestClient;
let adminId: number;
let maria: Family;
let devon: Family;
let documentId: number;
let visitId: number;
let formId: number;

beforeAll(async () => {
  admin = await consultant();
  adminId = (await db.user.findFirstOrThrow({ where: { isAdmin: true } })).id;
  [maria, devon] = await Promise.all([family({ intake: true }), family({ intake: true })]);
  documentId = (await uploadFile(maria, { bytes: textFile(1000) })).json.id;
  visitId = (await bookOrFail(maria)).id;
  formId = (await db.intakeForm.findUniqueOrThrow({ where: { userId: maria.id } })).id;
});

/** The entries that `act` adds, oldest first. */
async function recordedBy(act: () => Promise<unknown>) {
  const last = await db.auditEntry.findFirst({ orderBy: { sequence: "desc" } });
  await act();
  const where = { sequence: { gt: last?.sequence ?? 0 }, action: { notIn: ["lists-opened", "texts-listed"] } };
  const select = { action: true, actorId: true, familyId: true, objectType: true, objectId: true } as const;
  return db.auditEntry.findMany({ where, orderBy: { sequence: "asc" }, select });
}
const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status;

describe("reading a family's data", () => {
  const READS: [string, () => string, string, () => number | null][] = [
    ["a document", () => `/api/documents/${documentId}`, "document-opened", () => documentId],
    ["a document's file", () => `/api/documents/${documentId}/download`, "document-downloaded", () => documentId],
    ["documents in one file", () => `/documents/archive.zip?id=${documentId}`, "document-downloaded", () => documentId],
    ["a visit", () => `/api/appointments/${visitId}`, "appointment-opened", () => visitId],
    ["a calendar file", () => `/api/appointments/${visitId}/calendar.ics`, "calendar-file-downloaded", () => visitId],
    ["the intake form", () => `/api/intake-forms?userId=${maria.id}`, "intake-opened", () => formId],
    ["the intake form as text", () => `/intake-form.txt?userId=${maria.id}`, "intake-downloaded", () => formId],
    ["the intake form's page", () => `/dashboard/intake-form?userId=${maria.id}`, "intake-opened", () => formId],
    ["the intake form's changes", () => `/intake-form/changes?userId=${maria.id}`, "intake-opened", () => formId],
    ["intake changes as data", () => `/intake-form/changes.data?userId=${maria.id}`, "intake-opened", () => formId],
  ];

  let hours = 0;

  test.each(READS)("adds one entry for the owner or the consultant: %s", async (_, path, action, objectId) => {
    const own = path().replace(/\?userId=\d+/, "");
    // What the family reads again within an hour makes no entry.
    const at = new Date(Date.now() + (hours += 1) * 3_660_000);
    for (const [client, actorId, address] of [
      [maria, maria.id, own],
      [admin, adminId, path()],
    ] as const) {
      if (client === maria) setTestClock(() => at);
      const entries = await recordedBy(async () => expect(await statusOf(client.get(address))).toBe(200));
      setTestClock(null);
      expect(entries).toMatchObject([{ action, actorId, familyId: maria.id, objectId: objectId() }]);
    }
  });

  test.each(READS)("as another family gets 404 and adds at most an access-refused entry: %s", async (_, path) => {
    const entries = await recordedBy(async () => expect(await statusOf(devon.get(path()))).toBe(404));
    expect(entries.every(({ action }) => action === "access-refused")).toBe(true);
    expect(entries.every(({ actorId, familyId }) => actorId === devon.id && familyId === null)).toBe(true);
    expect(entries.length).toBe(path().includes("archive.zip") ? 0 : 1);
  });

  test("adds an entry each time the consultant opens an email in the outbox or a document's delete page", async () => {
    const { id } = await db.message.findFirstOrThrow({ where: { userId: maria.id } });
    const own = await db.message.findFirst({ where: { userId: adminId } });
    for (const [path, action, objectId, familyId] of [
      [`/outbox/${id}`, "message-opened", id, maria.id],
      ...(own ? [[`/outbox/${own.id}`, "message-opened", own.id, null] as const] : []),
      [`/documents/${documentId}/delete`, "document-name-opened", documentId, maria.id],
    ] as const)
      for (const _ of ["first", "second"]) {
        const entries = await recordedBy(async () => expect(await statusOf(admin.get(path))).toBe(200));
        expect(entries).toMatchObject([{ action, actorId: adminId, familyId, objectId }]);
      }
    const logTexts = (await maria.get("/api/me/access-log")).json.map(({ what }: { what: string }) => what);
    expect(logTexts).toEqual(expect.arrayContaining(["opened a mail to the family", "opened a document’s name"]));
  });

  test.each([
    "/dashboard",
    "/dashboard/latest",
    "/calendar",
    "/requests",
    "/families",
    "/families/invitations",
    "/documents",
    "/money",
    "/search?q=maria",
    "/api/appointments",
    "/api/documents",
    "/api/consultation-requests",
  ])("adds one lists-opened entry if the consultant opens a list twice in an hour: %s", async (path) => {
    const at = new Date(Date.now() + (hours += 1) * 3_660_000);
    setTestClock(() => at);
    const client = await consultant();
    const entries = { where: { action: "lists-opened", actorId: adminId } };
    const before = await db.auditEntry.count(entries);
    for (const _ of ["first", "second"]) expect(await statusOf(client.get(path))).toBe(200);
    setTestClock(null);
    expect((await db.auditEntry.count(entries)) - before).toBe(1);
  });

  test.each([
    "/dashboard",
    "/requests",
    "/documents",
    "/outbox",
    "/api/appointments",
    "/api/documents",
    "/api/consultation-requests",
  ])("adds one texts-listed entry per family if a list with its text is opened twice a day: %s", async (path) => {
    const names = { firstName: "Listed", lastName: "Reader" };
    const own = await family({ ...names, intake: true });
    const request = { ...names, email: own.email, serviceNeeds: "IEP review", urgency: "emergency" };
    await db.consultationRequest.create({ data: { ...request, consent: true, userId: own.id } });
    await uploadFile(own, { bytes: textFile(10) });
    await uploadFile(admin, { bytes: textFile(10), fields: { userId: String(own.id) } });
    const visit = { title: "Hourly Consulting", type: "consultation", appointmentDate: nextFreeHour() };
    await db.appointment.create({ data: { ...visit, userId: own.id } });
    const entries = { where: { action: "texts-listed", actorId: adminId, familyId: own.id } };
    for (const _ of ["first", "second"]) expect(await statusOf(admin.get(path))).toBe(200);
    expect(await db.auditEntry.count(entries)).toBe(1);
  });

  test("adds an entry when the consultant opens a family's page, a visit's details and its payment page", async () => {
    const entries = await recordedBy(async () => {
      await admin.get(`/families/${maria.id}`);
      await admin.get(`/dashboard/appointments/${visitId}`);
      await admin.get(`/dashboard/appointments/${visitId}/payment`);
    });
    expect(entries.map(({ action, actorId, familyId }) => [action, actorId, familyId])).toEqual(
      ["family-page-opened", "appointment-opened", "appointment-opened"].map((action) => [action, adminId, maria.id]),
    );
  });

  test("adds an entry when the consultant opens one changed intake answer, as a page and as a data request", async () => {
    const own = await family({ intake: true });
    await own.post("/api/intake-forms", { ...intakeForm(own), otherConcerns: "Sleep" });
    const { id } = await db.intakeFormVersion.findFirstOrThrow({ where: { userId: own.id } });
    const query = `userId=${own.id}&version=${id}&question=Other%20concerns`;
    for (const path of ["/intake-form/changes", "/intake-form/changes.data"]) {
      const entries = await recordedBy(async () =>
        expect((await admin.get(`${path}?${query}`)).text).toContain("Sleep"),
      );
      expect(entries).toMatchObject([{ action: "intake-opened", actorId: adminId, familyId: own.id }]);
    }
  });

  test("in byte ranges adds one entry per download, also if the download starts at a later range", async () => {
    const parts = ["bytes=0-99", "bytes=100-199", "bytes=200-", "bytes=500-600"];
    const read = async (client: TestClient, ranges: string[]) => {
      for (const range of ranges)
        expect((await client.get(`/api/documents/${documentId}`, { range })).status).toBe(206);
    };
    expect(await recordedBy(() => read(maria, parts))).toHaveLength(1);
    expect(await recordedBy(() => read(maria, parts.slice(1)))).toHaveLength(0);
    expect(await recordedBy(() => read(admin, parts.slice(2)))).toHaveLength(1);
  });

  test("adds one entry per record and hour for the family's own concurrent reads, and each time for the consultant", async () => {
    const own = await family({ intake: true });
    const ids: number[] = [];
    for (let each = 0; each < 2; each += 1) ids.push((await uploadFile(own, { bytes: textFile(100) })).json.id);
    const paths = [
      "/api/intake-forms",
      "/api/documents/-1",
      `/api/documents/${ids[0]}`,
      `/documents/archive.zip?id=${ids[0]}&id=${ids[1]}&id=-1`,
    ];
    const readAll = () =>
      Promise.all(paths.flatMap((path) => [1, 2, 3].map(async () => expect((await own.get(path)).status).toBe(200))));
    const entries = await recordedBy(readAll);
    expect(entries.map(({ action }) => action).toSorted()).toEqual([
      "document-downloaded",
      "document-downloaded",
      "document-opened",
      "intake-downloaded",
      "intake-opened",
      "intake-opened",
    ]);
    expect(await recordedBy(readAll)).toEqual([]);
    expect(await recordedBy(() => admin.get(`/api/documents/${ids[0]}`))).toHaveLength(1);
    expect(await recordedBy(() => admin.get(`/api/documents/${ids[0]}`))).toHaveLength(1);
  });

  test("adds one entry for three reads of the calendar link in an hour, with the link's owner as the actor", async () => {
    const { url } = (await maria.post("/api/calendar-feed", {})).json;
    const read = () => visitor().get(new URL(url).pathname);
    const entries = await recordedBy(async () => {
      for (let times = 0; times < 3; times += 1) expect((await read()).status).toBe(200);
      expect((await visitor().get(`/calendar/${"x".repeat(43)}.ics`)).status).toBe(404);
      await maria.delete("/api/calendar-feed");
    });
    expect(entries.map(({ action, actorId, familyId }) => [action, actorId, familyId])).toEqual([
      ["calendar-link-read", maria.id, maria.id],
      ["calendar-link-ended", maria.id, maria.id],
    ]);
  });

  test("adds no entry for a HEAD request", async () => {
    expect(await recordedBy(() => maria.request("HEAD", `/api/documents/${documentId}`))).toEqual([]);
  });
});

describe("a refused request", () => {
  test.each<[string, () => Promise<{ status: number }>, string, () => number, number]>([
    ["another family's page", () => devon.get(`/families/${maria.id}`), "account", () => maria.id, 403],
    ["an unknown receipt", () => devon.get("/receipts/987654"), "payment", () => 987_654, 404],
    ["another family's account", () => devon.get(`/api/users/${maria.id}`), "account", () => maria.id, 403],
    ["another family's visit", () => devon.delete(`/api/appointments/${visitId}`), "appointment", () => visitId, 404],
    [
      "another family's document",
      () => devon.delete(`/api/documents/${documentId}`),
      "document",
      () => documentId,
      404,
    ],
  ])("adds an entry with the user and the requested record: %s", async (_, send, objectType, objectId, status) => {
    const entries = await recordedBy(async () => expect(await statusOf(send())).toBe(status));
    const refusal = { action: "access-refused", actorId: devon.id, familyId: null };
    expect(entries).toMatchObject([{ ...refusal, objectType, objectId: objectId() }]);
  });

  test("for a consultant-only page adds an entry; unknown pages, invalid ids and visitors' requests add none", async () => {
    expect(await recordedBy(() => devon.get("/families"))).toMatchObject([{ action: "access-refused" }]);
    expect(await recordedBy(() => devon.get("/no-such-page"))).toEqual([]);
    expect(await recordedBy(() => devon.get("/api/documents/no-number"))).toEqual([]);
    expect(await recordedBy(() => visitor().get(`/api/documents/${documentId}`))).toEqual([]);
  });

  test("adds no more than 60 entries when a user requests 70 unknown ids in a row", async () => {
    const prying = await family();
    const entries = await recordedBy(async () => {
      for (let id = 1; id <= 70; id += 1) await prying.get(`/api/documents/${1_000_000 + id}`);
    });
    expect(entries).toHaveLength(60);
  });
});

describe("a change", () => {
  test.each<[string, () => Promise<unknown>, string[]]>([
    [
      "name and phone",
      () => maria.form("/dashboard/profile", { firstName: "Mia", lastName: "A" }),
      ["profile-changed"],
    ],
    ["a calendar link", () => maria.post("/api/calendar-feed", {}), ["calendar-link-made"]],
    ["ending the calendar link", () => maria.delete("/api/calendar-feed"), ["calendar-link-ended"]],
    ["ending the calendar link again", () => maria.delete("/api/calendar-feed"), []],
    ["display preferences", () => maria.form("/comfort", { comfort: "large" }), ["settings-changed"]],
    ["a visit booked", () => maria.post("/api/appointments/in-person", bookingOf()), ["appointment-booked"]],
    ["a booking that fails", () => maria.post("/api/appointments/in-person", { ...bookingOf(), duration: 5 }), []],
  ])("by a family adds one entry, or none if nothing changed: %s", async (_, act, actions) => {
    const entries = await recordedBy(act);
    expect(entries.map(({ action }) => action)).toEqual(actions);
    expect(entries.every(({ actorId, familyId }) => actorId === maria.id && familyId === maria.id)).toBe(true);
  });

  test("by the consultant adds an entry with her id and the family's: notes, sharing, visits, closing accounts", async () => {
    const own = await family();
    const shared = (await uploadFile(admin, { bytes: textFile(10), fields: { userId: String(own.id) } })).json.id;
    const visit = await bookOrFail(admin, { userId: own.id });
    const entries = await recordedBy(async () => {
      await admin.form(`/families/${own.id}`, { text: "Leo's secret" });
      await admin.form(`/documents/${shared}/sharing`, { isShared: "false" });
      await admin.form(`/dashboard/appointments/${visit.id}`, { status: "completed" });
      await admin.form(`/families/${own.id}/close`, {});
      await admin.form(`/families/${own.id}/open`, {});
      await admin.delete(`/api/appointments/${visit.id}`);
      await admin.delete(`/api/documents/${shared}`);
    });
    const changes = entries.filter(({ action }) => !action.endsWith("-opened"));
    expect(changes.map(({ action }) => action)).toEqual([
      "note-added",
      "document-unshared",
      "appointment-changed",
      "account-closed",
      "account-reopened",
      "appointment-deleted",
      "document-deleted",
    ]);
    expect(changes.every(({ actorId, familyId }) => actorId === adminId && familyId === own.id)).toBe(true);
  });

  test("of a follow-up adds an entry that the family sees in its access log; a repeated change adds none", async () => {
    const own = await family();
    const path = `/families/${own.id}`;
    const due = { dueDay: "2027-01-08", followUp: "Ask about Leo's school" };
    const added = await recordedBy(() => admin.form(`${path}/follow-ups/new`, due));
    const { id } = await db.followUp.findFirstOrThrow({ where: { userId: own.id } });
    const change = (intent: string) => admin.form(path, { intent, id: String(id) });
    const changed = await recordedBy(async () => {
      for (const intent of ["done", "done", "reopened", "reopened"]) await change(intent);
      for (let press = 0; press < 2; press += 1) await admin.form(`${path}/follow-ups/${id}/delete`, {});
    });
    const ofFollowUps = [...added, ...changed].filter(({ objectType }) => objectType === "follow-up");
    const names = ["added", "done", "reopened", "deleted"].map((name) => `follow-up-${name}`);
    expect(ofFollowUps).toEqual(
      names.map((action) => ({ action, actorId: adminId, familyId: own.id, objectType: "follow-up", objectId: id })),
    );
    const { json } = await own.get("/api/me/access-log");
    const logTexts = json.map(({ what }: { what: string }) => what);
    expect(logTexts.slice(0, 4)).toEqual([
      "deleted a follow-up",
      "opened a follow-up again",
      "marked a follow-up as done",
      "added a follow-up",
    ]);
    expect((await admin.get("/activity")).visibleText).toContain("deleted a follow-up");
  });

  test("that deletes a consultation request adds an entry", async () => {
    const sent = await visitor().post("/api/consultation-requests", {
      firstName: "Ana",
      lastName: "Ruiz",
      email: "ana@example.com",
      serviceNeeds: "IEP",
      urgency: "routine",
      consent: true,
    });
    expect(sent.status).toBe(201);
    const entries = await recordedBy(() => admin.delete(`/api/consultation-requests/${sent.json.id}`));
    expect(entries).toMatchObject([{ action: "request-deleted", actorId: adminId, objectId: sent.json.id }]);
  });
});

describe("refused WebSocket connections and uploads", () => {
  test("joining the room of another family's visit or of an unknown visit adds an access-refused entry", async () => {
    for (const room of [visitId, 999_999]) {
      const entries = await recordedBy(async () => {
        const client = await connectSignaling(devon, room);
        client.sendType("join-room");
        await expectClosedWithError(client, "not-allowed");
      });
      expect(entries).toEqual([
        {
          action: "access-refused",
          actorId: devon.id,
          familyId: null,
          objectType: "appointment",
          objectId: room,
        },
      ]);
    }
  });

  test("joining the room of one's own visit before it opens adds no entry", async () => {
    const entries = await recordedBy(async () => {
      const client = await connectSignaling(maria, visitId);
      client.sendType("join-room");
      await client.closed;
    });
    expect(entries).toEqual([]);
  });

  test("a connection from another origin adds an entry if it has a family's session cookie, and none without one", async () => {
    const refusedFor = async (headers: Record<string, string>) => {
      const socket = new WebSocket(`${origin.replace("http", "ws")}/ws`, { headers });
      await new Promise((resolve) => socket.once("error", resolve));
    };
    const Origin = "https://evil.example";
    await refusedFor({ Origin });
    const entries = await recordedBy(async () => {
      await refusedFor({ Origin, Cookie: cookieHeader(devon) });
      await vi.waitFor(async () => expect(await db.auditEntry.count({ where: { action: "socket-refused" } })).toBe(1));
    });
    expect(entries).toMatchObject([{ action: "socket-refused", actorId: devon.id, familyId: null, objectId: null }]);
  });

  test("an upload of a wrong file type or for another family's visit adds an entry, a missing name does not", async () => {
    const entries = await recordedBy(async () => {
      expect((await uploadFile(devon, { fileName: "tool.exe", bytes: textFile(100) })).status).toBe(415);
      expect((await uploadFile(devon, { fields: { appointmentId: String(visitId) } })).status).toBe(404);
      expect((await uploadFile(devon, { fields: { customFileName: "" } })).status).toBe(422);
    });
    expect(entries.map(({ action, actorId, objectType }) => [action, actorId, objectType])).toEqual([
      ["upload-refused", devon.id, "document"],
      ["upload-refused", devon.id, "document"],
    ]);
    const own = await devon.get("/api/me/access-log");
    expect(own.text).not.toContain("refused");
  });
});

test("a card payment adds entries from its start to its refund, and so does a declined card", async () => {
  const own = await family({ intake: true });
  const pay = (sourceId: string) =>
    own.post("/api/payments/process", { sourceId, amount: 75, appointmentData: bookingOf() });
  const entries = await recordedBy(async () => {
    expect((await pay("cnon:card-nonce-declined")).status).toBe(402);
    const { status, json } = await pay("cnon:card-nonce-ok");
    expect(status).toBe(200);
    await own.delete(`/api/appointments/${json.appointment.id}`);
  });
  expect(entries.map(({ action }) => action)).toEqual([
    "payment-started",
    "payment-declined",
    "payment-started",
    "payment-authorized",
    "appointment-booked",
    "payment-paid",
    "refund-asked",
    "appointment-cancelled",
    "refund-made",
  ]);
  expect(entries.every(({ familyId }) => familyId === own.id)).toBe(true);
  // A family cancels; what follows from that is not told as its own doing.
  const { json } = await own.get("/api/me/access-log");
  const lines = json.map(({ who, what }: { who: string; what: string }) => `${who} ${what}`);
  expect(lines.slice(0, 3)).toEqual([
    "This website sent money back",
    "You canceled a visit",
    "This website began a refund",
  ]);
  expect(lines).toContain("You gave a card that was declined");
});

describe("sign-ins and passwords", () => {
  test("signing in, signing out and ending another device's session add one entry each", async () => {
    const own = await family();
    const entries = await recordedBy(async () => {
      const phone = await signInAs(origin, own.email, own.password, new URL(origin).port);
      const { json } = await own.get("/api/auth/sessions");
      const [other] = json.filter(({ current }: { current: boolean }) => !current);
      await own.delete(`/api/auth/sessions/${other.id}`);
      await phone.post("/api/auth/logout", {});
      await own.post("/api/auth/logout", {});
    });
    expect(entries.map(({ action }) => action)).toEqual(["signed-in", "session-ended", "signed-out"]);
    expect(entries.every(({ actorId, familyId }) => actorId === own.id && familyId === own.id)).toBe(true);
  });

  test("a failed sign-in adds an entry with the account, if it exists, and a keyed hash of the network address", async () => {
    const own = await family();
    const signIn = (email: string) => visitor().post("/api/auth/login", { email, password: "not the password" });
    const entries = await recordedBy(async () => {
      await signIn(own.email);
      await signIn("nobody-here@example.com");
      await signIn(adminEmail);
    });
    expect(entries.map(({ action, actorId, familyId, objectId }) => [action, actorId, familyId, objectId])).toEqual([
      ["sign-in-failed", null, own.id, own.id],
      ["sign-in-failed", null, null, null],
      ["sign-in-failed", null, null, adminId],
    ]);
    const [failed] = await db.auditEntry.findMany({ where: { action: "sign-in-failed" }, take: 1 });
    expect(failed?.network).toMatch(/^[\w-]{43}$/);
  });

  test("a wrong current password, a changed password and a new reset link add one entry each", async () => {
    const own = await family();
    const body = {
      currentPassword: own.password,
      newPassword: "a brand new one 7",
      confirmPassword: "a brand new one 7",
    };
    const entries = await recordedBy(async () => {
      expect((await own.post("/api/auth/change-password", { ...body, currentPassword: "wrong" })).status).toBe(422);
      expect((await own.post("/api/auth/change-password", body)).status).toBe(200);
      await admin.form("/dashboard/reset-link", { email: own.email });
    });
    expect(entries.map(({ action, actorId, familyId }) => [action, actorId, familyId])).toEqual([
      ["sign-in-failed", own.id, own.id],
      ["password-changed", own.id, own.id],
      ["reset-link-made", adminId, own.id],
    ]);
  });
});

test("no entry contains a name, an email address, a title, a file name or text that was typed", async () => {
  const entries = JSON.stringify(await db.auditEntry.findMany());
  for (const word of [maria.firstName, maria.lastName, maria.email, "Leo", "example.com", "Consultation", ".txt"])
    expect(entries).not.toContain(word);
  expect(adminPassword.length).toBeGreaterThan(5);
});

function bookingOf() {
  return { title: "Hourly Consulting", duration: 60, type: "consultation", appointmentDate: nextFreeHour() };
}
