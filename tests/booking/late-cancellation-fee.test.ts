// Proves what pages and emails say about the late cancellation fee: before booking, moving and canceling.
import { describe, expect, test } from "vitest";
import type { MessageContent } from "../../app/mail/message-content.ts";
import type { Family } from "../support/people.ts";
import { payByCard } from "../support/bookings.ts";
import { consultant, db, family, setTestClock, testing } from "../support/site.ts";

let time = new Date("2026-11-20T15:00:30Z");
setTestClock(() => time);

const book = (person: Family, changes: Record<string, string>) =>
  person.form("/appointments/new", {
    title: "Hourly Consulting",
    service: "",
    appointmentDate: "2026-12-05T10:00",
    duration: "60",
    type: "consultation",
    paymentMethod: "in-person",
    ...changes,
  });

describe("the late cancellation fee", () => {
  const soon = { appointmentDate: "2026-11-21T09:00" };

  test("the payment page of a visit within 24 hours shows what canceling costs, if paid by card or in person", async () => {
    const person = await family({ intake: true });
    await book(person, { ...soon, paymentMethod: "online", isLiveVideoCall: "on" });
    const { visibleText: words } = await person.get("/appointments/pay");
    for (const text of [
      "This visit starts in less than 24 hours. If you cancel it, only $37.50 comes back.",
      "books your visit now, without a card. You pay $75 by check or cash. Your consultant arranges that with you.",
      "If you cancel it, our terms ask for a 50% fee ($37.50).",
    ])
      expect(words).toContain(text);
    await person.form("/appointments/new", { intent: "discard" });
  });

  test("the payment page of a later visit shows until when canceling is free, and that leaving costs nothing", async () => {
    const person = await family({ intake: true });
    await book(person, { paymentMethod: "online" });
    const { visibleText: words } = await person.get("/appointments/pay");
    expect(words).not.toContain("less than 24 hours");
    for (const text of [
      "Cancel by Fri, Dec 4, 10:00 AM for a full refund; after that there is a 50% fee.",
      "You pay $75 when we meet.",
      "“Change the booking” and “Cancel” cost nothing: what you chose stays saved, and your time stays yours until",
    ])
      expect(words).toContain(text);
  });

  test("a form that was opened when canceling was free does not cancel later: 409, and the form shows the fee", async () => {
    const person = await family({ intake: true });
    const booked = await book(person, { appointmentDate: "2026-12-13T10:00" });
    const id = Number(booked.headers.location?.split("/")[2]);
    const asked = { refundCents: "0", feeCents: "0" };
    await db.appointment.update({ where: { id }, data: { appointmentDate: new Date("2026-11-21T15:00:00Z") } });
    const again = await person.form(`/appointments/${id}/cancel`, asked);
    expect([again.status, again.visibleText]).toEqual([409, expect.stringContaining("50% fee: $37.50")]);
    expect(again.document.querySelector("[name=feeCents]")?.getAttribute("value")).toBe("3750");
    const now = await person.form(`/appointments/${id}/cancel`, { ...asked, feeCents: "3750" });
    expect([now.status, now.headers.location]).toEqual([302, "/appointments"]);
    expect((await db.appointment.findUniqueOrThrow({ where: { id } })).status).toBe("cancelled");
  });

  test("moving a visit into the last 24 hours shows a warning with the fee; a later day shows none", async () => {
    const person = await family({ intake: true });
    const booked = await book(person, { appointmentDate: "2026-12-06T10:00" });
    const id = booked.headers.location?.split("/")[2];
    const near = await person.get(`/appointments/${id}/move?from=2026-11-20`);
    expect(near.document.querySelector(".move-confirm .unscripted")?.textContent).toBe(
      "Before Sat, Nov 21, 10:00 AM: Less than 24 hours away: you can't move it again here, and canceling has a 50% fee ($37.50).",
    );
    expect(near.document.querySelector(".move-confirm [role=status]")?.textContent).toBe("");
    const far = await person.get(`/appointments/${id}/move`);
    expect(far.document.querySelector(".move-confirm .unscripted")).toBeNull();
  });

  test("moving a paid visit into the last 24 hours shows the refund that canceling then gives", async () => {
    const person = await family({ intake: true });
    const booking = {
      title: "Hourly Consulting",
      appointmentDate: "2026-12-13T15:00:00Z",
      duration: 60,
      type: "consultation",
    };
    const paid = await person.post("/api/payments/process", {
      sourceId: "cnon:card-nonce-ok",
      amount: 75,
      appointmentData: booking,
    });
    const near = await person.get(`/appointments/${paid.json.appointment.id}/move?from=2026-11-20`);
    expect(near.document.querySelector(".move-confirm .unscripted")?.textContent).toContain(
      "you can't move it again here, and canceling gives back only $37.50.",
    );
  });

  test("the email and confirmation of a visit within 24 hours state the fee; paid by card, the email states the refund", async () => {
    const person = await family({ intake: true });
    const newestMail = async () => {
      const [newest] = await db.message.findMany({ where: { userId: person.id }, orderBy: { id: "desc" }, take: 1 });
      return (await person.get(`/messages?open=${newest?.id}`)).visibleText;
    };
    const booked = await book(person, soon);
    const words =
      "It starts in less than 24 hours. To move it, please call us. If you cancel it, our terms ask for a 50% fee ($37.50).";
    expect(await newestMail()).toContain(words);
    expect((await person.follow(booked)).visibleText).toContain(words);
    await person.form(`${booked.headers.location?.replace("/booked", "/cancel")}`, {});
    const { json: paid } = await payByCard(person, "2026-11-21T14:00:00.000Z");
    const mails = await db.message.findMany({ where: { appointmentId: paid.appointment.id, event: "visit-booked" } });
    expect(mails.map(({ content }) => (JSON.parse(content) as MessageContent).closing?.at(-1))).toEqual([
      "Can't make it? Open your visit. It starts in less than 24 hours. To move it, please call us. If you cancel it, there is a 50% fee, and $37.50 goes back to your card. Is it an emergency? Please call us before you cancel.",
    ]);
    expect((await person.delete(`/api/appointments/${paid.appointment.id}`)).status).toBe(200);
    expect(await newestMail()).toContain(
      "You canceled less than 24 hours before the start, so there is a 50% fee. $37.50 goes back to the card you paid with.",
    );
  });

  test("the email about a canceled visit without a price says that there is nothing to pay", async () => {
    const person = await family({ intake: true });
    const start = new Date("2026-11-21T16:00:00.000Z");
    const visit = { title: "Hourly Consulting", type: "consultation", duration: 30, appointmentDate: start };
    const { id } = await db.appointment.create({ data: { ...visit, userId: person.id } });
    expect((await person.delete(`/api/appointments/${id}`)).status).toBe(200);
    const mail = await db.message.findFirstOrThrow({ where: { appointmentId: id, event: "visit-cancelled" } });
    expect((JSON.parse(mail.content) as MessageContent).paragraphs).toEqual([
      "You canceled your visit.",
      "There is nothing to pay for this visit.",
    ]);
  });

  test("the dialog and email about canceling a visit paid in person, early or late, say to call about the money", async () => {
    const person = await family({ intake: true });
    const paid = { paymentAmountCents: 7500, paymentStatus: "paid" };
    const visit = { title: "Hourly Consulting", type: "consultation", userId: person.id, ...paid };
    for (const [start, words] of [
      [
        new Date("2026-11-23T21:00Z"),
        "Canceling is free up to 24 hours before. You paid in person: please call us to get your money back.",
      ],
      [
        new Date("2026-11-20T21:00Z"),
        "our terms ask for a 50% fee: $37.50. You paid in person: please call us about the rest.",
      ],
    ] as const) {
      const { id } = await db.appointment.create({ data: { ...visit, appointmentDate: start } });
      expect((await person.get(`/appointments/${id}/cancel`)).visibleText).toContain(words);
      await person.form(`/appointments/${id}/cancel`, {});
      const mail = await db.message.findFirstOrThrow({ where: { appointmentId: id, event: "visit-cancelled" } });
      expect((JSON.parse(mail.content) as MessageContent).paragraphs?.join(" ")).toContain(
        words.slice(words.indexOf("You paid")),
      );
    }
  });

  test("the email about a visit canceled early or by the practice says nothing to refund or, if paid in person, to call", async () => {
    const [person, her] = [await family({ intake: true }), await consultant()];
    const visit = { title: "Hourly Consulting", type: "consultation", userId: person.id, paymentAmountCents: 7500 };
    const told = async (status: string, cancel: (id: number) => Promise<{ status: number }>, startsAt: string) => {
      const row = { ...visit, paymentStatus: status, appointmentDate: new Date(startsAt) };
      const { id } = await db.appointment.create({ data: row });
      expect((await cancel(id)).status).toBeLessThan(400);
      const mail = await db.message.findFirstOrThrow({ where: { appointmentId: id, event: "visit-cancelled" } });
      return (JSON.parse(mail.content) as MessageContent).paragraphs[1];
    };
    const byFamily = (id: number) => person.delete(`/api/appointments/${id}`);
    const byPractice = (id: number) => her.form(`/dashboard/appointments/${id}/cancel`, { reason: "I am ill." });
    const [unpaid, paid] = [
      "You haven't paid yet, so there's nothing to refund.",
      "You paid in person: please call us to get your money back.",
    ];
    expect([
      await told("pending", byFamily, "2026-11-28T15:00Z"),
      await told("pending", byPractice, "2026-11-28T17:00Z"),
      await told("paid", byPractice, "2026-11-28T19:00Z"),
      await told("pending", byPractice, "2026-11-20T19:00Z"),
    ]).toEqual([unpaid, unpaid, paid, unpaid]);
  });

  test("the dialog and email about an unpaid visit that its family cancels late state the 50% fee of the terms", async () => {
    const person = await family({ intake: true });
    const booked = await book(person, soon);
    const id = booked.headers.location?.split("/")[2];
    expect((await person.get(`/appointments/${id}/cancel`)).visibleText).toContain(
      "If you cancel now, our terms ask for a 50% fee: $37.50. You haven't paid yet, and nothing is charged here. Your consultant may ask you for the fee.",
    );
    await person.form(`/appointments/${id}/cancel`, {});
    const [newest] = await db.message.findMany({ where: { userId: person.id }, orderBy: { id: "desc" }, take: 1 });
    const { visibleText: words } = await person.get(`/messages?open=${newest?.id}`);
    expect(words).toContain("Your visit is canceled");
    expect(words).toContain(
      "so our terms ask for a 50% fee: $37.50. Nothing was charged. Your consultant may ask you for the fee.",
    );
  });
});

describe("deleting an account with upcoming visits", () => {
  const PAGE = "/dashboard/settings/delete-account";

  test("refunds by the time at which the family asked, even when the background job cancels the visit later", async () => {
    time = new Date("2026-12-03T14:00:00Z");
    const person = await family({ intake: true });
    const { json: paid } = await payByCard(person, "2026-12-04T20:00:00.000Z");
    const where = { id: paid.appointment.id as number };
    // As if its payment were still in progress.
    await db.appointment.update({ where, data: { status: "completed" } });
    const headers = { Origin: person.origin, "Content-Type": "application/json" };
    const body = JSON.stringify({ password: person.password });
    expect((await person.request("DELETE", "/api/me", { headers, body })).status).toBe(202);
    await db.appointment.update({ where, data: { status: "scheduled" } });
    time = new Date("2026-12-04T02:00:00Z");
    await testing.cancelVisitsOfAccountsPendingErasure();
    const refunds = await db.refund.findMany({ where: { payment: { appointmentId: where.id } } });
    expect(refunds.map(({ amountCents }) => amountCents)).toEqual([7500]);
  });

  async function readAmounts(person: Family): Promise<Record<string, string>> {
    const { document } = await person.get(PAGE);
    const inputs = ["refundCents", "feeCents"].map((name) => document.querySelector(`[name=${name}]`));
    return Object.fromEntries(inputs.map((input) => [input!.getAttribute("name")!, input!.getAttribute("value")!]));
  }

  test("gets 409 with the current refund and fee if they changed since the page was opened", async () => {
    const person = await family({ intake: true });
    const { json: paid } = await payByCard(person, "2026-12-12T14:00:00.000Z");
    await book(person, { appointmentDate: "2026-12-12T10:00" });
    time = new Date("2026-12-11T13:59:00Z");
    await person.post("/api/auth/login", { email: person.email, password: person.password });
    const early = await readAmounts(person);
    expect(early).toEqual({ refundCents: "7500", feeCents: "0" });
    time = new Date("2026-12-11T15:30:00Z");
    const press = (shown: object) => person.form(PAGE, { password: person.password, ...shown });
    for (const shown of [early, { ...early, refundCents: "3750" }, { feeCents: "0" }, { refundCents: "-1" }]) {
      const { status, visibleText } = await press(shown);
      expect([status, visibleText]).toEqual([409, expect.stringContaining("The amount has changed since you opened")]);
      expect(visibleText).toContain("$37.50 goes back");
      expect(visibleText).toContain("Our terms ask for a 50% fee: $37.50. Your consultant may ask you for it.");
    }
    expect(await db.user.count({ where: { id: person.id, eraseAfter: null } })).toBe(1);
    expect(await db.appointment.count({ where: { userId: person.id, status: "scheduled" } })).toBe(2);
    const current = await readAmounts(person);
    expect((await press({ ...current, password: "not-the-password" })).status).toBe(422);
    expect(current).toEqual({ refundCents: "3750", feeCents: "3750" });
    expect((await press(current)).headers.location).toBe("/account-deleted");
    const refunds = await db.refund.findMany({ where: { payment: { appointmentId: paid.appointment.id } } });
    expect(refunds.map(({ amountCents }) => amountCents)).toEqual([3750]);
  });
});
