// Proves the consultant's list of consultation requests: its order, its search, and the actions for each request.
import { beforeAll, describe, expect, test } from "vitest";
import type { TestClient } from "../support/http-client.ts";
import { consultant, db, setTestClock } from "../support/site.ts";

const NOW = new Date("2026-11-20T15:00:30Z");
setTestClock(() => NOW);

let admin: TestClient;

beforeAll(async () => {
  admin = await consultant();
});

describe("the open requests", () => {
  test("are sorted by urgency and then by waiting time, longest first, and show their age", async () => {
    const asks = { firstName: "Ava", email: "ava@example.org", serviceNeeds: "Snowglobe", consent: true };
    const daysAgo = (days: number) => new Date(NOW.getTime() - days * 86_400_000);
    const rows = [
      { lastName: "New", urgency: "routine", createdAt: NOW },
      { lastName: "Old", urgency: "routine", createdAt: daysAgo(17) },
      { lastName: "Pressing", urgency: "urgent", createdAt: daysAgo(1) },
      { lastName: "Emergency", urgency: "emergency", createdAt: daysAgo(1) },
      { lastName: "Over", urgency: "emergency", createdAt: daysAgo(2), status: "scheduled" },
    ];
    for (const row of rows) await db.consultationRequest.create({ data: { ...asks, ...row } });
    const { document } = await admin.get("/requests");
    const lines = [...document.querySelectorAll("main li summary")].map((line) => line.textContent);
    expect(lines).toEqual([
      expect.stringMatching(/^Ava EmergencyEMERGENCY.*waiting 1 day/),
      expect.stringMatching(/^Ava PressingURGENT.*waiting 1 day/),
      expect.stringMatching(/^Ava OldROUTINE.*waiting 17 days/),
      expect.stringMatching(/^Ava NewROUTINE.*since today/),
    ]);
  });

  test("say how many days they have waited in the practice's time zone, where the day ends later than in UTC", async () => {
    const asks = {
      firstName: "Eve",
      lastName: "Late",
      email: "e@example.org",
      serviceNeeds: "IEP",
      urgency: "routine",
    };
    const createdAt = new Date("2026-11-20T20:00Z");
    const { id } = await db.consultationRequest.create({ data: { ...asks, consent: true, createdAt } });
    const waiting = async (time: string) => {
      setTestClock(() => new Date(time));
      // The session of the earlier time has ended by now.
      const { document } = await (await consultant()).get("/requests?status=open");
      const lines = [...document.querySelectorAll("main li summary")].map((line) => line.textContent);
      return /since today|waiting \d+ days?/.exec(lines.find((line) => line.startsWith("Eve Late")) ?? "")?.[0];
    };
    const texts = [await waiting("2026-11-21T02:00Z"), await waiting("2026-11-21T05:30Z")];
    setTestClock(() => NOW);
    expect(texts).toEqual(["since today", "waiting 1 day"]);
    await db.consultationRequest.delete({ where: { id } });
  });

  test("of one urgency are counted and paged without the others", async () => {
    const asks = { firstName: "Uma", email: "u@example.org", serviceNeeds: "Kaleidoscope", consent: true };
    const rows = Array.from({ length: 28 }, (_, index) => ({
      ...asks,
      lastName: `Nr${index}`,
      urgency: index % 14 === 0 ? "urgent" : "routine",
      network: `network ${index}`,
      wideNetwork: `wide ${index}`,
      createdAt: new Date(NOW.getTime() - (30 - index) * 60_000),
    }));
    await db.consultationRequest.createMany({ data: rows });
    const open = await db.consultationRequest.findMany({ where: { status: "pending" }, select: { urgency: true } });
    for (const urgency of ["urgent", "routine"]) {
      const count = open.filter((each) => each.urgency === urgency).length;
      expect(count).toBeGreaterThan(1);
      const listed: string[] = [];
      for (let page = 1; page <= Math.ceil(count / 25); page += 1) {
        const query = `?status=open&urgency=${urgency}&page=${page}`;
        const { document, visibleText } = await admin.get(`/requests${query}`);
        const lines = [...document.querySelectorAll("main li summary")].map(({ textContent }) => textContent);
        expect([query, lines.length, visibleText.includes(`${count} requests.`)]).toEqual([
          query,
          Math.min(25, count - listed.length),
          true,
        ]);
        listed.push(...lines);
      }
      expect(new Set(listed).size).toBe(count);
      expect(listed.filter((line) => !line.includes(urgency.toUpperCase()))).toEqual([]);
    }
    await db.consultationRequest.deleteMany({ where: { firstName: "Uma" } });
  });
});

describe("the archive of requests", () => {
  test("finds requests that were scheduled, and links to their appointments", async () => {
    const story = {
      firstName: "Jane",
      lastName: "Doe",
      email: "jane@example.org",
      serviceNeeds: "Wheelchair",
      urgency: "urgent",
    };
    const { id } = await db.consultationRequest.create({ data: { ...story, consent: true } });
    const plan = { consultationRequestId: id, title: "Initial Consultation", appointmentDate: "2026-12-06T15:00:00Z" };
    const made = await admin.post("/api/appointments/from-consultation", plan);
    expect(made.status).toBe(201);
    for (const query of ["q=wheelchair", "q=wheelchair&status=open"])
      expect((await admin.get(`/requests?${query}`)).visibleText).toContain("1 request. 0 open, 1 scheduled.");
    expect((await admin.get("/requests?status=open")).visibleText).not.toContain("Jane Doe");
    const { document: page, visibleText } = await admin.get("/requests?q=wheelchair&status=scheduled");
    expect(visibleText).toContain("1 request.");
    expect(page.querySelector(`a[href^="/dashboard/appointments/${made.json.id}?"]`)).not.toBeNull();
    await admin.delete(`/api/appointments/${made.json.id}`);
    expect((await admin.get("/requests?q=wheelchair&status=any")).visibleText).toContain(
      "Its appointment was deleted.",
    );
  });

  test("lists the newest first, and finds text in each of six fields", async () => {
    const text = { firstName: "Ines", lastName: "Costa", email: "i@example.org", serviceNeeds: "Archive order" };
    const common = { urgency: "routine", consent: true };
    const changes = {
      firstName: "Zephyrine",
      lastName: "Quillfeather",
      email: "marmalade@example.org",
      phone: "555-0188-777",
      serviceNeeds: "Archive order, dyscalculia",
      message: "After the hailstorm.",
    };
    const rows = Object.entries(changes).map(([field, value], at) => ({ ...text, ...common, [field]: value, at }));
    for (const { at, ...row } of rows.toReversed())
      await db.consultationRequest.create({ data: { ...row, createdAt: new Date(NOW.getTime() - at * 60_000) } });
    const names = async (query: string) =>
      [...(await admin.get(`/requests?${query}&status=any`)).document.querySelectorAll("main li h2, main li h3")].map(
        (name) => name.textContent?.trim(),
      );
    const all = rows.map(({ firstName, lastName }) => `${firstName} ${lastName}`);
    expect(await names("q=archive+order")).toEqual(all);
    for (const word of ["zephyrine", "quillfeather", "marmalade", "0188-777", "dyscalculia", "hailstorm"])
      expect([word, (await admin.get(`/requests?q=${word}&status=any`)).visibleText]).toEqual([
        word,
        expect.stringContaining("1 request."),
      ]);
  });

  test("lists the open requests that the consultant searches for before the scheduled ones", async () => {
    const asks = { lastName: "Lee", email: "l@example.org", serviceNeeds: "Lighthouse", urgency: "routine" };
    const older = new Date(NOW.getTime() - 86_400_000);
    const rows = [
      { firstName: "Olga", status: "pending", createdAt: older },
      { firstName: "Sara", status: "scheduled", createdAt: NOW },
    ];
    for (const row of rows) await db.consultationRequest.create({ data: { ...asks, consent: true, ...row } });
    const { document } = await admin.get("/requests?q=lighthouse&status=any");
    const names = [...document.querySelectorAll("main li h2, main li h3")].map((name) => name.textContent.trim());
    expect(names).toEqual(["Olga Lee", "Sara Lee"]);
  });

  test("offers scheduling and deletion for an open request, an email link and erasure for a scheduled one", async () => {
    const who = { firstName: "Ann", lastName: "Other", email: "ann@example.org", urgency: "routine", consent: true };
    const [open, over] = await Promise.all(
      ["pending", "scheduled"].map((status) =>
        db.consultationRequest.create({ data: { ...who, serviceNeeds: "Trampoline", status } }),
      ),
    );
    const { document: page } = await admin.get("/requests?q=trampoline&status=any");
    const requestLinks = [...page.querySelectorAll('a[href*="/dashboard/requests/"]')].map((link) =>
      link.getAttribute("href"),
    );
    const back = "?from=%2Frequests%3Fq%3Dtrampoline%26status%3Dany";
    const acts = [`${open?.id}/schedule`, `${open?.id}/delete`, `${over?.id}/erase`];
    expect(requestLinks).toEqual(acts.map((act) => `/dashboard/requests/${act}${back}`));
    expect(page.querySelectorAll("details.request-line:not([open])")).toHaveLength(2);
    expect(page.querySelectorAll('.actions a[href^="mailto:ann"]')).toHaveLength(2);
    for (const id of [open?.id, over?.id]) await admin.form(`/dashboard/requests/${id}/delete`, {});
    const left = (await admin.get("/requests?q=trampoline&status=any")).visibleText;
    expect(left).toContain("1 request.");
    expect(left).toContain("scheduled");
  });
});
