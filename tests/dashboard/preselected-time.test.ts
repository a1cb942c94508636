// Proves which time and service the consultant's forms preselect, and which time wins if a slot and a time are sent.
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { TestClient } from "../support/http-client.ts";
import type { Family } from "../support/people.ts";
import { consultant, db, family, setTestClock, visitor } from "../support/site.ts";

/** Friday, 10:00 AM in the practice; Friday is open from 3 PM to 7 PM, Saturday from 9 AM to 7 PM. */
const NOW = new Date("2026-11-20T15:00:30Z");
const SATURDAY = "2026-11-21";

let admin: TestClient;
let maria: Family;

beforeAll(async () => {
  setTestClock(() => NOW);
  admin = await consultant();
  maria = await family({ intake: true });
});

beforeEach(async () => {
  await db.appointment.deleteMany();
});

async function schedulePath(): Promise<string> {
  const story = { firstName: "Jane", lastName: "Doe", email: "jane@example.org", serviceNeeds: "IEP", consent: true };
  const sent = await visitor().post("/api/consultation-requests", story);
  return `/dashboard/requests/${sent.json.id}/schedule`;
}

/** The chosen slot and the typed time of a form. */
async function chosen(path: string) {
  const { document } = await admin.get(path);
  const time = document.querySelector('dialog input[type="time"]')?.getAttribute("value") ?? "";
  return {
    day: document.querySelector('dialog input[type="date"]')?.getAttribute("value"),
    slot: document.querySelector("dialog input[name=slot][checked]")?.getAttribute("value"),
    time,
  };
}

function visit(start: string, more: Record<string, unknown> = {}) {
  const fields = { userId: maria.id, title: "Hourly Consulting", type: "consultation" };
  return db.appointment.create({ data: { ...fields, appointmentDate: new Date(start), ...more } });
}

describe("the form that schedules a request preselects", () => {
  test("the first day with a free time but no time, and refuses (422) to save without one", async () => {
    const path = await schedulePath();
    expect(await chosen(path)).toEqual({ day: "2026-11-20", time: "" });
    const sent = await admin.form(path, { title: "First talk", date: "2026-11-20", duration: "60" });
    expect(sent.status).toBe(422);
    expect(await db.appointment.count()).toBe(0);
    expect(await chosen(`/families/${maria.id}/appointments/new`)).toEqual({ day: "2026-11-20", time: "" });
  });

  test("the requested time if it is free, else the next free one with a message", async () => {
    const path = `${await schedulePath()}?date=${SATURDAY}&time=11:00`;
    expect(await chosen(path)).toEqual({ day: SATURDAY, slot: "11:00", time: "" });
    expect((await admin.get(path)).visibleText).not.toContain("is not free");
    await visit("2026-11-21T16:00Z");
    expect(await chosen(path)).toEqual({ day: SATURDAY, slot: "12:00", time: "" });
    expect((await admin.get(path)).visibleText).toContain(
      "11:00 AM is not free for 90 minutes. 12:00 PM is chosen instead.",
    );
  });

  test("a requested time outside office hours, in the time field", async () => {
    const path = `${await schedulePath()}?date=${SATURDAY}&time=20:15`;
    expect(await chosen(path)).toEqual({ day: SATURDAY, slot: "", time: "20:15" });
  });

  test("the slot chosen before the day was changed, if the new day has it", async () => {
    const path = await schedulePath();
    expect(await chosen(`${path}?date=${SATURDAY}&slot=15:00&time=`)).toMatchObject({ slot: "15:00" });
    expect(await chosen(`${path}?date=2026-11-24&slot=15:00&time=`)).toMatchObject({ slot: "18:30" });
  });
});

describe("without JavaScript, if both a slot and a time are sent", () => {
  const send = async (fields: Record<string, string>) => {
    await admin.form(await schedulePath(), { title: "First talk", date: SATURDAY, ...fields });
    return (await db.appointment.findMany()).map(({ appointmentDate }) => appointmentDate.toISOString());
  };

  test("a newly entered time wins", async () => {
    expect(await send({ slot: "09:00", time: "13:10", shownTime: "" })).toEqual(["2026-11-21T18:10:00.000Z"]);
  });

  test("the slot wins over an unchanged prefilled time", async () => {
    expect(await send({ slot: "09:00", time: "13:10", shownTime: "13:10" })).toEqual(["2026-11-21T14:00:00.000Z"]);
  });
});

test("the booking forms respond 200 to dates out of range in the query", async () => {
  for (const path of [`/families/${maria.id}/appointments/new`, await schedulePath()])
    for (const date of ["0000-01-01", "0000-12-31", "0001-01-01", "9999-12-31"]) {
      const { status } = await admin.get(`${path}?date=${date}&time=10:00&duration=60`);
      expect([path, date, status]).toEqual([path, date, 200]);
    }
});

describe("the form that books for a family preselects", () => {
  const service = async () => {
    const { document } = await admin.get(`/families/${maria.id}/appointments/new`);
    return [
      document
        .querySelector("dialog input[name=title][checked], dialog input[name=title]:not([type=radio])")
        ?.getAttribute("value"),
      document.querySelector("dialog input[name=duration]")?.getAttribute("value"),
      document.querySelector("dialog input[name=isLiveVideoCall]")?.hasAttribute("checked"),
    ];
  };

  test("service, length and kind of meeting of its last visit that was not canceled", async () => {
    await visit("2026-11-10T15:00Z", { title: "Hourly Consulting" });
    await visit("2026-11-12T15:00Z", { title: "initial consultation", duration: 45, isLiveVideoCall: true });
    await visit("2026-11-14T15:00Z", { title: "Starter Support Package", status: "cancelled" });
    expect(await service()).toEqual(["Initial Consultation", "45", true]);
  });

  test("a meeting in person after a last visit in person", async () => {
    await visit("2026-11-10T15:00Z", { title: "Hourly Consulting", isLiveVideoCall: true });
    await visit("2026-11-12T15:00Z", { title: "Hourly Consulting", duration: 75 });
    expect(await service()).toEqual(["Hourly Consulting", "75", false]);
  });

  test("no service if it has no visit or only one with an unknown title", async () => {
    const none = await service();
    await visit("2026-11-12T15:00Z", { title: "Coffee" });
    expect(await service()).toEqual(none);
    expect(none).not.toContain("Hourly Consulting");
  });
});
