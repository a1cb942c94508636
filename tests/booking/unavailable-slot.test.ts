// Proves that a family whose held time becomes unavailable keeps the rest of its booking and is not charged.
import { afterEach, describe, expect, test } from "vitest";
import { consultant, db, family, setTestClock } from "../support/site.ts";
import type { Family } from "../support/people.ts";

const NOW = new Date("2026-11-20T15:00:00Z");
const MINUTE = 60_000;
const atMinute = (minutes: number) => setTestClock(() => new Date(NOW.getTime() + minutes * MINUTE));
atMinute(0);
afterEach(() => atMinute(0));

const LOST = "Mon, Jan 11, 10:00 AM is taken";
const KEPT = "everything else you chose is saved, so just pick another time:";

const choose = (person: Family, changes = {}) =>
  person.form("/appointments/new", {
    title: "Hourly Consulting",
    appointmentDate: "2027-01-11T10:00",
    duration: "60",
    type: "consultation",
    paymentMethod: "online",
    notes: "Reading takes all evening.",
    ...changes,
  });
const payWithCard = (person: Family) =>
  person.form("/appointments/pay", {
    intent: "card",
    sourceId: "cnon:card-nonce-ok",
    cents: "7500",
    key: crypto.randomUUID(),
  });

test("a hold that expires on the payment page is lost to the next booking: no charge, other fields are kept", async () => {
  const [slow, quick] = [await family({ intake: true }), await family({ intake: true })];
  await choose(slow);
  expect((await slow.get("/appointments/pay")).visibleText).toContain("Your time is Mon, Jan 11, 10:00 AM.");
  atMinute(16);
  expect((await choose(quick, { paymentMethod: "in-person" })).headers.location).toMatch(/\/booked$/);

  // Whoever loads the page again learns it before typing a card number.
  expect((await slow.get("/appointments/pay")).headers.location).toBe("/appointments/new?again");
  for (const response of [await payWithCard(slow), await slow.form("/appointments/pay", { intent: "hosted" })])
    expect([response.status, response.headers.location]).toEqual([302, "/appointments/new?again=payment"]);
  expect(await db.payment.count({ where: { userId: slow.id, state: { notIn: ["declined", "voided"] } } })).toBe(0);

  const page = await slow.get("/appointments/new?again=payment");
  expect(page.status).toBe(200);
  expect(page.visibleText).toContain(`${LOST}, and your card was not charged; ${KEPT}`);
  expect(page.document.querySelector("[data-error-summary]")).toBeNull();
  expect(page.document.querySelector("textarea[name=notes]")?.textContent).toBe("Reading takes all evening.");
  expect(page.document.querySelector("input[name=paymentMethod][value=online]")?.hasAttribute("checked")).toBe(true);
  const take = [...page.document.querySelectorAll("button[name=take]")].map((button) => button.getAttribute("value"));
  expect(take).toHaveLength(4);

  const taken = await slow.form("/appointments/new", { take: take[0] ?? "" });
  expect(taken.headers.location).toBe("/appointments/pay");
  expect((await payWithCard(slow)).headers.location).toMatch(/\/booked$/);
  const booked = await db.appointment.findFirstOrThrow({ where: { userId: slow.id } });
  expect([booked.appointmentDate.toISOString(), booked.notes]).toEqual([take[0], "Reading takes all evening."]);
});

test("a time lost before payment: no mention of a card, and neither family learns about the other", async () => {
  const [slow, quick] = [await family({ intake: true }), await family({ intake: true })];
  const later = { appointmentDate: "2027-01-18T10:00" };
  await choose(slow, later);
  atMinute(16);
  await choose(quick, { ...later, paymentMethod: "in-person" });
  const page = await slow.get("/appointments/new?again");
  expect(page.visibleText).toContain(`Mon, Jan 18, 10:00 AM is taken; ${KEPT}`);
  expect(page.text).not.toContain(quick.lastName + "<");
  expect((await quick.get("/appointments/new?again=payment")).visibleText).not.toContain("is taken");
});

describe("a time that starts while it is held", () => {
  /** A time of this afternoon, in minutes after the present, as it is sent, and as pages write it. */
  const times = {
    paying: { minute: 390, sent: { appointmentDate: "2026-11-20T16:30" }, time: "4:30 PM" },
    intake: { minute: 450, sent: { appointmentDate: "2026-11-20T17:30" }, time: "5:30 PM" },
    inPerson: { minute: 480, sent: { appointmentDate: "2026-11-20T18:00" }, time: "6:00 PM" },
  };

  test("is held only until its start, and is then lost on the payment page without a charge or error summary", async () => {
    const { minute, sent, time } = times.paying;
    const person = await family({ intake: true });
    atMinute(minute - 10);
    await choose(person, sent);
    expect((await person.get("/appointments/pay")).visibleText).toContain(`for you until ${time} ET`);
    atMinute(minute + 1);
    expect((await person.get("/appointments/pay")).headers.location).toBe("/appointments/new?again");
    for (const response of [await payWithCard(person), await person.form("/appointments/pay", { intent: "hosted" })])
      expect([response.status, response.headers.location]).toEqual([302, "/appointments/new?again=payment"]);
    expect(await db.payment.count({ where: { userId: person.id } })).toBe(0);

    const page = await person.get("/appointments/new?again=payment");
    expect([page.status, page.document.querySelector("[data-error-summary]")]).toEqual([200, null]);
    expect(page.visibleText).toContain(
      `Fri, Nov 20, ${time} has started, so it can't be booked anymore, and your card was not charged; ${KEPT}`,
    );
    expect(page.visibleText).not.toContain("Cannot book appointments in the past");
    expect(page.document.querySelectorAll("button[name=take]")).toHaveLength(4);
  });

  test("is lost while the family fills in the intake form, and the form says so", async () => {
    const { minute, sent, time } = times.intake;
    const person = await family();
    atMinute(minute - 10);
    await choose(person, sent);
    expect((await person.get("/appointments/intake-form")).visibleText).toContain(`for you until ${time} ET`);
    atMinute(minute + 1);
    const step = (await person.get("/appointments/intake-form?step=client")).visibleText;
    expect(step).toContain(`Fri, Nov 20, ${time} has started, so it can't be booked anymore.`);
    expect(step).not.toContain("Held for you");
  });

  test("is lost if the family then chooses payment in person", async () => {
    const { minute, sent, time } = times.inPerson;
    const person = await family({ intake: true });
    atMinute(minute - 10);
    await choose(person, sent);
    atMinute(minute + 1);
    const response = await person.form("/appointments/pay", { intent: "in-person" });
    expect(response.headers.location).toBe("/appointments/new?again");
    const page = await person.get("/appointments/new?again");
    expect(page.visibleText).toContain(`Fri, Nov 20, ${time} has started, so it can't be booked anymore; ${KEPT}`);
    expect(page.document.querySelector("[data-error-summary]")).toBeNull();
  });
});

test("a typed time that can't be booked is shown with the reason in the booking dialog and the intake form", async () => {
  const person = await family();
  await choose(person, { appointmentDate: "2026-12-08T10:00" });
  const why = "Tue, Dec 8, 10:00 AM can't be booked. That is outside office hours. On Tuesdays the office is open";
  for (const path of ["/appointments/new", "/appointments/intake-form?step=client"])
    expect((await person.get(path)).visibleText).toContain(why);
  await choose(person, { appointmentDate: "2026-11-19T10:00" });
  expect((await person.get("/appointments/new")).visibleText).toContain(
    "Thu, Nov 19, 10:00 AM is in the past, so it can't be booked anymore; everything else you chose is saved",
  );
});

test("a typed date in the year 9999 or 0000 gets 422, and the booking page still opens", async () => {
  const person = await family({ intake: true });
  for (const changes of [
    { appointmentDate: "9999-12-31T10:00" },
    { appointmentDate: "", slot: "9999-12-31T10:00:00Z" },
    { appointmentDate: "0000-01-01T10:00" },
  ]) {
    expect([changes, (await choose(person, changes)).status]).toEqual([changes, 422]);
    for (const path of ["/appointments/new", "/appointments/new?again"])
      expect([changes, path, (await person.get(path)).status]).toEqual([changes, path, 200]);
  }
});

test("a refused time without any other free ones is followed by no empty list", async () => {
  const person = await family({ intake: true });
  const days = Array.from({ length: 800 }, (_, day) => new Date(NOW.getTime() + day * 1440 * MINUTE));
  await db.hoursOverride.createMany({ data: days.map((day) => ({ day: day.toISOString().slice(0, 10) })) });
  // The hours are cached for a second; a change on the page ends the cache.
  const closed = await (await consultant()).form("/calendar/hours", { kind: "closed", from: "2027-01-11" });
  expect(closed.status).toBe(302);
  const page = await choose(person);
  expect(page.status).toBe(422);
  expect(page.visibleText).toContain("else you chose is saved, so just pick another time.");
  expect([...page.document.querySelectorAll(".nearest-times")].map(({ textContent }) => textContent)).toEqual([]);
});
