// Proves what closing and reopening a family's account does to its sessions, appointments and payments.
import { beforeAll, describe, expect, test } from "vitest";
import type { MessageContent } from "../../app/mail/message-content.ts";
import { hashSecretToken } from "../../app/secret-token.server.ts";
import type { TestClient } from "../support/http-client.ts";
import type { Family } from "../support/people.ts";
import { adminEmail } from "../support/test-environment.ts";
import { addPasskey, signInWithPasskey } from "../support/passkeys.ts";
import { now, cardPaymentBody, site, openSlots } from "../support/site-with-square.ts";

const { consultant, db, family, visitor } = site;
const HOUR = 3_600_000;

let admin: TestClient;

beforeAll(async () => {
  admin = await consultant();
});

const close = (who: { id: number }, by: TestClient = admin) => by.form(`/families/${who.id}/close`, {});
const open = (who: { id: number }, by: TestClient = admin) => by.form(`/families/${who.id}/open`, {});
const signIn = ({ email, password }: Family, typed = password) =>
  visitor().post("/api/auth/login", { email, password: typed });

async function paid(who: Family) {
  const response = await who.post(
    "/api/payments/process",
    cardPaymentBody({ appointmentDate: openSlots.next().value }),
  );
  expect([response.status, response.text]).toEqual([200, expect.any(String)]);
  return response.json.appointment.id as number;
}

function booked(who: { id: number }, start: Date, status = "scheduled") {
  const data = { title: "Hourly Consulting", type: "consultation", status, paymentAmountCents: 7500 };
  return db.appointment.create({
    data: { ...data, userId: who.id, appointmentDate: start, paymentMethod: "in-person" },
  });
}

const statusOf = async (id: number) => (await db.appointment.findUniqueOrThrow({ where: { id } })).status;

describe("the consultant closes a family's account", () => {
  test("after a page that names the effects; its visits are canceled, its hold is released, its card refunded in full", async () => {
    const [maria, other] = [await family({ intake: true }), await family({ intake: true })];
    const online = await paid(maria);
    const inPerson = await booked(maria, new Date(openSlots.next().value));
    const past = await booked(maria, new Date("2026-03-02T15:00:00Z"), "completed");
    const others = await booked(other, new Date(openSlots.next().value));
    const heldAt = new Date(openSlots.next().value);
    const payment = await db.payment.create({
      data: {
        userId: maria.id,
        method: "hosted",
        provider: "square",
        key: "a page nobody paid on",
        booking: "{}",
        amountCents: 7500,
        state: "waiting",
        leaseEndsAt: now(),
      },
    });
    const hold = { userId: maria.id, paymentId: payment.id, appointmentDate: heldAt, duration: 60 };
    await db.hold.create({ data: { ...hold, expiresAt: new Date(now().getTime() + HOUR) } });

    const confirmationPage = await admin.get(`/families/${maria.id}/close`);
    expect(confirmationPage.visibleText).toContain(
      "2 upcoming appointments are canceled, and $75 goes back to the card in full.",
    );
    const response = await close(maria);
    expect([response.status, response.headers.location]).toEqual([302, `/families/${maria.id}`]);
    const page = await admin.follow(response);
    expect(page.visibleText).toContain("2 appointments are canceled. $75 goes back to the card.");
    expect(page.visibleText).toContain("You closed this account on");
    expect(await Promise.all([online, inPerson.id, past.id, others.id].map(statusOf))).toEqual([
      "cancelled",
      "cancelled",
      "completed",
      "scheduled",
    ]);
    expect(await db.payment.findFirst({ where: { appointmentId: online } })).toMatchObject({ refundedCents: 7500 });
    expect(await db.hold.count({ where: { userId: maria.id } })).toBe(0);
    expect(await db.payment.findUnique({ where: { id: payment.id } })).toMatchObject({ state: "closing" });
    expect((await other.get("/api/auth/me")).status).toBe(200);
    expect((await admin.get("/families")).visibleText).toContain("closed");
    expect((await close(maria)).status).toBe(302);
    expect(await db.refund.count({ where: { payment: { appointmentId: online } } })).toBe(1);
  });

  test("after a page that names what is left to refund of a payment that was partly refunded", async () => {
    const maria = await family({ intake: true });
    const id = await paid(maria);
    const page = `/dashboard/appointments/${id}/payment`;
    const payment = await db.payment.findFirstOrThrow({ where: { appointmentId: id } });
    const key = (await admin.get(page)).document.querySelector('[name="key"]')?.getAttribute("value") ?? "";
    const refund = { intent: "refund", paymentId: String(payment.id), amount: "20.50", reason: "As agreed", key };
    expect((await admin.form(page, refund)).status).toBe(302);
    expect((await admin.get(`/families/${maria.id}/close`)).visibleText).toContain(
      "$54.50 goes back to the card in full.",
    );
    expect((await admin.follow(await close(maria))).visibleText).toContain("$54.50 goes back to the card.");
    expect(await db.payment.findUnique({ where: { id: payment.id } })).toMatchObject({ refundedCents: 7500 });
  });

  test("and the family gets one email per canceled visit about its refund, without links to pages it can't open", async () => {
    const maria = await family({ intake: true, firstName: "Maria" });
    await db.user.update({ where: { id: maria.id }, data: { emailConfirmedAt: now() } });
    const wording = { subject: "Canceled", body: "{who canceled it} {refund} Book again:\n\n{link}" };
    await db.messageWording.create({ data: { name: "visit-cancelled", ...wording, updatedAt: now() } });
    const ids = [await paid(maria), (await booked(maria, new Date(openSlots.next().value))).id];
    expect((await admin.get(`/families/${maria.id}/close`)).visibleText).toContain(
      "You give back yourself what was paid in person. The family is told of each of them by email.",
    );
    await close(maria);
    await close(maria);
    await db.messageWording.deleteMany({});
    const emails = await db.message.findMany({
      where: { event: "visit-cancelled", userId: maria.id },
      orderBy: { appointmentId: "asc" },
    });
    expect(emails.map(({ appointmentId }) => appointmentId)).toEqual(ids);
    for (const { appointmentId, content, address, state, calendar } of emails) {
      expect([address, state !== "not-mailed"]).toEqual([maria.email, true]);
      expect(calendar).toContain("METHOD:CANCEL");
      const { firstName, paragraphs, action, moreLink, closing } = JSON.parse(content) as MessageContent;
      const back =
        appointmentId === ids[0]
          ? "$75 goes back to the card you paid with."
          : /^You haven't paid yet, so there's nothing to refund\.$/;
      expect([firstName, paragraphs[0]]).toEqual(["Maria", "We're sorry: we had to cancel your visit."]);
      expect(paragraphs[1]).toMatch(back);
      expect([action, moreLink]).toEqual([undefined, undefined]);
      expect(closing).toContain("Your account on our website is closed, so you can't sign in there.");
    }
  });

  test("and a family with an unconfirmed email address gets the email without its name", async () => {
    const maria = await family({ intake: true });
    const { id } = await booked(maria, new Date(openSlots.next().value));
    await close(maria);
    const email = await db.message.findFirstOrThrow({ where: { event: "visit-cancelled", appointmentId: id } });
    expect([email.address, email.state !== "not-mailed"]).toEqual([maria.email, true]);
    expect(JSON.parse(email.content)).toMatchObject({ firstName: "", mayReachStranger: true });
  });

  test("and its sessions and password links end; only the right password gets the message that it is closed", async () => {
    const maria = await family();
    const path = `/reset-password/${"c".repeat(43)}`;
    const link = { userId: maria.id, expiresAt: new Date(now().getTime() + 3_600_000) };
    await db.passwordReset.create({ data: { ...link, tokenHash: hashSecretToken("c".repeat(43)) } });
    await close(maria);
    expect((await maria.get("/api/auth/me")).status).toBe(401);
    expect(await db.session.count({ where: { userId: maria.id } })).toBe(0);
    const right = await signIn(maria);
    expect([right.status, right.json.message]).toEqual([403, expect.stringContaining("This account is closed.")]);
    expect(right.headers["set-cookie"]).toBeUndefined();
    const onPage = await visitor().form("/login", { email: maria.email, password: maria.password });
    expect([onPage.status, onPage.visibleText]).toEqual([403, expect.stringContaining("This account is closed.")]);
    const wrong = await signIn(maria, "not this one");
    const unknown = await visitor().post("/api/auth/login", { email: "nobody@example.com", password: "not this one" });
    expect([wrong.status, wrong.text]).toEqual([unknown.status, unknown.text]);
    const chosen = { newPassword: "chosen anew", confirmPassword: "chosen anew" };
    expect((await visitor().form(path, chosen)).status).toBe(410);
    const another = await admin.form("/dashboard/reset-link", { email: maria.email });
    expect([another.status, another.visibleText]).toEqual([422, expect.stringContaining("account is closed")]);
  });

  test("and nothing can be booked for it any more, not even in concurrent requests", async () => {
    const maria = await family({ intake: true });
    const fields = { title: "Hourly Consulting", type: "consultation", duration: 60 };
    const requests = Array.from({ length: 4 }, () =>
      maria.post("/api/appointments", { ...fields, appointmentDate: openSlots.next().value }),
    );
    await Promise.all([...requests, close(maria)]);
    const upcoming = { userId: maria.id, status: { not: "cancelled" }, appointmentDate: { gt: now() } };
    expect(await db.appointment.count({ where: upcoming })).toBe(0);
    const byHer = await admin.post("/api/appointments", {
      ...fields,
      userId: maria.id,
      appointmentDate: openSlots.next().value,
    });
    expect(byHer.status).toBe(422);
  });

  test("but not while its deletion is pending (409), so that the family can still sign in and keep it", async () => {
    const maria = await family({ intake: true });
    const eraseAfter = new Date(now().getTime() + 24 * HOUR);
    await db.user.update({ where: { id: maria.id }, data: { eraseAfter } });
    const page = await admin.get(`/families/${maria.id}`);
    for (const name of ["close", "delete"])
      expect(page.document.querySelector(`a[href="/families/${maria.id}/${name}"]`)).toBeNull();
    for (const response of [await close(maria), await admin.get(`/families/${maria.id}/close`)])
      expect([response.status, response.visibleText]).toEqual([
        409,
        expect.stringContaining("This account is scheduled to be deleted, so it can’t be closed"),
      ]);
    expect((await db.user.findUniqueOrThrow({ where: { id: maria.id } })).closedAt).toBeNull();
    const client = visitor();
    expect((await client.post("/api/auth/login", { email: maria.email, password: maria.password })).status).toBe(200);
    expect((await client.post("/api/me/keep", {})).status).toBe(200);
    expect((await close(maria)).status).toBe(302);
  });

  test("and reopens it: the family sets a new password by her link, and canceled visits stay canceled", async () => {
    const maria = await family({ intake: true });
    const visit = await booked(maria, new Date(openSlots.next().value));
    const { device } = await addPasskey(maria);
    const feed = new URL((await maria.post("/api/calendar-feed", {})).json.url as string).pathname;
    await close(maria);
    expect((await admin.get(`/families/${maria.id}/open`)).visibleText).toContain("chooses a new password first");
    const page = await admin.follow(await open(maria));
    expect(page.visibleText).not.toContain("You closed this account");
    expect([(await signIn(maria)).status, (await signInWithPasskey(visitor(), device)).status]).toEqual([401, 401]);
    expect((await visitor().get(feed)).status).toBe(404);
    const { text } = await admin.form("/dashboard/reset-link", { email: maria.email });
    const link = /\/reset-password\/[\w-]{43}/.exec(text)?.[0] ?? "";
    const fields = { newPassword: "four yellow hills 88", confirmPassword: "four yellow hills 88" };
    expect((await visitor().form(link, fields)).status).toBe(302);
    // Opening an account that is open changes nothing.
    expect((await open(maria)).status).toBe(302);
    const again = { email: maria.email, password: fields.newPassword };
    expect((await visitor().post("/api/auth/login", again)).status).toBe(200);
    expect(await statusOf(visit.id)).toBe("cancelled");
  });

  test("but a family gets 403, a visitor must sign in, and the consultant's own account is 404", async () => {
    const [maria, other] = [await family(), await family()];
    for (const by of [maria, other]) {
      expect([(await close(maria, by)).status, (await open(maria, by)).status]).toEqual([403, 403]);
      expect((await by.get(`/families/${maria.id}/close`)).status).toBe(403);
    }
    expect((await close(maria, visitor())).headers.location).toBe("/login");
    const own = await db.user.findUniqueOrThrow({ where: { email: adminEmail } });
    for (const id of [own.id, 2_000_000_000]) expect([(await close({ id })).status, id]).toEqual([404, id]);
    expect(await db.user.count({ where: { closedAt: { not: null }, id: { in: [maria.id, own.id] } } })).toBe(0);
  });
});
