// Proves the email to a family whose visit the consultant moves or cancels: who did it, the refund, nothing private.
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { bookOrFail, nextFreeHour, payByCard, TEST_NOW } from "../support/bookings.ts";
import type { TestClient } from "../support/http-client.ts";
import { type Family, intakeForm } from "../support/people.ts";
import { received, site } from "../support/site-with-mail.ts";

const { consultant, db, family, setTestClock, testing } = site;
setTestClock(() => TEST_NOW);

/** Words that no mail may have: the child's name, health, the service, and what the consultant gave as her reason. */
const PRIVATE = /\b(?:Leo|autism|speech|IEP|Retainer|grieves|evaluation)\b|Consult(?!ant)/;
const REASON = "Leo's autism evaluation comes first, and the office grieves.";

let admin: TestClient;
let maria: Family;

beforeAll(async () => {
  admin = await consultant();
  maria = await family({ firstName: "Maria", lastName: "Alvarez" });
  const responses = { ...intakeForm(maria), childName: "Leo", diagnosis: "autism", otherConcerns: "speech" };
  const { status } = await maria.post("/api/intake-forms", responses);
  if (status !== 201) throw new Error(`The intake form was refused: ${status}`);
  await db.user.update({ where: { id: maria.id }, data: { emailConfirmedAt: TEST_NOW } });
});
beforeEach(() => received());

/** Books for Maria; the price can be changed to what other services have. */
async function bookVisit(changes: Record<string, unknown> = {}) {
  const { id } = await bookOrFail(maria, { title: "Monthly Retainer", notes: "Leo" });
  await received();
  return db.appointment.update({ where: { id }, data: changes });
}

/** The one mail that Maria has received since the last call. */
async function onlyMail() {
  await testing.waitForBackgroundPayments();
  const [mail, ...others] = await received();
  expect([mail?.to, others.map(({ event }) => event)]).toEqual([maria.email, []]);
  const { subject, text, html, event } = mail!;
  const preview = /<div style="display: none[^>]*>([^<&]*)/
    .exec(html)?.[1]
    ?.replace(/\P{ASCII}+$/u, "")
    .trim();
  return { event, subject, preview, paragraphs: text.split("\n\n"), all: subject + text + html };
}

const cancel = (id: number) => admin.form(`/dashboard/appointments/${id}/cancel`, { reason: REASON });
const timeOf = (text: string | undefined) => /\w{3}, \w{3} \d+, \d{4} at \d+:\d\d [AP]M ET/.exec(text ?? "")?.[0];

test("a family whose visit the consultant moves gets an email that says so, with the new and the old time", async () => {
  const { id } = await bookVisit();
  const slot = nextFreeHour();
  expect((await admin.form(`/dashboard/appointments/${id}/reschedule`, { slot })).status).toBe(302);
  const { event, subject, preview, paragraphs, all } = await onlyMail();
  expect([event, subject]).toEqual(["visit-moved", "Your visit has a new time"]);
  expect(paragraphs[1]).toMatch(/^We had to move your visit\..* Please call us\.$/);
  const facts = paragraphs.find((each) => each.startsWith("When: "));
  expect(facts).toMatch(/^When: .+\nOld time: .+\nHow long: 60 minutes\n/);
  expect(preview).toBe(`It is now on ${timeOf(facts)}.`);
  expect(timeOf(facts?.replace(/^When: .+\n/, ""))).not.toBe(timeOf(facts));
  expect(all).not.toMatch(PRIVATE);
});

test("a family whose visit gets a place from the consultant is told the place by email, with the calendar file", async () => {
  const { id } = await bookVisit();
  const place = "Lincoln School, room 12";
  const path = `/dashboard/appointments/${id}`;
  expect((await admin.form(path, { intent: "place", place })).status).toBe(302);
  const { event, subject, preview, paragraphs, all } = await onlyMail();
  expect([event, subject]).toEqual(["visit-moved", "Your visit has a new place"]);
  expect(paragraphs[1]).toBe(
    "We set the place of your visit: Lincoln School, room 12. It still starts at the same time. Doesn't that suit you? Please call us.",
  );
  const facts = paragraphs.find((each) => each.startsWith("When: "));
  expect(facts).toMatch(/^When: .+\nHow long: 60 minutes\nWhere: In person, Lincoln School, room 12$/);
  expect(preview).toBe(`It is on ${timeOf(facts)}.`);
  expect(all).not.toMatch(PRIVATE);
  const message = await db.message.findFirstOrThrow({ where: { appointmentId: id, event } });
  expect(message.calendar).toContain(String.raw`LOCATION:Lincoln School\, room 12`);
  expect(message.calendar).toContain("SEQUENCE:1");
  expect((await admin.form(path, { intent: "place", place: "" })).status).toBe(302);
  const removed = await onlyMail();
  expect(removed.subject).toBe("Your visit has no place yet");
  expect(removed.paragraphs[1]).toMatch(/^The place of your visit is to be agreed on again\. It still starts /);
  expect(removed.all).toContain("Exact place");
});

describe("a family whose visit the consultant cancels", () => {
  test("gets an email that says so; the consultant's reason is in the appointment list, not in the email", async () => {
    const { id } = await bookVisit();
    expect((await cancel(id)).status).toBe(302);
    const { event, subject, preview, paragraphs, all } = await onlyMail();
    expect([event, subject]).toEqual(["visit-cancelled", "Your visit is canceled"]);
    expect(paragraphs[1]).toBe("We're sorry: we had to cancel your visit.");
    expect(preview).toBe(`It was set for ${timeOf(preview)}.`);
    expect(all).not.toMatch(PRIVATE);
    expect(all).not.toContain(REASON);
    const list = await maria.get("/appointments");
    expect(list.visibleText).toContain(`Your consultant canceled this visit: ${REASON}`);
    const message = await db.message.findFirstOrThrow({ where: { event }, orderBy: { id: "desc" } });
    expect(message.content).not.toMatch(PRIVATE);
  });

  test("and that it paid by card gets an email about the full refund, even shortly before the visit", async () => {
    // The same afternoon, for which the family itself would have to pay a fee.
    const paid = await payByCard(maria, "2026-11-20T20:30:00Z");
    expect(paid.status).toBe(200);
    await testing.waitForBackgroundPayments();
    await received();
    expect((await cancel(paid.json.appointment.id)).status).toBe(302);
    const { event, paragraphs, all } = await onlyMail();
    expect([event, paragraphs[2]]).toEqual([
      "visit-cancelled",
      "$75 goes back to the card you paid with. Banks take up to 10 business days.",
    ]);
    expect(all).not.toMatch(PRIVATE);
  });

  test.each([
    ["is still to be paid", {}, "You haven't paid yet, so there's nothing to refund."],
    ["was paid in person", { paymentStatus: "paid" }, "You paid in person: please call us to get your money back."],
    ["has no price", { paymentAmountCents: null }, "There is nothing to pay for this visit."],
  ])("and that %s gets the matching payment text in the email", async (_, changes, sentence) => {
    const { id } = await bookVisit(changes);
    expect((await cancel(id)).status).toBe(302);
    const { paragraphs } = await onlyMail();
    expect(paragraphs[2]).toBe(sentence);
  });
});
