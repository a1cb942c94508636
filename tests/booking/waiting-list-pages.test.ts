// Proves what a family reads about the days that it waits for and the times that are held for it.
import { expect, test } from "vitest";
import { TEST_NOW } from "../support/bookings.ts";
import type { Family } from "../support/people.ts";
import { db, family, setTestClock } from "../support/site.ts";

const PATH = "/appointments/waiting-list";
const HOUR_MS = 3_600_000;
setTestClock(() => TEST_NOW);

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
  expect(leave).toEqual(["Leave the list of Monday, December 14, 2026"]);
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
