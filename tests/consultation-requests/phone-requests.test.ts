// Proves how the consultant enters a request made by phone, and that it is kept apart from what visitors send.
import { beforeAll, describe, expect, test } from "vitest";
import type { TestClient } from "../support/http-client.ts";
import { environmentOverrides } from "../support/environment-overrides.ts";

environmentOverrides.RATE_LIMITS = "on";
const { consultant, db, family, setTestClock, visitor } = await import("../support/site.ts");

setTestClock(() => new Date("2026-11-20T15:00:30Z"));

const CALL = {
  firstName: "Dolores",
  lastName: "Vega",
  phone: "(848) 555-0110",
  serviceNeeds: "Her son starts school in January",
  urgency: "urgent",
  consent: "on",
};
const PATH = "/requests/new";

let admin: TestClient;

beforeAll(async () => {
  admin = await consultant();
});

const newest = () => db.consultationRequest.findFirstOrThrow({ orderBy: { id: "desc" } });

describe("a request made by phone", () => {
  test("redirects to its scheduling, is marked as entered by the consultant, and sends no email", async () => {
    const messages = await db.message.count();
    const response = await admin.form(PATH, CALL);
    const { id, ...stored } = await newest();
    expect([response.status, response.headers.location]).toEqual([
      302,
      `/dashboard/requests/${id}/schedule?from=%2Frequests`,
    ]);
    expect(stored).toMatchObject({ ...CALL, consent: true, email: "", status: "pending", userId: null, network: null });
    expect(stored).toMatchObject({ isEntered: true, message: null, wideNetwork: null });
    expect(await db.message.count()).toBe(messages);
    const page = await admin.follow(response);
    expect(page.visibleText).toContain("Request added");
    expect(page.visibleText).toContain("Entered by you");
    const { document } = await admin.get("/requests?q=vega");
    expect(document.querySelectorAll('main li a[href^="mailto:"]')).toHaveLength(0);
    expect(document.querySelector('main li a[href="tel:8485550110"]')).not.toBeNull();
    const [entry] = await db.auditEntry.findMany({ where: { action: "request-entered" } });
    expect(entry).toMatchObject({ objectId: id, familyId: null });
  });

  test("keeps the date and time that were chosen in the calendar", async () => {
    const query = "date=2026-12-05&time=14%3A00&from=%2Fcalendar%3Fview%3Dday&other=x";
    const { document } = await admin.get("/calendar/new?view=day&day=2026-12-05&time=14:00");
    expect(document.querySelector('main a[href^="/requests/new?date=2026-12-05&time=14%3A00&from="]')).not.toBeNull();
    const response = await admin.form(`${PATH}?${query}`, CALL);
    const [, sent] = (response.headers.location ?? "").split("?");
    expect(Object.fromEntries(new URLSearchParams(sent))).toEqual({
      date: "2026-12-05",
      time: "14:00",
      from: "/calendar?view=day",
    });
  });

  test("can be scheduled without an email address; its pages link to the phone number only", async () => {
    await admin.form(PATH, CALL);
    const { id } = await newest();
    const fields = { title: "Initial Consultation", duration: "90", date: "2026-12-06", time: "10:00" };
    expect((await admin.form(`/dashboard/requests/${id}/schedule`, fields)).status).toBe(302);
    const { id: visit } = await db.appointment.findFirstOrThrow({ where: { consultationRequestId: id } });
    for (const path of ["/dashboard", `/dashboard/appointments/${visit}`]) {
      const { document } = await admin.get(path);
      expect([path, document.querySelectorAll('main a[href^="mailto:"]').length > 0]).toEqual([path, false]);
      expect(document.querySelector('main a[href="tel:8485550110"]')).not.toBeNull();
    }
  });

  test("is confirmed by email only when the consultant chooses that", async () => {
    const email = "Dolores.Vega@Example.org";
    await admin.form(PATH, { ...CALL, email, sendsConfirmation: "on" });
    const { id, email: stored } = await newest();
    const mail = await db.message.findMany({ where: { event: "request-received" } });
    expect([stored, mail.map(({ address, key }) => [address, key.includes(String(id))])]).toEqual([
      "dolores.vega@example.org",
      [["dolores.vega@example.org", true]],
    ]);
    await admin.form(PATH, { ...CALL, email });
    expect(await db.message.count({ where: { event: "request-received" } })).toBe(1);
    expect(await db.message.count({ where: { event: "new-request" } })).toBe(0);
  });

  test.each([
    ["no phone number or email address", { phone: "" }, "Enter a phone number or an email address."],
    ["an invalid email address", { email: "dolores@" }, "Enter an email address such as name@example.com."],
    [
      "a confirmation without an email address",
      { sendsConfirmation: "on" },
      "Enter the address that the message goes to.",
    ],
    ["no consent", { consent: "" }, "Check this box once they have agreed"],
    ["no first name", { firstName: " " }, "Enter the first name."],
    ["no description of the needs", { serviceNeeds: "" }, "Write in a few words what they need."],
    ["a description of more than 5,000 characters", { serviceNeeds: "x".repeat(5_001) }, "5,000 characters"],
    ["an unknown urgency", { urgency: "now" }, "The urgency must be one of"],
  ])("is refused with %s, and the typed name is kept", async (_, changes, message) => {
    const before = await db.consultationRequest.count();
    const response = await admin.form(PATH, { ...CALL, ...changes });
    expect([response.status, response.visibleText.includes(message)]).toEqual([422, true]);
    expect(response.document.querySelector('input[name="lastName"]')?.getAttribute("value")).toBe("Vega");
    expect(await db.consultationRequest.count()).toBe(before);
  });

  test("can be entered by the consultant only, and the API doesn't return the mark", async () => {
    for (let number = 0; number < 12; number += 1) expect((await admin.form(PATH, CALL)).status).toBe(302);
    const before = await db.consultationRequest.count();
    expect((await (await family()).form(PATH, CALL)).status).toBe(403);
    expect((await visitor().form(PATH, CALL)).status).toBe(302);
    expect(await db.consultationRequest.count()).toBe(before);
    const sent = await visitor().post("/api/consultation-requests", { ...CALL, email: "v@example.org", consent: true });
    expect(sent.status).toBe(201);
    expect(Object.keys(sent.json)).not.toContain("isEntered");
    const { json } = await admin.get("/api/consultation-requests");
    expect(json.every((request: object) => !("isEntered" in request))).toBe(true);
  });
});
