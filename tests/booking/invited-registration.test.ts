// Proves what happens to an invitation when its family registers on its own or is invited at another address: who gets
// the visit, and that the link stops working.
import { beforeAll, describe, expect, test } from "vitest";
import { nextFreeHour, TEST_NOW } from "../support/bookings.ts";
import type { TestClient } from "../support/http-client.ts";
import { received, site, smtp } from "../support/site-with-mail.ts";

const { consultant, db, family, origin, setTestClock, testing, visitor } = site;

const PASSWORD = "rain on the tin roof";
let time = TEST_NOW;
setTestClock(() => time);

let admin: TestClient;
let asked = 0;

beforeAll(async () => {
  admin = await consultant();
});

const nextAddress = () => `invited.${(asked += 1)}@example.org`;

/** A visit without an account that the consultant makes from a request with this address. */
async function unclaimed(email: string): Promise<number> {
  const request = { firstName: "Hal", lastName: "Doe", email, serviceNeeds: "IEP", urgency: "routine", consent: true };
  const sent = await visitor().post("/api/consultation-requests", request);
  const fields = { title: "Initial Consultation", duration: 60, type: "consultation" };
  const visit = { ...fields, consultationRequestId: sent.json.id, appointmentDate: nextFreeHour() };
  const made = await admin.post("/api/appointments/from-consultation", visit);
  expect(made.status).toBe(201);
  return made.json.id;
}

/** Invites a family with a visit, and returns the path of the link in its mail. */
async function invite(email: string, appointmentId: number): Promise<string> {
  const fields = { firstName: "Hal", lastName: "Doe", email, appointmentId: String(appointmentId) };
  expect((await admin.form("/families/invitations", fields)).status).toBe(302);
  return linkTo(email, "invitation");
}

async function linkTo(email: string, event: string): Promise<string> {
  const mail = (await received(email)).find((each) => each.event === event);
  return new URL(/http:\S+/.exec(mail?.text ?? "")?.[0] ?? "", origin).pathname;
}

/** An account that its owner makes at /register, and the link that confirms its address. */
async function register(email: string) {
  const client = visitor();
  const fields = { firstName: "Hal", lastName: "Doe", email, password: PASSWORD, confirmPassword: PASSWORD };
  expect((await client.form("/register", fields)).status).toBe(302);
  const link = await linkTo(email, "account-made");
  return {
    client,
    confirm: async () => expect((await client.form(link, {})).status).toBe(302),
    visits: async () => (await client.get("/api/appointments")).json.map(({ id }: { id: number }) => id),
  };
}

describe("an invited family that registers on its own", () => {
  test("gets its visit and an email once its address is confirmed; others can't use the link anymore", async () => {
    const email = nextAddress();
    const id = await unclaimed(email);
    const path = await invite(email, id);
    const hal = await register(email);
    expect(await hal.visits()).toEqual([]);
    await hal.confirm();
    expect(await hal.visits()).toEqual([id]);
    expect((await received()).map(({ event, to }) => [event, to])).toEqual([["visit-booked", email]]);
    const visit = await db.appointment.findUniqueOrThrow({ where: { id }, include: { consultationRequest: true } });
    expect(visit.consultationRequest?.userId).toBe(visit.userId);
    const other = await family();
    const claim = path.replace("/invitation/", "/claim-visit/");
    expect([(await other.get(path)).status, (await other.form(claim, {})).status]).toEqual([410, 404]);
    expect(await hal.visits()).toEqual([id]);
    expect((await admin.get("/families/invitations")).visibleText).toContain("None are open.");
    await received();
    time = new Date(visit.appointmentDate.getTime() - 23 * 3_600_000);
    await testing.writeVisitReminders();
    expect((await received(email)).map(({ event }) => event)).toEqual(["visit-reminder-24h"]);
    time = TEST_NOW;
  });

  test("sees earlier emails in Messages once its address is confirmed, without the link; another family doesn't", async () => {
    const [email, others] = [nextAddress(), nextAddress()];
    const id = await unclaimed(email);
    const path = await invite(email, id);
    await unclaimed(others);
    await received();
    const hal = await register(email);
    const subjects = async (who = hal) =>
      [...(await who.client.get("/messages")).document.querySelectorAll("main li strong")].map(
        ({ textContent }) => /invitation|request|Welcome|booked/.exec(textContent ?? "")?.[0],
      );
    expect(await subjects()).toEqual(["Welcome"]);
    await hal.confirm();
    expect(await subjects()).toEqual(["booked", "Welcome", "invitation", "request"]);
    const page = await hal.client.get("/messages");
    expect(page.visibleText).toContain("For your safety, the link is only in the email itself.");
    expect(page.text).not.toContain(path);
    expect(page.document.querySelectorAll('main a[href="/register"]')).toHaveLength(0);
    const { id: userId } = await db.user.findUniqueOrThrow({ where: { email } });
    expect(await db.message.count({ where: { userId, event: { in: ["invitation", "request-received"] } } })).toBe(0);
    const other = await register(nextAddress());
    await other.confirm();
    expect(await subjects(other)).toEqual(["Welcome"]);
  });

  test("gets the visit if the invitation went to its address, not if only the request came from it", async () => {
    const [asking, chosen] = [nextAddress(), nextAddress()];
    const id = await unclaimed(asking);
    await invite(chosen, id);
    const [first, second] = [await register(asking), await register(chosen)];
    await first.confirm();
    expect(await first.visits()).toEqual([]);
    await second.confirm();
    expect([await first.visits(), await second.visits()]).toEqual([[], [id]]);
  });

  test("doesn't get the visit while a claim link made after the invitation is valid, but gets it once expired", async () => {
    const [email, late] = [nextAddress(), nextAddress()];
    const [id, lateId] = [await unclaimed(email), await unclaimed(late)];
    await invite(email, id);
    await invite(late, lateId);
    for (const each of [id, lateId])
      expect((await admin.form(`/dashboard/appointments/${each}/claim-link`, {})).status).toBe(200);
    await db.appointmentClaim.update({ where: { appointmentId: lateId }, data: { expiresAt: time } });
    const [waiting, free] = [await register(email), await register(late)];
    await waiting.confirm();
    await free.confirm();
    expect([await waiting.visits(), await free.visits()]).toEqual([[], [lateId]]);
    expect(await db.appointmentClaim.count({ where: { appointmentId: id } })).toBe(1);
    expect(await db.invitation.count({ where: { email: { in: [email, late] } } })).toBe(0);
  });

  test("ends the invitation link (410) even if there is no visit or the visit was canceled", async () => {
    const [email, other] = [nextAddress(), nextAddress()];
    const id = await unclaimed(email);
    const links = [await invite(email, id)];
    await db.appointment.update({ where: { id }, data: { status: "cancelled" } });
    await admin.form("/families/invitations", { firstName: "Hal", lastName: "Unseen", email: other });
    links.push(await linkTo(other, "invitation"));
    for (const address of [email, other]) {
      const hal = await register(address);
      await hal.confirm();
      expect(await hal.visits()).toEqual([]);
    }
    for (const link of links) expect((await visitor().get(link)).status).toBe(410);
  });
});

test("a new invitation corrects a mistyped address: the family is emailed at once, the wrong address never", async () => {
  const [mistyped, email] = [nextAddress(), nextAddress()];
  const visitId = await unclaimed(email);
  await received();
  smtp.refuse = ({ to }) => (to === mistyped ? 451 : null);
  await invite(mistyped, visitId).catch(() => null);
  const link = await invite(email, visitId);
  expect(link).toMatch(/^\/invitation\//);
  smtp.refuse = () => null;
  const { document } = await admin.get("/families/invitations");
  const rows = [...document.querySelectorAll("main .rows > *")];
  const isMarked = (address: string) =>
    rows.find((row) => row.textContent?.includes(address))?.textContent?.includes("Email not delivered");
  expect([isMarked(mistyped), isMarked(email)]).toEqual([true, false]);
  time = new Date(time.getTime() + 3_600_000);
  expect(await received()).toEqual([]);
  const fields = { firstName: "Hal", lastName: "Doe", password: PASSWORD, confirmPassword: PASSWORD };
  expect((await visitor().form(link, fields)).status).toBe(302);
  const { id } = await db.user.findUniqueOrThrow({ where: { email } });
  expect(await db.appointment.findUnique({ where: { id: visitId } })).toMatchObject({ userId: id });
});

test("“This is not my device” can be chosen when an invitation is accepted: the session ends with the browser", async () => {
  admin = await consultant();
  const answers = { firstName: "Hal", lastName: "Doe", password: PASSWORD, confirmPassword: PASSWORD };
  const cookiesOf = async (email: string, fields: Record<string, string>) => {
    const link = await invite(email, await unclaimed(email));
    expect((await visitor().get(link)).document.querySelector('input[name="sharedDevice"]')).not.toBeNull();
    const made = await visitor().form(link, { ...answers, ...fields });
    return [made.status, made.headers["set-cookie"] ?? []] as const;
  };
  const [status, shared] = await cookiesOf("shared@example.org", { sharedDevice: "on" });
  expect([status, shared.length]).toEqual([302, 1]);
  expect(shared[0]).not.toMatch(/max-age|expires/i);
  const [, own] = await cookiesOf("own-device@example.org", {});
  expect(own.join()).toMatch(/max-age/i);
});
