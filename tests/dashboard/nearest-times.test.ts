// Proves that the response to a refused time offers the nearest free ones as buttons and keeps all other input.
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { TestClient } from "../support/http-client.ts";
import type { Family } from "../support/people.ts";
import { consultant, db, family, setTestClock } from "../support/site.ts";

/** Friday, 10:00 AM in the practice; Saturday is open from 9 AM to 7 PM, Friday from 3 PM to 7 PM. */
const NOW = new Date("2026-11-20T15:00:30Z");
const TAKEN = { date: "2026-11-21", time: "10:00" };

let admin: TestClient;
let maria: Family;

beforeAll(async () => {
  setTestClock(() => NOW);
  admin = await consultant();
  maria = await family({ firstName: "Maria", lastName: "Alvarez", intake: true });
});

beforeEach(async () => {
  await db.appointment.deleteMany();
  // 10 to 11 AM and 12 to 1 PM: an hour is free between them.
  for (const start of ["2026-11-21T15:00Z", "2026-11-21T17:00Z"]) await visit(start);
});

function visit(start: string, more: Record<string, unknown> = {}) {
  const fields = { userId: maria.id, title: "Hourly Consulting", type: "consultation" };
  return db.appointment.create({ data: { ...fields, appointmentDate: new Date(start), ...more } });
}

const nearest = (response: { document: Document }) =>
  [...response.document.querySelectorAll("button[name=take]")].map((button) => ({
    value: button.getAttribute("value") ?? "",
    label: button.textContent.replace(/ \(.*/, ""),
  }));

describe("a visit moved to a time that is taken", () => {
  test("gets 409 with the nearest times that are long enough, and moves to one of them", async () => {
    const { id } = await visit("2026-11-23T15:00Z", { duration: 90 });
    const path = `/dashboard/appointments/${id}/reschedule`;
    const response = await admin.form(path, TAKEN);
    expect(response.status).toBe(409);
    expect(response.visibleText).toContain("The nearest open times for 90 minutes.");
    const summary = response.document.querySelector("[data-error-summary]");
    expect(summary?.querySelector("p")?.textContent).toBe("Visit Not Moved. The visit stays where it is.");
    expect(summary?.textContent.match(/already taken/g)).toHaveLength(1);
    // The hour from 11 is too short, as is the one from 9.
    expect(nearest(response).map(({ label }) => label)).toEqual([
      "Sat, Nov 21, 1:00 PM",
      "Sat, Nov 21, 1:30 PM",
      "Sat, Nov 21, 2:00 PM",
      "Sat, Nov 21, 2:30 PM",
    ]);
    const [first] = nearest(response);
    expect((await admin.form(path, { ...TAKEN, slot: "10:00", take: first?.value ?? "" })).status).toBe(302);
    expect((await db.appointment.findUniqueOrThrow({ where: { id } })).appointmentDate).toEqual(
      new Date("2026-11-21T18:00Z"),
    );
  });

  test("is not offered its own current time", async () => {
    const { id } = await visit("2026-11-21T16:00Z");
    const answer = await admin.form(`/dashboard/appointments/${id}/reschedule`, TAKEN);
    expect(nearest(answer).map(({ label }) => label)).not.toContain("Sat, Nov 21, 11:00 AM");
    expect(nearest(answer).length).toBeGreaterThan(2);
  });

  test.each([["then"], ["2026-02-30T10:00:00.000Z"], ["+275760-09-13T00:00:00.000Z"]])(
    "is not moved by an invalid suggested time (%s) and gets 409 again",
    async (take) => {
      const { id, appointmentDate } = await visit("2026-11-23T15:00Z");
      const response = await admin.form(`/dashboard/appointments/${id}/reschedule`, { ...TAKEN, take });
      expect([response.status, nearest(response).length]).toEqual([409, 4]);
      expect((await db.appointment.findUniqueOrThrow({ where: { id } })).appointmentDate).toEqual(appointmentDate);
    },
  );

  test("is offered no times if it is canceled (409)", async () => {
    const { id } = await visit("2026-11-23T15:00Z", { status: "cancelled" });
    const response = await admin.form(`/dashboard/appointments/${id}/reschedule`, TAKEN);
    expect([response.status, nearest(response)]).toEqual([409, []]);
  });
});

const ASKED = { firstName: "Jane", lastName: "Doe", email: "jane@example.org", serviceNeeds: "IEP", consent: true };

test("scheduling a request at a suggested time keeps the title and the video option", async () => {
  const { id } = await db.consultationRequest.create({ data: { ...ASKED, urgency: "routine" } });
  const path = `/dashboard/requests/${id}/schedule`;
  const fields = { title: "First talk", isLiveVideoCall: "on", ...TAKEN };
  const response = await admin.form(path, fields);
  expect(response.visibleText).toContain("The nearest open times for 60 minutes.");
  const [first] = nearest(response);
  expect(first?.label).toBe("Sat, Nov 21, 9:00 AM");
  expect((await admin.form(path, { ...fields, take: first?.value ?? "" })).status).toBe(302);
  expect(await db.appointment.findFirstOrThrow({ where: { consultationRequestId: id } })).toMatchObject({
    title: "First talk - Jane Doe",
    isLiveVideoCall: true,
    appointmentDate: new Date("2026-11-21T14:00Z"),
  });
});

test("booking for a family at a taken time gets 409 with the nearest times and keeps the description", async () => {
  const path = `/families/${maria.id}/appointments/new`;
  const fields = { title: "Hourly Consulting", type: "consultation", duration: "60", description: "IEP", ...TAKEN };
  const response = await admin.form(path, fields);
  expect([response.status, nearest(response)[0]?.label]).toEqual([409, "Sat, Nov 21, 9:00 AM"]);
  expect(response.visibleText).toContain("The nearest open times for 60 minutes.");
  expect(response.document.querySelector("textarea[name=description]")?.textContent).toBe("IEP");
  expect((await admin.form(path, { ...fields, take: nearest(response)[0]?.value ?? "" })).status).toBe(302);
  expect(await db.appointment.count({ where: { appointmentDate: new Date("2026-11-21T14:00Z") } })).toBe(1);
});

test("scheduling a request offers times for its service's duration, and accepts one from 15 to 240 minutes", async () => {
  const { id } = await db.consultationRequest.create({ data: { ...ASKED, urgency: "routine" } });
  const path = `/dashboard/requests/${id}/schedule`;
  const plan = { title: "Initial Consultation", date: "2026-12-09", time: "09:00" };
  const lengthOf = async (query: string) => {
    const { document } = await admin.get(`${path}?date=2026-12-09${query}`);
    const last = [...document.querySelectorAll('dialog input[name="slot"]')].at(-2)?.getAttribute("value");
    return [document.querySelector('dialog input[name="duration"]')?.getAttribute("value"), last];
  };
  // That Wednesday ends at 13:30.
  expect(await lengthOf("")).toEqual(["90", "12:00"]);
  expect(await lengthOf("&title=Hourly+Consulting")).toEqual(["60", "12:30"]);
  expect(await lengthOf("&duration=30")).toEqual(["30", "13:00"]);
  expect(await lengthOf("&duration=9999")).toEqual(["9999", "12:00"]);
  for (const duration of ["14", "241", "x", "60.5"])
    expect((await admin.form(path, { ...plan, duration })).status).toBe(422);
  expect((await admin.form(path, { ...plan, duration: "90" })).status).toBe(302);
  expect(await db.appointment.findFirst({ where: { consultationRequestId: id } })).toMatchObject({ duration: 90 });
});

test("both booking forms have buttons for the next six days with open times, or for six from a later date on", async () => {
  const { id } = await db.consultationRequest.create({ data: { ...ASKED, urgency: "routine" } });
  for (const path of [`/dashboard/requests/${id}/schedule`, `/families/${maria.id}/appointments/new`]) {
    const daysOf = async (query: string) => {
      const { document } = await admin.get(`${path}?duration=60${query}`);
      const buttons = [...document.querySelectorAll('dialog button[name="freeDay"]')];
      return {
        days: buttons.map((button) => button.getAttribute("value")),
        chosen: buttons.filter((button) => button.hasAttribute("aria-current")).map((button) => button.textContent),
        legend: [...document.querySelectorAll("dialog legend")].map((legend) => legend.textContent),
      };
    };
    const first = await daysOf("");
    expect(first.days).toEqual(["2026-11-20", "2026-11-21", "2026-11-22", "2026-11-23", "2026-11-24", "2026-11-25"]);
    expect(first.chosen).toEqual(["Fri Nov 20Friday, November 20, 2026, 7 times"]);
    // Without script the date of the field is sent, too.
    const pressed = await daysOf("&date=2026-11-20&freeDay=2026-11-23");
    expect([pressed.days, pressed.legend]).toEqual([
      first.days,
      expect.arrayContaining(["Open times on Monday, November 23, 2026"]),
    ]);
    const later = await daysOf("&date=2026-12-12");
    expect([later.days[0], later.days.length]).toEqual(["2026-12-12", 6]);
    for (const odd of ["&freeDay=x", "&date=2020-01-01", "&freeDay=2040-01-01"])
      expect((await daysOf(odd)).days).toEqual(first.days);
  }
});
