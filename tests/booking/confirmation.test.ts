// Proves what a family sees after booking: the confirmation page, the appointment lists and the dashboard.
import { beforeAll, describe, expect, test } from "vitest";
import type { TestClient } from "../support/http-client.ts";
import { consultant, db, family, setTestClock } from "../support/site.ts";
import { bookOrFail, nextFreeHour, payByCard, TEST_NOW } from "../support/bookings.ts";

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

describe("the confirmation page", () => {
  test("follows an in-person booking with the time, the place, the amount due, the terms and the links", async () => {
    const maria = await family({ intake: true });
    const fields = {
      title: "Initial Consultation",
      slot: "2027-01-30T15:00:00.000Z",
      duration: "90",
      type: "consultation",
    };
    const booked = await maria.form("/appointments/new", { ...fields, paymentMethod: "in-person" });
    const { id } = await db.appointment.findFirstOrThrow({ where: { userId: maria.id } });
    expect([booked.status, booked.headers.location]).toEqual([302, `/appointments/${id}/booked`]);
    const page = await maria.follow(booked);
    expect(page.document.querySelector("h1")?.textContent).toBe("You are booked");
    for (const text of [
      "Appointment Booked!",
      "Saturday, January 30, 2027",
      "10:00 AM – 11:30 AM ET",
      "In person, Long Branch, NJ area. We'll call or email you by the day before to agree on the exact place.",
      "You pay $75 when we meet.",
      "Move or cancel it at no cost until Fri, Jan 29, 2027 at 10:00 AM ET. If you cancel it after that, our terms ask for a 50% fee ($37.50).",
    ])
      expect(page.visibleText).toContain(text);
    const links = [...page.document.querySelectorAll("main a")].map((link) => link.getAttribute("href"));
    for (const href of [
      `/api/appointments/${id}/calendar.ics`,
      `/appointments/${id}/documents`,
      `/appointments/${id}/move`,
      `/appointments/${id}/cancel`,
    ])
      expect(links).toContain(href);
  });

  test("says that a visit is moved after a change of its time, but not of its duration only", async () => {
    const maria = await family({ intake: true });
    const { id, appointmentDate } = await createAppointment(maria.id);
    const headers = { Origin: admin.origin, "Content-Type": "application/json" };
    const change = (fields: object) =>
      admin.request("PATCH", `/api/appointments/${id}`, {
        headers,
        body: JSON.stringify({ appointmentDate, ...fields }),
      });
    const heading = async () =>
      (await maria.get(`/appointments/${id}/booked`)).document.querySelector("h1")?.textContent;
    expect((await change({ duration: 30 })).status).toBe(200);
    expect(await heading()).toBe("You are booked");
    expect((await change({ appointmentDate: "2027-02-03T15:00:00.000Z" })).status).toBe(200);
    expect(await heading()).toBe("Your visit is moved");
  });

  test("follows a card payment with the receipt, which stays after a move and shows the new date", async () => {
    const maria = await family({ intake: true });
    const typed = { title: "Hourly Consulting", slot: nextFreeHour(), duration: "60", type: "consultation" };
    await maria.form("/appointments/new", { ...typed, paymentMethod: "online", isLiveVideoCall: "on" });
    const paid = await maria.form("/appointments/pay", {
      intent: "card",
      sourceId: "cnon:card-nonce-ok",
      cents: "7500",
      key: crypto.randomUUID(),
    });
    const { id, payments } = await db.appointment.findFirstOrThrow({
      where: { userId: maria.id },
      include: { payments: true },
    });
    expect(paid.headers.location).toBe(`/appointments/${id}/booked`);
    const page = await maria.follow(paid);
    expect(page.visibleText).toContain("$75 PAID Receipt");
    expect(page.visibleText).toMatch(
      /Video visit, on this site\. The Waiting Room button appears here and on your dashboard at \d+:50 (AM|PM) ET/,
    );
    const slot = "2027-01-31T15:00:00.000Z";
    expect(page.document.querySelector(`a[href="/video-call/${id}#device-check"]`)).not.toBeNull();
    const moved = await maria.follow(await maria.form(`/appointments/${id}/move`, { slot }));
    expect(moved.document.querySelector("h1")?.textContent).toBe("Your visit is moved");
    expect(moved.visibleText).toContain("$75 PAID Receipt");
    expect((await maria.get(`/receipts/${payments[0]!.id}`)).visibleText).toContain("Sun, Jan 31, 2027 at 10:00 AM ET");
    const list = await maria.get("/receipts");
    expect(list.cardText("Your payments")).toContain("Sun, Jan 31, 2027 at 10:00 AM ET$75");
    const row = (await maria.get("/appointments")).cardText("Upcoming Appointments");
    expect(row).toContain("$75 · Reference");
    expect(row).not.toContain("$75 paid");
    expect(moved.document.querySelector(`a[href="/appointments/${id}/questions"]`)).not.toBeNull();
  });

  test("shows the Waiting Room while open; redirects for a canceled or past visit; 404 for another family", async () => {
    const [maria, devon] = [await family({ intake: true }), await family()];
    const soon = await createAppointment(maria.id, {
      isLiveVideoCall: true,
      appointmentDate: new Date(TEST_NOW.getTime() + 5 * MINUTE - 30_000),
    });
    const page = await maria.get(`/appointments/${soon.id}/booked`);
    expect(page.visibleText).toContain("Waiting Room");
    expect(page.visibleText).toContain("less than 24 hours");
    const canceled = await createAppointment(maria.id, { status: "cancelled" });
    const over = await createAppointment(maria.id, {
      appointmentDate: new Date(TEST_NOW.getTime() - 240 * MINUTE - 30_000),
    });
    for (const { id } of [canceled, over])
      expect((await maria.get(`/appointments/${id}/booked`)).headers.location).toBe("/appointments");
    expect((await devon.get(`/appointments/${soon.id}/booked`)).status).toBe(404);
    await db.appointment.delete({ where: { id: soon.id } });
  });
});

describe("the lists and the dashboard", () => {
  test("a row shows video or in person, duration and amount due, and doesn't repeat the title's text", async () => {
    const maria = await family({ intake: true });
    await bookOrFail(maria, { description: "Request for Initial Consultation service", isLiveVideoCall: true });
    await bookOrFail(maria, { title: "Follow-up Consultation", type: "follow-up" });
    await bookOrFail(maria, { title: "Hourly Consulting", type: "follow-up" });
    const text = (await maria.get("/appointments")).cardText("Upcoming Appointments");
    // Its title, and the names of its three links for who hears the page.
    expect(text.match(/Initial Consultation/g)).toHaveLength(4);
    expect(text).not.toContain("Request for");
    expect(text).toContain("Video visit · 60 minutes$75 to pay");
    expect(text).toContain("In person · 60 minutes$40 to pay");
    expect(text).toContain("In person · 60 minutes · follow-up");
  });

  test("a row links to the visit's page unless it is over or canceled, and says how to pay the amount due", async () => {
    const maria = await family({ intake: true });
    const [video, inPerson, over, canceled] = [
      await createAppointment(maria.id, { isLiveVideoCall: true }),
      await createAppointment(maria.id),
      await createAppointment(maria.id, { appointmentDate: new Date(TEST_NOW.getTime() - 480 * MINUTE - 30_000) }),
      await createAppointment(maria.id, { status: "cancelled" }),
    ];
    const page = await maria.get("/appointments");
    const leads = ({ id }: { id: number }) =>
      page.document.querySelector(`main a[href="/appointments/${id}/booked"]`)?.textContent;
    expect(leads(video)).toMatch(/^Hourly Consulting, \w+, Jan \d+, 2027 at /);
    expect(leads(inPerson)).toMatch(/^Hourly Consulting, /);
    expect([leads(over), leads(canceled)]).toEqual([undefined, undefined]);
    const arranged = "You pay by check or cash. Your consultant arranges that with you.";
    const upcoming = page.cardText("Upcoming Appointments");
    expect(upcoming).toContain(arranged);
    expect(upcoming).toContain("You pay when we meet.");
    expect(page.cardText("Past Appointments")).toContain(arranged);
    expect(page.cardText("Canceled Appointments")).not.toContain("You pay");
    const receipts = (await maria.get("/receipts")).cardText("Still to pay");
    expect(receipts).toContain(arranged);
    expect(receipts).toContain("You pay when we meet.");
    expect((await maria.get(`/invoices/${video.id}`)).visibleText).toContain(`How to pay${arranged}`);
    await db.appointment.delete({ where: { id: over.id } });
  });

  test("a visit in less than 24 hours shows the phone number for moving it instead of a link", async () => {
    const maria = await family({ intake: true });
    const { id } = await createAppointment(maria.id);
    expect((await maria.get("/appointments")).visibleText).not.toContain("To move it, call");
    const soon = new Date(TEST_NOW.getTime() + 200 * MINUTE - 30_000);
    await db.appointment.update({ where: { id }, data: { appointmentDate: soon } });
    for (const path of ["/appointments", "/dashboard"]) {
      const page = await maria.get(path);
      expect([path, page.document.querySelector(`[href="/appointments/${id}/move"]`)]).toEqual([path, null]);
      expect(page.visibleText).toMatch(/To move it, call \(?\d{3}/);
    }
    await db.appointment.delete({ where: { id } });
  });

  test("a visit in progress is shown above an unfinished booking", async () => {
    const maria = await family({ intake: true });
    const { id } = await createAppointment(maria.id, {
      isLiveVideoCall: true,
      appointmentDate: new Date(TEST_NOW.getTime() - 10 * MINUTE - 30_000),
    });
    await maria.form("/appointments/new/draft", { title: "Hourly Consulting" });
    const { visibleText } = await maria.get("/appointments");
    expect(visibleText.indexOf("Happening now")).toBeGreaterThan(0);
    expect(visibleText.indexOf("Happening now")).toBeLessThan(visibleText.indexOf("Pick up where you left off"));
    await db.appointment.delete({ where: { id } });
  });

  test("a canceled visit leaves Upcoming, shows its refund, and is not marked as paid", async () => {
    const maria = await family({ intake: true });
    const start = "2026-11-21T14:00:00.000Z";
    const { id } = (await payByCard(maria, start)).json.appointment;
    expect((await maria.delete(`/api/appointments/${id}`)).json).toMatchObject({ refund: 37.5 });
    const page = await maria.get("/appointments");
    expect(page.cardText("Upcoming Appointments")).toContain("No upcoming appointments");
    expect(page.cardText("Canceled Appointments")).toContain("refunded $37.50 of $75");
    const dashboard = await maria.get("/dashboard");
    expect(dashboard.cardText("Recent Appointments")).toContain("Canceled visits are in your appointments.");
    expect(dashboard.cardText("Recent Appointments")).not.toContain("Hourly Consulting");
    expect([...dashboard.document.querySelectorAll(".stats a")].map((stat) => stat.textContent)).toEqual([
      "Upcoming Appointments0",
      "Total Appointments1",
      "Documents1",
    ]);
    for (const { visibleText } of [page, dashboard, await admin.get("/dashboard?appointments=" + id)])
      expect(visibleText).not.toMatch(/cancelled\s*PAID/);
    const kept = (await payByCard(maria, nextFreeHour())).json.appointment;
    expect(kept.paymentId).toEqual(expect.any(String));
    expect((await maria.get("/appointments")).cardText("Upcoming Appointments")).toContain("PAID");
  });

  test("a family's canceled visit has no meeting link", async () => {
    const maria = await family();
    const meetingLink = "https://meet.example.com/leo";
    const { id } = await createAppointment(maria.id, { meetingLink });
    expect((await maria.get("/appointments")).text).toContain(meetingLink);
    await db.appointment.update({ where: { id }, data: { status: "cancelled" } });
    const page = await maria.get("/appointments");
    expect(page.cardText("Canceled Appointments")).toContain("Hourly Consulting");
    expect(page.text).not.toContain(meetingLink);
  });

  test("a call ended by the consultant has no join link until she reopens it", async () => {
    const maria = await family({ intake: true });
    const { id } = await createAppointment(maria.id, {
      isLiveVideoCall: true,
      appointmentDate: new Date(TEST_NOW.getTime() - 15 * MINUTE - 30_000),
    });
    const pages = ["/appointments", "/dashboard", `/appointments/${id}/booked`];
    for (const path of pages) expect((await maria.get(path)).visibleText).toContain("Join call now");
    await db.appointment.update({ where: { id }, data: { callEndedAt: TEST_NOW } });
    for (const path of pages) expect((await maria.get(path)).text).not.toContain("Join call now");
    const list = await maria.get("/appointments");
    expect(list.visibleText).not.toContain("Happening now");
    expect(list.cardText("Past Appointments")).toMatch(/Hourly Consulting.*completed/);
    expect(list.document.querySelector(`a[href^="/appointments/${id}/cancel"]`)).toBeNull();
    expect((await maria.get("/dashboard")).cardText("Recent Appointments")).toContain("completed");
    expect((await maria.get(`/appointments/${id}/booked`)).headers.location).toBe("/appointments");
    expect((await admin.get("/dashboard")).visibleText).not.toContain("Join call now");
    const details = await admin.get(`/dashboard/appointments/${id}`);
    expect(details.visibleText).toContain("Reopen the ended call");
    const link = [...details.document.querySelectorAll("dialog a")].find(({ textContent }) =>
      textContent?.includes("Reopen"),
    );
    expect((await admin.get(link?.getAttribute("href") ?? "")).status).toBe(200);
    await db.appointment.update({ where: { id }, data: { callEndedAt: null } });
    for (const path of pages) expect((await maria.get(path)).visibleText).toContain("Join call now");
    await db.appointment.delete({ where: { id } });
  });

  test("the dashboard says Welcome until the second sign-in, and Welcome back from then on", async () => {
    const maria = await family({ firstName: "Maria" });
    const heading = async () => (await maria.get("/dashboard")).document.querySelector("h1")?.textContent;
    expect(await heading()).toBe("Welcome, Maria!");
    expect(await heading()).toBe("Welcome, Maria!");
    await maria.post("/api/auth/login", { email: maria.email, password: maria.password });
    expect(await heading()).toBe("Welcome back, Maria!");
  });
});
