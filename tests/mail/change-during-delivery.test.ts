// Proves that what changes, or takes too long, while an email is being sent makes no wrong email and no second one.
import { beforeAll, describe, expect, test, vi } from "vitest";
import { MAIL_TIMEOUTS_MS } from "../../app/mail/delivery-timeouts.ts";
import { bookOrFail, TEST_NOW } from "../support/bookings.ts";
import type { TestClient } from "../support/http-client.ts";
import { createPeople } from "../support/people.ts";
import { received, site, smtp } from "../support/site-with-mail.ts";

const { consultant, db, origin, setTestClock, testing } = site;
/** Registers through the API, as families do. */
const { family: register } = createPeople(origin);

let time = TEST_NOW;
setTestClock(() => time);

let admin: TestClient;

beforeAll(async () => {
  admin = await consultant();
  await received();
});

describe("a visit change while the visit's reminder is being sent", () => {
  /** A visit in 24 hours whose reminder is due. */
  async function reminded() {
    const maria = await site.family({ intake: true });
    const start = new Date(Math.ceil(time.getTime() / 900_000) * 900_000 + 30 * 3_600_000);
    const { id } = await bookOrFail(maria, { type: "emergency", appointmentDate: start.toISOString() });
    await received();
    time = new Date(start.getTime() - 24 * 3_600_000);
    admin = await consultant();
    await received();
    await testing.writeVisitReminders();
    const change = (body: object) =>
      admin.request("PATCH", `/api/appointments/${id}`, {
        headers: { Origin: origin, "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
    const changes = {
      "visit-moved": () => change({ appointmentDate: new Date(start.getTime() + 3_600_000).toISOString() }),
      "visit-cancelled": () => admin.delete(`/api/appointments/${id}`),
      longer: () => change({ appointmentDate: start.toISOString(), duration: 75 }),
    };
    const reminders = () => db.message.findMany({ where: { userId: maria.id, event: REMINDER } });
    return { maria, changes, reminders };
  }

  const REMINDER = "visit-reminder-24h";
  const told = async ({ email }: { email: string }) => (await received(email)).map(({ event }) => event);
  const cases = ["visit-moved", "visit-cancelled"] as const;

  /** Changes the visit before the mail server answers `code`. */
  function changeMeanwhile(email: string, change: () => Promise<{ status: number }>, code: number | null) {
    smtp.refuseMessage = async ({ to, event }) => {
      if (to !== email || event !== REMINDER) return null;
      expect((await change()).status).toBe(200);
      smtp.refuseMessage = () => null;
      return code;
    };
  }

  test.each(cases)(
    "is emailed after the reminder (%s), and the delivered reminder appears on the messages page",
    async (event) => {
      const { maria, changes, reminders } = await reminded();
      changeMeanwhile(maria.email, changes[event], null);
      expect(await told(maria)).toEqual([REMINDER, event]);
      expect(await reminders()).toMatchObject([{ state: "sent", sentAt: time }]);
      expect((await maria.get("/messages")).visibleText).toContain("Reminder");
    },
  );

  test.each(cases)(
    "is emailed at once (%s) if the reminder is refused, and the reminder is not retried",
    async (event) => {
      const { maria, changes, reminders } = await reminded();
      changeMeanwhile(maria.email, changes[event], 451);
      expect(await told(maria)).toEqual([event]);
      time = new Date(time.getTime() + 6 * 60_000);
      expect(await told(maria)).toEqual([]);
      expect(await reminders()).toMatchObject([{ state: "dropped", attempts: 1 }]);
    },
  );

  test.each(cases)(
    "waits (%s) until another process's lease on the reminder expires, then the reminder is dropped",
    async (event) => {
      const { maria, changes, reminders } = await reminded();
      const [row] = await reminders();
      const claim = { attempts: 1, failure: null, nextAttemptAt: new Date(time.getTime() + 6 * 60_000) };
      await db.message.update({ where: { id: row?.id ?? 0 }, data: claim });
      expect((await changes[event]()).status).toBe(200);
      expect(await told(maria)).toEqual([]);
      time = new Date(claim.nextAttemptAt.getTime() - 1);
      expect(await told(maria)).toEqual([]);
      time = claim.nextAttemptAt;
      expect(await told(maria)).toEqual([event]);
      expect(await reminders()).toMatchObject([{ state: "dropped", attempts: 1 }]);
    },
  );

  test("of the length alone sends no second reminder", async () => {
    const { maria, changes, reminders } = await reminded();
    const counts: number[] = [];
    const lengthen = async () => {
      const answer = await changes.longer();
      await testing.writeVisitReminders();
      counts.push((await reminders()).length);
      return answer;
    };
    changeMeanwhile(maria.email, lengthen, null);
    expect(await told(maria)).toEqual([REMINDER, "visit-moved"]);
    await testing.writeVisitReminders();
    expect([...counts, (await reminders()).length]).toEqual([1, 1]);
    expect(await told(maria)).toEqual([]);
  });
});

describe("a mail server", () => {
  test("is disconnected before another process may send the email again, which counts as a timeout", async () => {
    const cap = new AbortController();
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(cap.signal);
    const maria = await register();
    const answered = Promise.withResolvers<null>();
    smtp.refuseMessage = () => (cap.abort(), answered.promise);
    expect(await received()).toEqual([]);
    expect(timeout).toHaveBeenCalledWith(MAIL_TIMEOUTS_MS.attempt);
    const where = { userId: maria.id, event: "account-made" };
    const { nextAttemptAt, ...row } = await db.message.findFirstOrThrow({ where });
    expect(row).toMatchObject({ state: "pending", failure: "ETIMEDOUT", attempts: 1 });
    expect(nextAttemptAt).toEqual(new Date(time.getTime() + 60_000));
    timeout.mockRestore();
    smtp.refuseMessage = () => null;
    answered.resolve(null);
    time = nextAttemptAt;
    await received();
  });

  test("gets the same Message-ID after the site's address has changed", async () => {
    const maria = await register();
    const { id, name } = await db.message.findFirstOrThrow({ where: { userId: maria.id, event: "account-made" } });
    expect(name).toMatch(new RegExp(`^[\\w-]{36}@${new URL(origin).hostname}$`));
    await db.message.update({ where: { id }, data: { name: "written@earlier.example" } });
    expect((await received(maria.email))[0]?.messageId).toBe("<written@earlier.example>");
  });
});
