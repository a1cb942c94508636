// Proves a family's portal: its navigation, its dashboard, its receipts, and its own name and phone.
import { beforeAll, describe, expect, test } from "vitest";
import type { TestClient } from "../support/http-client.ts";
import { signInAs } from "../support/people.ts";
import { consultant, db, family, origin, setTestClock } from "../support/site.ts";
import { nextFreeHour, payByCard, TEST_NOW } from "../support/bookings.ts";

const MINUTE = 60_000;

setTestClock(() => TEST_NOW);

let admin: TestClient;

beforeAll(async () => {
  admin = await consultant();
});

function createAppointment(userId: number, changes: object = {}) {
  const data = { userId, title: "Hourly Consulting", type: "consultation", duration: 60, paymentAmountCents: 7500 };
  return db.appointment.create({ data: { appointmentDate: new Date(nextFreeHour()), ...data, ...changes } });
}

describe("the portal", () => {
  test("has one navigation on each family page that marks the current page; the consultant's dashboard has none", async () => {
    const maria = await family();
    const paths = ["/dashboard", "/appointments", "/documents", "/dashboard/intake-form"];
    paths.push("/messages", "/receipts", "/dashboard/settings", "/more");
    for (const path of paths) {
      const nav = (await maria.get(path)).document.querySelector("nav[aria-label=Portal]");
      expect([...(nav?.querySelectorAll("a") ?? [])].map((link) => link.getAttribute("href"))).toEqual(paths);
      const current = [...(nav?.querySelectorAll("[aria-current=page]") ?? [])];
      expect([path, current.map((link) => link.getAttribute("href"))]).toEqual([path, [path]]);
    }
    expect((await admin.get("/dashboard")).document.querySelector("nav[aria-label=Portal]")).toBeNull();
  });

  test("has the address of the next visit's online meeting", async () => {
    const maria = await family();
    const meetingLink = "https://meet.example.com/a?b=1";
    await createAppointment(maria.id, { meetingLink });
    const { document } = await maria.get("/dashboard");
    expect(document.querySelector(".next-visit a[target=_blank]")?.getAttribute("href")).toBe(meetingLink);
  });

  test("starts with the next visit and the tasks, and ends with the totals", async () => {
    const maria = await family();
    const newcomer = await maria.get("/dashboard");
    expect(newcomer.cardText("To do")).toContain("Fill in the intake formAbout 10 minutes.");
    expect(newcomer.visibleText).not.toContain("five minutes");
    await maria.form("/dashboard/intake-form?step=client", { fullName: "Maria Alvarez" });
    expect((await maria.get("/dashboard")).cardText("Pick up where you left off")).toContain(
      "0 of 4 sections completed. What you wrote is saved.",
    );
    const { id } = await createAppointment(maria.id, { isLiveVideoCall: true });
    await createAppointment(maria.id, {
      status: "cancelled",
      appointmentDate: new Date(TEST_NOW.getTime() + 90 * MINUTE - 30_000),
    });
    const page = await maria.get("/dashboard");
    expect(page.cardText("Your next visit")).toContain("Video visit. The Waiting Room button appears here at");
    const links = [...page.document.querySelectorAll(".next-visit a")].map((link) => link.getAttribute("href"));
    expect(links).toEqual([
      `/appointments/${id}/booked`,
      `/api/appointments/${id}/calendar.ics`,
      `/video-call/${id}#device-check`,
      `/appointments/${id}/move`,
    ]);
    const order = ["Your next visit", "To do", "Recent Appointments", "Recent Documents", "Total Appointments"];
    const places = order.map((title) => page.visibleText.indexOf(title));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
  });

  test("lists tasks to upload papers and answer questions for the next visit until each is done", async () => {
    const maria = await family({ intake: true });
    const { id } = await createAppointment(maria.id);
    const later = await createAppointment(maria.id);
    const todo = async () => (await maria.get("/dashboard")).cardText("To do");
    const [papers, questions] = ["Upload papers for your next visit", "Answer three questions"];
    const letter = { userId: maria.id, fileType: "text/plain", fileSize: 1, filePath: "none", fileName: "a.txt" };
    await db.document.create({ data: { ...letter, appointmentId: later.id } });
    expect(await todo()).toContain(papers);
    await db.document.create({ data: { ...letter, appointmentId: id } });
    expect(await todo()).not.toContain(papers);
    expect(await todo()).toContain(questions);
    await maria.form(`/appointments/${id}/questions`, { important: "That Leo keeps his aide." });
    expect((await maria.get("/dashboard")).visibleText).not.toContain(questions);
    const { document } = await maria.get("/dashboard");
    const recent = [...document.querySelectorAll("section")].find((card) =>
      card.textContent?.startsWith("Recent Appointments"),
    );
    const pages = [...(recent?.querySelectorAll(".row a") ?? [])].map((link) => link.getAttribute("href"));
    expect(pages).toEqual([id, later.id].map((each) => `/appointments/${each}/booked`));
  });

  test("shows that the practice canceled a visit until the family books another or its time is over", async () => {
    const [maria, devon] = [await family({ intake: true }), await family({ intake: true })];
    const own = await createAppointment(maria.id, { title: "Canceled by herself" });
    const [first, second] = [await createAppointment(maria.id), await createAppointment(devon.id)];
    expect((await maria.delete(`/api/appointments/${own.id}`)).status).toBe(200);
    for (const { id } of [first, second])
      expect((await admin.form(`/dashboard/appointments/${id}/cancel`, { reason: "I am ill." })).status).toBe(302);
    const newsOf = async (client: TestClient) => (await client.get("/dashboard")).cardText("We had to cancel a visit");
    expect(await newsOf(maria)).toMatch(/Hourly Consulting.*Book another time/);
    expect(await newsOf(maria)).not.toContain("Canceled by herself");
    setTestClock(() => new Date(TEST_NOW.getTime() + MINUTE));
    await createAppointment(maria.id, { createdAt: new Date(TEST_NOW.getTime() + MINUTE) });
    expect([await newsOf(maria), await newsOf(devon)]).toEqual(["", expect.stringContaining("Hourly Consulting")]);
    setTestClock(() => new Date(second.appointmentDate.getTime() + MINUTE));
    expect(await newsOf(await signInAs(origin, devon.email, devon.password))).toBe("");
    setTestClock(() => TEST_NOW);
  });

  test("lists only the family's own receipts, and says when there are none", async () => {
    const [maria, devon] = [await family({ intake: true }), await family({ intake: true })];
    const { id } = (await payByCard(maria, nextFreeHour())).json.appointment;
    const { payments } = await db.appointment.findFirstOrThrow({ where: { id }, include: { payments: true } });
    const list = await maria.get("/receipts");
    expect(list.cardText("Your payments")).toContain("Hourly Consulting");
    expect(list.cardText("Your payments")).toContain("Total paid: $75");
    expect(list.document.querySelector(`a[href="/receipts/${payments[0]!.id}"]`)).not.toBeNull();
    expect((await devon.get("/receipts")).visibleText).toContain("No receipts yet");
    expect((await admin.get("/receipts")).status).toBe(302);
  });

  test("lets a family change its own name and phone, and nothing else", async () => {
    const maria = await family({ firstName: "Mria" });
    const before = await db.user.findUniqueOrThrow({ where: { id: maria.id } });
    const forged = { email: "x@example.com", isAdmin: "true", password: "x", id: "1" };
    const fields = { firstName: " María ", lastName: "O'Neil", phone: "(732) 555-0199", ...forged };
    const saved = await maria.follow(await maria.form("/dashboard/profile", fields));
    expect(saved.visibleText).toContain("Details Saved");
    expect(saved.visibleText).toContain("María O'Neil");
    expect(saved.visibleText).toContain("Hello, María");
    const after = await db.user.findUniqueOrThrow({ where: { id: maria.id } });
    expect(after).toEqual({
      ...before,
      firstName: "María",
      lastName: "O'Neil",
      phone: "(732) 555-0199",
      updatedAt: after.updatedAt,
    });
    for (const bad of [
      { firstName: "" },
      { lastName: "x".repeat(101) },
      { phone: "1".repeat(51) },
      { phone: "12" },
      { phone: "555-011" },
      { firstName: "a\u0000b" },
    ]) {
      const response = await maria.form("/dashboard/profile", { ...fields, ...bad });
      expect([bad, response.status]).toEqual([bad, 422]);
      expect(response.document.title).toMatch(/^Error: /);
    }
    expect(await db.user.findUniqueOrThrow({ where: { id: maria.id } })).toEqual(after);
    await maria.form("/dashboard/profile", { ...fields, phone: "" });
    expect(await db.user.findUniqueOrThrow({ where: { id: maria.id } })).toMatchObject({ phone: null });
  });
});
