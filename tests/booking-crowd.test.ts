import { describe, expect, test } from "vitest";
import { startProcess } from "./support/process.ts";
import { db, family, setNow, template } from "./support/site.ts";
import { booked, NOW, openHours, wish } from "./support/wishes.ts";

const HOUR = 3_600_000;

setNow(() => NOW);

describe("at the same moment", () => {
  test("1,000 bookings of overlapping times leave exactly one; the others are conflicts and the next one works", async () => {
    const day = Date.parse("2027-02-06T14:00Z");
    const crowd = await Promise.all(Array.from({ length: 10 }, () => family({ intake: true })));
    const answers = await Promise.all(
      Array.from({ length: 1000 }, (_, index) => {
        const appointmentDate = new Date(day + (index % 60) * 60_000).toISOString();
        return crowd[index % crowd.length]!.post("/api/appointments", wish({ appointmentDate, duration: 60 }));
      }),
    );
    const counts = Object.groupBy(answers, ({ status }) => String(status));
    expect(Object.fromEntries(Object.entries(counts).map(([status, list]) => [status, list?.length]))).toEqual({
      201: 1,
      409: 999,
    });
    const where = {
      appointmentDate: { gte: new Date(day), lt: new Date(day + 2 * HOUR) },
      status: { not: "cancelled" },
    };
    expect(await db.appointment.count({ where })).toBe(1);
    await booked(crowd[0]!);
  });

  test("one family holds at most 60 that are to come, also when it asks for all of them at once", async () => {
    const site = await startProcess({ template, changes: { RATE_LIMITS: "on" } });
    const eager = await site.family({ intake: true });
    const starts = openHours();
    for (let skipped = 0; skipped < 20; skipped++) starts.next();
    const post = () =>
      eager.post("/api/appointments", { title: "Hourly Consulting", appointmentDate: starts.next().value });
    const answers = await Promise.all(Array.from({ length: 80 }, post));
    const statuses = answers.map(({ status }) => status);
    expect([
      statuses.filter((status) => status === 201).length,
      statuses.filter((status) => status === 429).length,
    ]).toEqual([60, 20]);
    expect(Number(answers.find(({ status }) => status === 429)?.headers["retry-after"])).toBeGreaterThan(0);
    const typed = { title: "Hourly Consulting", slot: starts.next().value ?? "", duration: "60", type: "consultation" };
    const page = await eager.form("/appointments/new", { ...typed, paymentMethod: "in-person", description: "Sleep." });
    expect([page.status, Number(page.headers["retry-after"]) > 0]).toEqual([429, true]);
    for (const text of ["Booking Failed", "Failed to book appointment. A family can have 60 upcoming appointments."])
      expect(page.words).toContain(text);
    expect(page.page.querySelector("textarea[name=description]")?.textContent).toBe("Sleep.");
    const [first] = (await eager.get("/api/appointments")).json as { id: number }[];
    expect((await eager.delete(`/api/appointments/${first!.id}`)).status).toBe(200);
    expect((await post()).status).toBe(201);
    site.kill("SIGKILL");
    await site.ended;
  });
});
