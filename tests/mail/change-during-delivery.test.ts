// Proves that the last email about a visit is correct when the visit changes while its reminder is being sent.
import { beforeAll, describe, expect, test } from "vitest";
import { bookOrFail, TEST_NOW } from "../support/bookings.ts";
import type { TestClient } from "../support/http-client.ts";
import { received, site, smtp } from "../support/site-with-mail.ts";

const { consultant, db, origin, setNow, testing } = site;

let time = TEST_NOW;
setNow(() => time);

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
    await testing.writeReminders();
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
      await testing.writeReminders();
      counts.push((await reminders()).length);
      return answer;
    };
    changeMeanwhile(maria.email, lengthen, null);
    expect(await told(maria)).toEqual([REMINDER, "visit-moved"]);
    await testing.writeReminders();
    expect([...counts, (await reminders()).length]).toEqual([1, 1]);
    expect(await told(maria)).toEqual([]);
  });
});
