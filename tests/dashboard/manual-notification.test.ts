// Proves that the consultant sees whom no email reaches about a visit, until she marks them as told.
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { TestClient, TestResponse } from "../support/http-client.ts";
import { beforeNextTransaction } from "../support/database/interleave.ts";
import type { Family } from "../support/people.ts";
import { consultant, db, family, setTestClock, testing, visitor } from "../support/site.ts";

const NOW = new Date("2026-11-20T15:00:30Z");

let admin: TestClient;
let maria: Family;

beforeAll(async () => {
  // Their transactions would be interrupted in place of the tested ones.
  await testing.stopJobs();
  setTestClock(() => NOW);
  admin = await consultant();
  maria = await family({ intake: true });
});

beforeEach(async () => {
  setTestClock(() => NOW);
  await db.appointment.deleteMany();
});

const SENDER = {
  firstName: "Shanice",
  lastName: "Robinson",
  email: "shanice+school@example.org",
  phone: "(848) 555-0112",
  serviceNeeds: "Suspended twice",
  consent: true,
};

async function schedule(from: TestClient = visitor(), changes: object = {}, time = "10:00") {
  const sent = await from.post("/api/consultation-requests", { ...SENDER, ...changes });
  const fields = { title: "First talk", date: "2026-11-22", time };
  const answer = await admin.form(`/dashboard/requests/${sent.json.id}/schedule`, fields);
  const visit = await db.appointment.findFirstOrThrow({ where: { consultationRequestId: sent.json.id } });
  return { answer, visit, details: `/dashboard/appointments/${visit.id}` };
}

/** The rows under *Not told yet* of her dashboard. */
async function pendingNotifications(): Promise<HTMLElement[]> {
  const { document } = await admin.get("/dashboard");
  const heading = [...document.querySelectorAll("h3")].find(({ textContent }) => textContent === "Not told yet");
  return [...(heading?.closest("details")?.querySelectorAll<HTMLElement>("li") ?? [])];
}

/** The message that the row's link opens. */
const mailIn = (row: HTMLElement | undefined) =>
  decodeURIComponent(row?.querySelector('a[href^="mailto:"]')?.getAttribute("href") ?? "");
const dialogText = (page: TestResponse) =>
  page.document.querySelector("dialog")?.textContent?.replace(/\s+/g, " ") ?? "";
const tell = (visit: { id: number }, fields: Record<string, string> = {}) =>
  admin.form(`/dashboard/appointments/${visit.id}/told`, fields);

describe("a person without an account", () => {
  test("is listed as not told of a scheduled visit, with a phone link and a prefilled email", async () => {
    const { answer, details } = await schedule();
    expect((await admin.follow(answer)).visibleText).toContain("Shanice Robinson doesn't know yet: call or write.");
    const [row, ...others] = await pendingNotifications();
    expect(others).toEqual([]);
    expect(row?.textContent).toContain("doesn't know yet");
    expect(row?.querySelector('a[href="tel:8485550112"]')).not.toBeNull();
    const mail = mailIn(row);
    expect(mail).toContain("mailto:shanice+school@example.org?subject=Your visit - ");
    expect(mail).toContain("Your visit is scheduled for Sun, Nov 22, 2026 at 10:00 AM ET.");
    expect(dialogText(await admin.get(details))).toContain("Shanice Robinson doesn't know yet.");
    expect((await admin.get("/dashboard?q=Shanice")).document.querySelector("#appointments")?.textContent).toContain(
      "doesn't know yet",
    );
  });

  test("is one of at most four listed; the link to the others leads to all of them, in the list of visits", async () => {
    for (let hour = 10; hour < 16; hour += 1) await schedule(visitor(), {}, `${hour}:00`);
    await schedule(maria, {}, "16:00");
    const rows = await pendingNotifications();
    const more = rows.at(-1)?.querySelector("a");
    expect([rows.length, more?.textContent]).toEqual([5, "2 more to tell"]);
    const { document } = await admin.get(more?.getAttribute("href") ?? "");
    const listed = document.querySelector("#appointments")?.textContent ?? "";
    expect(listed).toContain("6 appointments found.");
    expect(listed.match(/doesn't know yet/g)).toHaveLength(6);
  });

  test("leaves the list when marked as told, with the time, and is listed again when that is undone", async () => {
    const { visit, details } = await schedule();
    const response = await tell(visit);
    expect([response.status, response.headers.location]).toEqual([302, "/dashboard"]);
    expect(await pendingNotifications()).toEqual([]);
    expect((await db.appointment.findUniqueOrThrow({ where: { id: visit.id } })).toldAt).toEqual(NOW);
    expect(dialogText(await admin.get(details))).toContain(
      "Shanice Robinson was told: marked Fri, Nov 20, 2026 at 10:00 AM ET.",
    );
    await tell(visit, { told: "no" });
    expect(await pendingNotifications()).toHaveLength(1);
  });

  test("has to be told of the new time when the visit is moved", async () => {
    const { visit } = await schedule();
    await tell(visit);
    const moved = await admin.form(`/dashboard/appointments/${visit.id}/reschedule`, {
      date: "2026-11-22",
      time: "12:00",
    });
    expect((await admin.follow(moved)).visibleText).toContain(
      "Shanice Robinson doesn't know the new time or place yet",
    );
    expect((await pendingNotifications())[0]?.textContent).toContain("doesn't know the new time or place yet");
  });

  test("has to be told of another place of the practice, which the prepared message names", async () => {
    const { visit } = await schedule();
    await tell(visit);
    expect((await admin.form("/practice-details", { meetingPlace: "9 Harbor Street" })).status).toBe(302);
    const [row] = await pendingNotifications();
    await admin.form("/practice-details", { meetingPlace: "" });
    expect(row?.textContent).toContain("doesn't know yet");
    expect(mailIn(row)).toContain("scheduled for Sun, Nov 22, 2026 at 10:00 AM ET. We meet here: 9 Harbor Street.");
  });

  test("has to be told of a cancellation only if marked as told of the visit before", async () => {
    const never = await schedule();
    await admin.form(`${never.details}/cancel`, { reason: "Mistake" });
    expect(await pendingNotifications()).toEqual([]);
    const { visit, details } = await schedule();
    await tell(visit);
    expect(dialogText(await admin.get(`${details}/cancel`))).toContain("please call or write");
    await admin.form(`${details}/cancel`, { reason: "Ill" });
    const [row] = await pendingNotifications();
    expect(row?.textContent).toContain("doesn't know yet that it's canceled");
    expect(mailIn(row)).toContain("Your visit on Sun, Nov 22, 2026 at 10:00 AM ET is canceled. Ill");
    await tell(visit);
    expect(await pendingNotifications()).toEqual([]);
  });

  test("has to be told of a cancellation after a move that was not told, because the first time is known", async () => {
    const { visit, details } = await schedule();
    await tell(visit);
    await admin.form(`${details}/reschedule`, { date: "2026-11-22", time: "12:00" });
    await admin.form(`${details}/cancel`, { reason: "Ill" });
    expect((await pendingNotifications())[0]?.textContent).toContain("doesn't know yet that it's canceled");
  });

  test.each([
    ["moved once more", { appointmentDate: new Date("2026-11-22T19:00Z") }],
    ["canceled", { status: "cancelled" }],
  ])(
    "stays on the list if the visit is %s while the consultant marks the earlier state as told",
    async (_, changes) => {
      const { visit } = await schedule();
      await db.appointment.update({ where: { id: visit.id }, data: { status: "rescheduled" } });
      beforeNextTransaction(db, () => db.appointment.update({ where: { id: visit.id }, data: changes }));
      expect((await tell(visit)).status).toBe(302);
      expect(await db.appointment.findUniqueOrThrow({ where: { id: visit.id } })).toMatchObject({
        ...changes,
        toldAt: null,
      });
      expect(await pendingNotifications()).toHaveLength(1);
    },
  );

  test("leaves the list when the visit has started or is in an account", async () => {
    const { visit } = await schedule();
    setTestClock(() => visit.appointmentDate);
    expect(await pendingNotifications()).toEqual([]);
    setTestClock(() => NOW);
    await db.appointment.update({ where: { id: visit.id }, data: { userId: maria.id } });
    expect(await pendingNotifications()).toEqual([]);
    const refused = await admin.follow(await tell(visit));
    expect(refused.visibleText).toContain("This visit belongs to an account now, which gets our messages.");
  });
});

test("for a family with an account the list is empty and the consultant reads that it gets a message", async () => {
  const { answer } = await schedule(maria);
  expect((await admin.follow(answer)).visibleText).toContain("The family gets a message in their portal.");
  expect(await pendingNotifications()).toEqual([]);
  const booked = await admin.form(`/families/${maria.id}/appointments/new`, {
    title: "Hourly Consulting",
    type: "consultation",
    duration: "60",
    date: "2026-11-23",
    time: "10:00",
  });
  expect((await admin.follow(booked)).visibleText).toContain("The family gets a message in their portal.");
});

test("where no mail is sent the details have a link to a message about the visit, its new time or its cancellation", async () => {
  const { details } = await schedule(maria);
  const message = async () => {
    const links = [...(await admin.get(details)).document.querySelectorAll("dialog a")];
    const link = links.find(({ textContent }) => textContent === "Tell the family by email");
    return decodeURIComponent(link?.getAttribute("href") ?? "");
  };
  const start = await message();
  expect(start).toContain(`mailto:${maria.email}?subject=Your visit - `);
  expect(start).toContain("Your visit is scheduled for Sun, Nov 22, 2026 at 10:00 AM ET.");
  await admin.form(`${details}/reschedule`, { date: "2026-11-22", time: "12:00" });
  expect(await message()).toContain("Your visit is moved to Sun, Nov 22, 2026 at 12:00 PM ET.");
  await admin.form(`${details}/cancel`, { reason: "I am ill." });
  expect(await message()).toContain("Your visit on Sun, Nov 22, 2026 at 12:00 PM ET is canceled. I am ill.");
  await db.appointment.updateMany({ data: { appointmentDate: new Date("2026-11-20T15:00:00Z") } });
  expect(await message()).toBe("");
});

test("the API returns no field about who was told", async () => {
  const { visit } = await schedule();
  expect(JSON.stringify((await admin.get(`/api/appointments/${visit.id}`)).json)).not.toContain("told");
});
