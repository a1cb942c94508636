// Proves that a family that leaves the provider's payment page without a booking gets an email, and only then.
import { expect, test } from "vitest";
import { bookingBody, nextFreeHour, TEST_NOW } from "../support/bookings.ts";
import type { TestClient } from "../support/http-client.ts";
import type { Family } from "../support/people.ts";
import { db, family, setTestClock, testing } from "../support/site.ts";

const MINUTE = 60_000;
let time = TEST_NOW;
setTestClock(() => time);

const findMessages = (userId: number, event = "visit-not-booked") =>
  db.message.findMany({ where: { userId, event }, select: { content: true, state: true } });

/** Chooses a time, and goes to the provider's page to pay for it. */
async function atProvider(person: TestClient, at = nextFreeHour()) {
  const fields = {
    title: "Hourly Consulting",
    slot: at,
    duration: "60",
    type: "consultation",
    paymentMethod: "online",
  };
  expect((await person.form("/appointments/new", fields)).headers.location).toBe("/appointments/pay");
  const response = await person.form("/appointments/pay", { intent: "hosted" });
  expect(response.headers.location).toBe("/appointments/pay/checkout");
  const { document: page } = await person.get("/appointments/pay/checkout");
  const refresh = page.querySelector('meta[http-equiv="refresh"]')?.getAttribute("content") ?? "";
  return { at, page: refresh.replace(/^0; url=/, "") };
}

/** What the page says to a person who comes back from the provider. */
async function textBackFromProvider(person: Family) {
  const { id } = await db.payment.findFirstOrThrow({ where: { userId: person.id } });
  const page = await person.follow(await person.get(`/appointments/pay/return?payment=${id}`));
  return page.visibleText;
}

async function passMinutes(minutes: number) {
  time = new Date(time.getTime() + minutes * MINUTE);
  await testing.reconcilePayments();
}

test("a card declined on the provider's page leads to one email, created when the hold ends", async () => {
  const maria = await family({ intake: true });
  const { page } = await atProvider(maria);
  expect((await maria.form(page, { number: "1111 1111 1111 0002" })).status).toBe(402);
  await passMinutes(14);
  expect(await findMessages(maria.id)).toEqual([]);
  await passMinutes(1);
  await passMinutes(5);
  const [message, ...others] = await findMessages(maria.id);
  expect([message?.state, others]).toEqual(["pending", []]);
  expect(message?.content).toContain("Nothing was charged.");
  expect(JSON.parse(message?.content ?? "")).toMatchObject({ subject: "Your visit is not booked" });
});

test("a payment for a time that another family has booked meanwhile is refunded, with one email", async () => {
  const [maria, devon] = [await family({ intake: true }), await family({ intake: true })];
  const { at, page } = await atProvider(maria);
  expect((await maria.form(page, { number: "1111 1111 1111 1111" })).status).toBe(302);
  time = new Date(time.getTime() + 15 * MINUTE);
  const taken = bookingBody({ title: "Hourly Consulting", appointmentDate: at });
  expect((await devon.post("/api/appointments/in-person", taken)).status).toBe(201);
  await testing.reconcilePayments();
  const messages = await findMessages(maria.id);
  expect(messages).toHaveLength(1);
  expect(messages[0]?.content).toContain("$75 goes back to the card you paid with.");
  expect(await db.refund.count({ where: { payment: { userId: maria.id } } })).toBe(1);
  expect(await findMessages(devon.id)).toEqual([]);
  expect(await textBackFromProvider(maria)).toContain("The time was taken before your payment came through. $75 goes");
});

test("no email is sent when the payment led to a booking or the family booked the time in person", async () => {
  const [maria, devon] = [await family({ intake: true }), await family({ intake: true })];
  const { page } = await atProvider(maria);
  await maria.form(page, { number: "1111 1111 1111 1111" });
  await testing.reconcilePayments();
  const { at } = await atProvider(devon);
  const inPerson = bookingBody({ title: "Hourly Consulting", appointmentDate: at });
  expect((await devon.post("/api/appointments/in-person", inPerson)).status).toBe(201);
  await passMinutes(20);
  expect([await findMessages(maria.id), await findMessages(devon.id)]).toEqual([[], []]);
  expect([await findMessages(maria.id, "payment-returned"), await findMessages(devon.id, "payment-returned")]).toEqual([
    [],
    [],
  ]);
});

test("a payment on a page left open after an in-person booking is refunded, with one email", async () => {
  const maria = await family({ intake: true });
  const { at, page } = await atProvider(maria);
  const inPerson = bookingBody({ title: "Hourly Consulting", appointmentDate: at });
  expect((await maria.post("/api/appointments/in-person", inPerson)).status).toBe(201);
  expect((await maria.form(page, { number: "1111 1111 1111 1111" })).status).toBe(302);
  await passMinutes(1);
  await passMinutes(20);
  const messages = await findMessages(maria.id, "payment-returned");
  expect(messages).toHaveLength(1);
  expect(messages[0]?.content).toContain("all of it, $75, goes back to the card you paid with");
  const { subject, preview } = JSON.parse(messages[0]?.content ?? "");
  expect(`${subject} ${preview}`).not.toMatch(/\$|Hourly/);
  expect(await findMessages(maria.id)).toEqual([]);
  expect(await db.refund.count({ where: { payment: { userId: maria.id } } })).toBe(1);
  // Back from the provider, the page says the same.
  expect(await textBackFromProvider(maria)).toContain(
    "You had already left that payment page. $75 goes back to your card.",
  );
});

test("paying on two pages for the same time leads to one booking, one receipt and one refund email", async () => {
  const maria = await family({ intake: true });
  const earlier = await atProvider(maria);
  const later = await atProvider(maria, earlier.at);
  for (const { page } of [earlier, later])
    expect((await maria.form(page, { number: "1111 1111 1111 1111" })).status).toBe(302);
  await passMinutes(1);
  await passMinutes(20);
  expect(await findMessages(maria.id, "payment-returned")).toHaveLength(1);
  expect(await findMessages(maria.id, "receipt")).toHaveLength(1);
  expect(await findMessages(maria.id)).toEqual([]);
  expect(await db.appointment.count({ where: { userId: maria.id, paymentStatus: "paid" } })).toBe(1);
});

test("opening a second payment page for another time leads to one email for both", async () => {
  const maria = await family({ intake: true });
  await atProvider(maria);
  await passMinutes(2);
  await atProvider(maria);
  // The later page is closed first, as it may be in any pass.
  const [first] = await db.payment.findMany({ where: { userId: maria.id }, orderBy: { id: "asc" }, take: 1 });
  const leaseEndsAt = new Date(time.getTime() + 25 * MINUTE);
  await db.payment.update({ where: { id: first?.id ?? 0 }, data: { leaseEndsAt } });
  await passMinutes(20);
  expect(await findMessages(maria.id)).toHaveLength(1);
  await passMinutes(10);
  expect(await findMessages(maria.id)).toHaveLength(1);
});

test("a card declined on the site's own form (402) leads to no email", async () => {
  const maria = await family({ intake: true });
  const appointmentData = bookingBody({ title: "Hourly Consulting" });
  const declined = { sourceId: "cnon:card-nonce-declined", amount: 75, appointmentData };
  expect((await maria.post("/api/payments/process", declined)).status).toBe(402);
  await passMinutes(20);
  expect(await findMessages(maria.id)).toEqual([]);
});
