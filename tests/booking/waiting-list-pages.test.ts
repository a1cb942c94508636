// Proves what a family reads about the days that it waits for and the times that are held for it.
import { beforeAll, expect, test } from "vitest";
import { TEST_NOW } from "../support/bookings.ts";
import type { Family } from "../support/people.ts";
import { db, family, setTestClock, testing } from "../support/site.ts";

const PATH = "/appointments/waiting-list";
const HOUR_MS = 3_600_000;
setTestClock(() => TEST_NOW);
// Otherwise the job that offers free times would offer these.
beforeAll(() => testing.stopJobs());

/** Maria waits for two Mondays, and is offered 10 AM on the first until 1 PM today. */
async function offeredOneOfTwoDays(): Promise<Family> {
  const maria = await family({ intake: true });
  const time = { appointmentDate: new Date("2026-12-07T15:00Z"), duration: 60 };
  const offer = { ...time, expiresAt: new Date(TEST_NOW.getTime() + 3 * HOUR_MS), createdAt: TEST_NOW };
  const entry = { userId: maria.id, duration: 60, joinedAt: TEST_NOW };
  await db.waitingListEntry.create({ data: { ...entry, day: "2026-12-07", offers: { create: offer } } });
  await db.waitingListEntry.create({ data: { ...entry, day: "2026-12-14" } });
  return maria;
}

test("a family that is offered a time is not told that it waits for that day, only for others", async () => {
  const maria = await offeredOneOfTwoDays();
  const page = await maria.get(PATH);
  expect(page.visibleText).toContain("A time has opened up: Mon, Dec 7, 2026 at 10:00 AM ET");
  expect(page.cardText("You are waiting for")).toContain("Monday, December 14, 2026");
  expect(page.cardText("You are waiting for")).not.toContain("December 7");
  const leave = [...page.document.querySelectorAll("button[value=leave]")].map((each) =>
    each.getAttribute("aria-label"),
  );
  const days = ["Monday, December 7, 2026", "Monday, December 14, 2026"];
  expect(leave).toEqual(days.map((day) => `Leave the list of ${day}`));
  const { id } = await db.waitingListOffer.findFirstOrThrow({ where: { entry: { userId: maria.id } } });
  await maria.form(PATH, { id: String(id), change: "decline" });
  expect((await maria.get(PATH)).cardText("You are waiting for")).toContain("Monday, December 7, 2026");
});

test("a family that is offered the only day it waits for sees no list of days", async () => {
  const maria = await offeredOneOfTwoDays();
  await db.waitingListEntry.deleteMany({ where: { userId: maria.id, day: "2026-12-14" } });
  const { visibleText } = await maria.get(PATH);
  expect(visibleText).toContain("A time has opened up");
  expect(visibleText).not.toContain("You are waiting for");
});

test("a time that is held for a family is above its appointments, until when, as the next thing to do", async () => {
  const maria = await offeredOneOfTwoDays();
  const page = await maria.get("/appointments");
  const [first] = [...page.document.querySelectorAll("main h2")].map((heading) => heading.textContent);
  expect(first).toBe("Held for you");
  expect(page.cardText("Held for you")).toContain("A time has opened up: Mon, Dec 7, 2026 at 10:00 AM ET");
  expect(page.cardText("Held for you")).toContain("until Fri, Nov 20, 2026 at 1:00 PM ET");
  const primary = [...page.document.querySelectorAll("main .button-primary")];
  expect(primary.map((link) => link.getAttribute("href"))).toEqual([PATH]);
  const other = await family({ intake: true });
  expect((await other.get("/appointments")).visibleText).not.toContain("Held for you");
  await db.waitingListOffer.updateMany({
    where: { entry: { userId: maria.id } },
    data: { expiresAt: TEST_NOW },
  });
  expect((await maria.get("/appointments")).visibleText).not.toContain("Held for you");
});

const waitButton = (dialog: Document) =>
  [...dialog.querySelectorAll("button[name=wait]")].find(
    ({ textContent }) => textContent === "Ask us to tell you when a time opens",
  );

test("a family that asks in the booking dialog to wait brings the day, service and length of its booking along", async () => {
  const maria = await family({ intake: true });
  const { document: dialog } = await maria.get("/appointments/new?date=2026-12-07");
  expect(waitButton(dialog)?.getAttribute("value")).toBe("");
  const booking = { title: "Initial Consultation", duration: "90", wait: "" };
  const requests: Record<string, string>[] = [
    { date: "2026-12-07" },
    { date: "2026-12-05", appointmentDate: "2026-12-07T10:00" },
    { date: "2026-12-05", wait: "2026-12-07" },
  ];
  for (const days of requests) {
    const response = await maria.form("/appointments/new", { ...booking, ...days });
    expect(response.headers.location).toBe(`${PATH}?day=2026-12-07&service=Initial+Consultation&duration=90`);
    const { document: page } = await maria.follow(response);
    expect(page.querySelector("input[name=day]")?.getAttribute("value")).toBe("2026-12-07");
    expect(page.querySelector("input[name=duration][checked]")?.getAttribute("value")).toBe("90");
  }
});

test("a family that asks for a day without open times is asked whether to wait for that day", async () => {
  const maria = await family({ intake: true });
  const visit = { userId: maria.id, title: "Hourly Consulting", type: "consultation" };
  await db.appointment.create({ data: { ...visit, duration: 150, appointmentDate: new Date("2026-12-08T23:30Z") } });
  const { document: dialog } = await maria.get("/appointments/new?date=2026-12-08");
  expect(dialog.querySelector("input[name=date]")?.getAttribute("value")).not.toBe("2026-12-08");
  expect(waitButton(dialog)?.getAttribute("value")).toBe("2026-12-08");
});

test("a family that wants to wait for a day with open times is shown the way to them, and no error", async () => {
  const maria = await family({ intake: true });
  const page = await maria.form(PATH, { day: "2026-12-07", duration: "90" });
  expect(page.status).toBe(422);
  expect(page.visibleText).toContain("Good news: Monday, December 7, 2026 has open times.");
  expect(page.visibleText).not.toMatch(/There is a problem|You are not on the list/);
  expect(page.document.querySelector("input[name=duration][checked]")?.getAttribute("value")).toBe("90");
  expect(await db.waitingListEntry.count({ where: { userId: maria.id } })).toBe(0);
  const link = page.document.querySelector("[role=status] a[href^='/appointments/new']")?.getAttribute("href");
  const { document: dialog } = await maria.get(link ?? "");
  expect(dialog.querySelector("input[name=date]")?.getAttribute("value")).toBe("2026-12-07");
});
