// Proves what a visit that starts within 24 hours says of its fee: before booking, moving and cancelling, and by mail.
import { describe, expect, test } from "vitest";
import type { Family } from "../support/people.ts";
import { db, family, setNow } from "../support/site.ts";

setNow(() => new Date("2026-11-20T15:00:30Z"));

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

describe("a visit that starts within 24 hours", () => {
  const soon = { appointmentDate: "2026-11-21T09:00" };

  test("says on the pay page what cancelling it costs, by card and in person", async () => {
    const person = await family({ intake: true });
    await book(person, { ...soon, paymentMethod: "online", isLiveVideoCall: "on" });
    const { visibleText: words } = await person.get("/appointments/pay");
    for (const text of [
      "This visit starts in less than 24 hours. If you cancel it, half ($37.50) comes back.",
      "books your visit now, without a card. You pay $75 by check or cash. Your consultant arranges that with you.",
      "If you cancel it, our terms ask for a 50% fee ($37.50).",
    ])
      expect(words).toContain(text);
    await person.form("/appointments/new", { intent: "discard" });
  });

  test("a later one says nothing of the kind", async () => {
    const person = await family({ intake: true });
    await book(person, { paymentMethod: "online" });
    const { visibleText: words } = await person.get("/appointments/pay");
    expect(words).not.toContain("less than 24 hours");
    expect(words).toContain("You pay $75 when we meet.");
  });

  test("moving says so where the first time that is offered is so near", async () => {
    const person = await family({ intake: true });
    const booked = await book(person, { appointmentDate: "2026-12-06T10:00" });
    const id = booked.headers.location?.split("/")[2];
    const near = await person.get(`/appointments/${id}/move`);
    expect(near.visibleText).toContain(
      "The earliest time here starts in less than 24 hours. If you cancel it, our terms",
    );
    const far = await person.get(`/appointments/${id}/move?date=2026-12-01`);
    expect(far.visibleText).not.toContain("less than 24 hours");
  });

  test("an unpaid one that is cancelled owes the fee of the terms, in the dialog and in the mail", async () => {
    const person = await family({ intake: true });
    const booked = await book(person, soon);
    const id = booked.headers.location?.split("/")[2];
    expect((await person.get(`/appointments/${id}/cancel`)).visibleText).toContain(
      "If you cancel now, our terms ask for a 50% fee: $37.50. You haven't paid yet, and nothing is charged here. Your consultant may ask you for the fee.",
    );
    await person.form(`/appointments/${id}/cancel`, {});
    const [newest] = await db.message.findMany({ where: { userId: person.id }, orderBy: { id: "desc" }, take: 1 });
    const { visibleText: words } = await person.get(`/messages?open=${newest?.id}`);
    expect(words).toContain("Your visit is cancelled");
    expect(words).toContain(
      "so our terms ask for a 50% fee: $37.50. Nothing was charged. Your consultant may ask you for the fee.",
    );
  });
});
