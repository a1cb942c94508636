// Proves that a chosen time is held for a family during booking: for how long, and what happens in conflicts.
import { afterEach, describe, expect, test } from "vitest";
import { sortedStatuses } from "../support/bookings.ts";
import { db, family, setTestClock } from "../support/site.ts";
import { intakeForm, type Family } from "../support/people.ts";

const NOW = new Date("2026-11-20T15:00:00Z");
const MINUTE = 60_000;
const atMinute = (minutes: number) => setTestClock(() => new Date(NOW.getTime() + minutes * MINUTE));
atMinute(0);
afterEach(() => atMinute(0));

/** Mondays at ten, each handed out once, as the page writes them. */
let weeks = 0;
const nextWallTime = () =>
  `${new Date(Date.parse("2027-01-04Z") + weeks++ * 7 * 86_400_000).toISOString().slice(0, 10)}T10:00`;

const choose = (person: Family, appointmentDate: string, changes = {}) =>
  person.form("/appointments/new", {
    title: "Hourly Consulting",
    appointmentDate,
    duration: "60",
    type: "consultation",
    paymentMethod: "online",
    ...changes,
  });
const ask = async (person: Family, wallTime: string) => {
  const [date, time] = wallTime.split("T");
  return (await person.get(`/api/appointments/availability?date=${date}&time=${time}&duration=60`)).json;
};
const saveConcerns = (person: Family) =>
  person.form("/appointments/intake-form?step=concerns", { otherConcerns: "The bus", intent: "keep" });
const holdOf = (person: Family) => db.hold.findFirst({ where: { userId: person.id } });

describe("the time a family has chosen", () => {
  test("is unavailable to other families, available to the family, and not listed as an appointment", async () => {
    const [person, other] = [await family(), await family()];
    const time = nextWallTime();
    expect((await choose(person, time)).headers.location).toBe("/appointments/intake-form");
    expect((await ask(other, time)).available).toBe(false);
    expect((await ask(person, time)).available).toBe(true);
    expect((await person.get("/api/appointments")).json).toEqual([]);
  });

  test("is held for 15 minutes, and the intake form and payment pages show until when", async () => {
    const person = await family();
    await choose(person, "2027-06-01T18:30");
    const words = "Held for you until 10:15 AM ETYour time is Tue, Jun 1, 6:30 PM.";
    for (const path of ["", "?step=client", "?step=additional"])
      expect((await person.get(`/appointments/intake-form${path}`)).visibleText).toContain(words);
    await person.post("/api/intake-forms", intakeForm(person));
    await choose(person, "2027-06-01T18:30");
    expect((await person.get("/appointments/pay")).visibleText).toContain(words);
  });

  test("is still held in the dialog that changes the booking, which says until when", async () => {
    const person = await family({ intake: true });
    await choose(person, "2027-06-08T18:30");
    const status = async () => {
      const { document } = await person.get("/appointments/new");
      return document.querySelector('[data-booking-step="2"] [role=status]')?.textContent;
    };
    expect(await status()).toBe("Tue, Jun 8, 6:30 PM is held for you until 10:15 AM ET.");
    atMinute(46);
    expect(await status()).toBe("Tue, Jun 8, 6:30 PM isn't held for you. Finish booking soon.");
  });

  test("is held while another field of the form is corrected, which says until when", async () => {
    const [person, other] = [await family({ intake: true }), await family()];
    const refused = await choose(person, "2027-06-10T18:30", { paymentMethod: "" });
    expect(refused.status).toBe(422);
    expect(refused.visibleText).toContain("Thu, Jun 10, 6:30 PM is held for you until 10:15 AM ET.");
    expect((await ask(other, "2027-06-10T18:30")).available).toBe(false);
    const onOtherDay = { slot: "2027-06-15T22:30:00.000Z", date: "2027-06-17", appointmentDate: "" };
    expect((await choose(person, "", onOtherDay)).status).toBe(422);
    expect((await ask(other, "2027-06-15T18:30")).available).toBe(true);
  });

  test("is held once chosen in the dialog, before it is submitted, and longer with each save", async () => {
    const [person, other] = [await family(), await family({ intake: true })];
    const [time, later] = [nextWallTime(), nextWallTime()];
    const save = async (who: Family, appointmentDate: string, hold: string) =>
      who.form(`/appointments/new/draft?hold=${hold}`, {
        title: "Hourly Consulting",
        appointmentDate,
        duration: "60",
        type: "consultation",
      });
    for (const hold of ["", "renew", "nonsense"]) await save(person, time, hold);
    expect(await holdOf(person)).toBeNull();
    expect((await save(person, time, "chosen")).json).toMatchObject({ state: "held", until: "10:15 AM ET" });
    expect((await ask(other, time)).available).toBe(false);
    atMinute(10);
    expect((await save(person, time, "renew")).json).toMatchObject({ state: "held", until: "10:25 AM ET" });
    const lost = (await save(other, time, "chosen")).json;
    expect(lost).toMatchObject({ state: "lost", statusText: "is taken" });
    expect(lost.nearest.length).toBeGreaterThan(0);
    expect(await holdOf(other)).toBeNull();
    expect((await save(person, later, "chosen")).json.state).toBe("held");
    expect((await ask(other, time)).available).toBe(true);
    await choose(other, later, { paymentMethod: "in-person" });
    expect((await other.get("/api/appointments")).json).toEqual([]);
    await choose(other, time, { paymentMethod: "in-person" });
    expect((await save(other, time, "chosen")).status).toBe(204);
    expect(await holdOf(other)).toBeNull();
  });

  test("stays held while the family saves steps, for 45 minutes at most", async () => {
    const [person, other] = [await family(), await family()];
    const time = nextWallTime();
    await choose(person, time);
    for (const minute of [14, 28, 42]) {
      atMinute(minute);
      await saveConcerns(person);
    }
    atMinute(44);
    expect((await ask(other, time)).available).toBe(false);
    await choose(person, time);
    atMinute(46);
    expect((await ask(other, time)).available).toBe(true);
  });

  test("is released 15 minutes after the last save, and held again with the next saved step", async () => {
    const [person, other] = [await family(), await family()];
    await choose(person, "2027-06-17T18:30");
    atMinute(16);
    expect((await ask(other, "2027-06-17T18:30")).available).toBe(true);
    expect((await person.get("/appointments/intake-form")).visibleText).toContain(
      "Thu, Jun 17, 6:30 PM is still free. We'll hold it for you again when you save your next answers.",
    );
    expect((await ask(other, "2027-06-17T18:30")).available).toBe(true);
    await saveConcerns(person);
    expect((await ask(other, "2027-06-17T18:30")).available).toBe(false);
    expect((await person.get("/appointments/intake-form")).visibleText).toContain(
      "Held for you until 10:31 AM ETYour time is Thu, Jun 17, 6:30 PM.",
    );
  });

  test("is held again when the family looks at the payment page or works there, within the first 45 minutes", async () => {
    const [person, other] = [await family({ intake: true }), await family()];
    const time = "2027-06-29T18:30";
    await choose(person, time);
    const isFree = async () => (await ask(other, time)).available;
    const page = async () => (await person.get("/appointments/pay")).visibleText;
    const work = () => person.form("/appointments/pay", { intent: "hold" });
    atMinute(16);
    await person.get("/appointments/pay.data");
    expect(await isFree()).toBe(true);
    expect(await page()).toContain("Held for you until 10:31 AM ET");
    atMinute(32);
    expect(await isFree()).toBe(true);
    expect((await work()).status).toBe(200);
    expect(await isFree()).toBe(false);
    atMinute(40);
    await work();
    expect((await db.hold.findFirstOrThrow({ where: { userId: person.id } })).expiresAt).toEqual(
      new Date(NOW.getTime() + 45 * MINUTE),
    );
    atMinute(46);
    await work();
    expect(await page()).toContain("but we're no longer holding it");
    expect(await isFree()).toBe(true);
  });

  test("is held again only within the first 45 minutes, which a pause does not restart", async () => {
    const [person, other] = [await family(), await family()];
    await choose(person, "2027-06-22T18:30");
    for (const minute of [16, 40]) {
      atMinute(minute);
      await saveConcerns(person);
    }
    atMinute(44);
    expect((await ask(other, "2027-06-22T18:30")).available).toBe(false);
    atMinute(46);
    await saveConcerns(person);
    expect((await ask(other, "2027-06-22T18:30")).available).toBe(true);
    expect((await person.get("/appointments/intake-form")).visibleText).toContain(
      "Tue, Jun 22, 6:30 PM is still free, but we're no longer holding it. Finish booking soon, before someone else takes it.",
    );
  });

  test("is not held again once another family has booked or holds it", async () => {
    const [person, holder, booker] = [await family(), await family(), await family({ intake: true })];
    const time = nextWallTime();
    await choose(person, time);
    atMinute(16);
    await choose(holder, time);
    await saveConcerns(person);
    expect((await ask(person, time)).available).toBe(false);
    expect(
      await db.hold.count({ where: { userId: person.id, expiresAt: { gt: new Date(NOW.getTime() + 16 * MINUTE) } } }),
    ).toBe(0);
    atMinute(32);
    await choose(booker, time, { paymentMethod: "in-person" });
    await saveConcerns(holder);
    expect(await holdOf(holder)).toBeNull();
    expect(await db.appointment.count({ where: { userId: booker.id } })).toBe(1);
  });

  test("is released when the family chooses another time", async () => {
    const [person, other] = [await family(), await family()];
    const [first, second] = [nextWallTime(), nextWallTime()];
    await choose(person, first);
    await choose(person, second);
    expect((await ask(other, first)).available).toBe(true);
    expect((await ask(other, second)).available).toBe(false);
    expect(await db.hold.count({ where: { userId: person.id } })).toBe(1);
  });

  test("stays held when the family's next choice gets 422", async () => {
    const person = await family({ intake: true });
    await choose(person, nextWallTime());
    const held = await holdOf(person);
    expect((await choose(person, "2026-01-01T10:00")).status).toBe(422);
    expect(await holdOf(person)).toEqual(held);
  });

  test("is held for one of two families that choose it at once; the other gets 409 and keeps its typed fields", async () => {
    const [one, other] = [await family({ intake: true }), await family({ intake: true })];
    const time = nextWallTime();
    const responses = await Promise.all([one, other].map((each) => choose(each, time, { notes: "Reading." })));
    expect(sortedStatuses(responses)).toEqual([302, 409]);
    const loser = responses[0]?.status === 409 ? one : other;
    expect(await holdOf(loser)).toBeNull();
    const again = await loser.get("/appointments/new?again");
    expect(again.document.querySelector("textarea[name=notes]")?.textContent).toBe("Reading.");
    expect(again.document.querySelectorAll("button[name=take]").length).toBe(4);
  });

  test("can be booked with payment in person from the payment page, which ends the hold", async () => {
    const person = await family({ intake: true });
    await choose(person, nextWallTime());
    expect((await person.form("/appointments/pay", { intent: "in-person" })).headers.location).toMatch(
      /^\/appointments\/\d+\/booked$/,
    );
    expect(await holdOf(person)).toBeNull();
    expect(await db.appointment.count({ where: { userId: person.id } })).toBe(1);
  });
});

describe("the time held for a hosted payment page", () => {
  /** A page that the family has open, and the hour that is held for it. */
  async function openPage(person: Family, start: Date) {
    const { id: paymentId } = await db.payment.create({
      data: {
        userId: person.id,
        method: "hosted",
        provider: "nobody",
        key: `page of ${person.id}`,
        booking: "{}",
        amountCents: 7500,
        state: "waiting",
        leaseEndsAt: new Date(NOW.getTime() + 15 * MINUTE),
      },
    });
    const expiresAt = new Date(NOW.getTime() + 15 * MINUTE);
    await db.hold.create({ data: { userId: person.id, paymentId, appointmentDate: start, duration: 60, expiresAt } });
    return async () => {
      const [payment, holds] = await Promise.all([
        db.payment.findUniqueOrThrow({ where: { id: paymentId } }),
        db.hold.count({ where: { paymentId } }),
      ]);
      return [payment.state, holds];
    };
  }
  const minutesFrom = (start: Date, minutes: number) => new Date(start.getTime() + minutes * MINUTE).toISOString();
  const book = (person: Family, appointmentDate: string) =>
    person.post("/api/appointments/in-person", {
      title: "Hourly Consulting",
      appointmentDate,
      duration: 60,
      type: "consultation",
    });

  test.each([60, -60])("stays held when the family books an adjacent visit (%i minutes)", async (minutes) => {
    const person = await family({ intake: true });
    const start = new Date(`${nextWallTime()}:00-05:00`);
    const page = await openPage(person, start);
    expect((await book(person, minutesFrom(start, minutes))).status).toBe(201);
    expect(await page()).toEqual(["waiting", 1]);
  });

  test.each([59, -59, 0])(
    "is released, and the payment starts closing, when the family books an overlapping visit (%i minutes)",
    async (minutes) => {
      const person = await family({ intake: true });
      const start = new Date(`${nextWallTime()}:00-05:00`);
      const page = await openPage(person, start);
      expect((await book(person, minutesFrom(start, minutes))).status).toBe(201);
      expect(await page()).toEqual(["closing", 0]);
    },
  );
});
