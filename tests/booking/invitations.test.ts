// Proves the consultant's invitations: the account, visit and confirmed address a link gives, and who is refused.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TEST_NOW } from "../support/bookings.ts";
import { dumpDatabase } from "../support/database/database-dump.ts";
import { environmentOverrides } from "../support/environment-overrides.ts";
import type { TestClient } from "../support/http-client.ts";
import { startSmtpServer } from "../support/servers/smtp-server.ts";

const smtp = await startSmtpServer();
environmentOverrides.SMTP_URL = smtp.url;
const { adminEmail, consultant, db, family, origin, setTestClock, testing, visitor } =
  await import("../support/site.ts");
await testing.stopJobs(); // mail is delivered where a test asks for it

const DAY_MS = 86_400_000;
const PATH = "/families/invitations";
const PASSWORD = "rain on the tin roof";
let time = TEST_NOW;
setTestClock(() => time);

let admin: TestClient;
let invited = 0;
let days = 0;

beforeAll(async () => {
  admin = await consultant();
});

afterAll(() => smtp.stop());

const nextAddress = () => `invited.${(invited += 1)}@example.org`;

/** Invites a family through the page, and returns the path of the link in its mail. */
async function invite(email: string, more: Record<string, string> = {}): Promise<string> {
  const sent = await admin.form(PATH, { firstName: "Jane", lastName: "Doe", email, ...more });
  expect([sent.status, sent.headers.location]).toEqual([302, PATH]);
  return linkTo(email);
}

async function linkTo(email: string): Promise<string> {
  await testing.deliverDueMessages();
  const mails = smtp.mails.splice(0).filter(({ to, event }) => to === email && event === "invitation");
  expect(mails).toHaveLength(1);
  return new URL(/http:\S+\/invitation\/\S+/.exec(mails[0]?.text ?? "")?.[0] ?? "", origin).pathname;
}

const accept = (path: string, more: Record<string, string> = {}, client: TestClient = visitor()) =>
  client.form(path, { firstName: "Jane", lastName: "Doe", password: PASSWORD, confirmPassword: PASSWORD, ...more });

const accountOf = (email: string) => db.user.findUnique({ where: { email } });

/** A visit without an account, made from a request with this address. */
async function unclaimed(email: string) {
  const request = await db.consultationRequest.create({
    data: {
      firstName: "Jane",
      lastName: "Doe",
      email,
      serviceNeeds: "IEP",
      urgency: "urgent",
      consent: true,
      status: "scheduled",
    },
  });
  const appointmentDate = new Date(Date.parse("2027-01-05T15:00Z") + (days += 1) * DAY_MS);
  const visit = { title: "Initial Consultation - Jane Doe", type: "consultation", consultationRequestId: request.id };
  return db.appointment.create({ data: { ...visit, appointmentDate } });
}

async function invitationOf(email: string) {
  return db.invitation.findUniqueOrThrow({ where: { email } });
}

describe("an invited family", () => {
  test("creates an account through the link, with a confirmed email address, and continues to the intake form", async () => {
    const email = nextAddress();
    const path = await invite(email);
    const client = visitor();
    const page = await client.get(path);
    expect([page.status, page.visibleText]).toEqual([200, expect.stringContaining(email)]);
    expect(page.document.querySelector<HTMLInputElement>("[name=firstName]")?.getAttribute("value")).toBe("Jane");
    expect(page.visibleText).toContain("This link works once, until Fri, Dec 4, 2026 at 10:00 AM ET.");
    expect(await accountOf(email)).toBe(null);
    const made = await accept(path, { phone: "732 555 0100", email: "other@example.org", isAdmin: "true" }, client);
    expect([made.status, made.headers.location]).toEqual([302, "/appointments/intake-form"]);
    const next = await client.get("/appointments/intake-form");
    expect([next.status, next.visibleText]).toEqual([200, expect.stringContaining("Account Created!")]);
    expect(await accountOf(email)).toMatchObject({
      firstName: "Jane",
      phone: "732 555 0100",
      isAdmin: false,
      emailConfirmedAt: time,
      termsAcceptedAt: time,
    });
    expect(await accountOf("other@example.org")).toBe(null);
    await testing.deliverDueMessages();
    expect(smtp.mails.splice(0)).toEqual([]);
  });

  test("has an unconfirmed email address if the link was not emailed", async () => {
    const email = nextAddress();
    const path = await invite(email);
    await db.invitation.update({ where: { email }, data: { isMailed: false } });
    expect((await accept(path)).status).toBe(302);
    expect((await accountOf(email))?.emailConfirmedAt).toBeNull();
    await testing.deliverDueMessages();
    expect(smtp.mails.splice(0).map(({ event, to }) => [event, to])).toEqual([["account-made", email]]);
  });

  test("has the visit made for it and its earlier requests in the new account", async () => {
    const email = nextAddress();
    const visit = await unclaimed(email);
    const asked = { firstName: "J", lastName: "D", serviceNeeds: "-", urgency: "routine", consent: true };
    const request = await db.consultationRequest.create({ data: { ...asked, email } });
    const page = await admin.get(`${PATH}?appointment=${visit.id}`);
    const value = (name: string) => page.document.querySelector(`[name=${name}]`)?.getAttribute("value");
    expect([value("email"), value("lastName"), value("appointmentId")]).toEqual([email, "Doe", String(visit.id)]);
    const path = await invite(email, { appointmentId: String(visit.id) });
    const client = visitor();
    expect((await client.get(path)).visibleText).toContain("A visit is waiting for you.");
    expect((await accept(path, {}, client)).status).toBe(302);
    const account = await accountOf(email);
    const where = { userId: account?.id ?? 0 };
    expect(await db.appointment.findMany({ where })).toMatchObject([{ id: visit.id }]);
    expect(await db.consultationRequest.count({ where })).toBe(2);
    expect(await db.consultationRequest.findUnique({ where: { id: request.id } })).toMatchObject(where);
    expect(await db.appointmentClaim.count({ where: { appointmentId: visit.id } })).toBe(0);
    const entries = await db.auditEntry.findMany({ where: { familyId: account?.id }, orderBy: { sequence: "asc" } });
    expect(entries.map(({ action, actorId }) => [action, actorId === account?.id])).toEqual(
      expect.arrayContaining([
        ["account-made", true],
        ["appointment-claimed", true],
        ["email-confirmed", true],
      ]),
    );
    await testing.deliverDueMessages();
    expect(smtp.mails.splice(0).map(({ event, to }) => [event, to])).toEqual([["visit-booked", email]]);
  });

  test("that already has an account signs in and adds the visit there; no second account is created", async () => {
    const email = nextAddress();
    const visit = await unclaimed(email);
    const path = await invite(email, { appointmentId: String(visit.id) });
    const maria = await family({ email });
    const page = await visitor().get(path);
    const claim = path.replace("/invitation/", "/claim-visit/");
    expect(page.document.querySelector("main a")?.getAttribute("href")).toBe(
      `/login?redirectTo=${encodeURIComponent(claim)}`,
    );
    const refused = await accept(path);
    expect([refused.status, await db.user.count({ where: { email } })]).toEqual([409, 1]);
    const own = (await maria.get(path)).visibleText;
    expect(own).toContain(`You are signed in as ${email}.`);
    expect(own).toContain("Add the visit to this account");
    expect(own).not.toContain("sign out first");
    expect((await (await family()).get(path)).visibleText).toContain(
      `The invitation is for ${email}. If you want an account with that address, sign out first`,
    );
    expect((await accept(path, {}, maria)).headers.location).toBe(path);
    expect((await maria.form(claim, {})).status).toBe(302);
    expect(await db.appointment.findUnique({ where: { id: visit.id } })).toMatchObject({ userId: maria.id });
    expect(await db.invitation.count({ where: { email } })).toBe(0);
  });

  test("that is signed in and submits a non-ASCII token is redirected to the same encoded path", async () => {
    const maria = await family();
    for (const token of ["%F0%9F%92%99", "%EF%BF%BD"]) {
      const refused = await maria.form(`/invitation/${token}`, { firstName: "Maria" });
      expect([refused.status, refused.headers.location]).toEqual([302, `/invitation/${token}`]);
    }
  });

  test("whose visit was canceled meanwhile sees that, and can still create its account", async () => {
    const email = nextAddress();
    const visit = await unclaimed(email);
    const first = await invite(email, { appointmentId: String(visit.id) });
    await db.appointment.update({ where: { id: visit.id }, data: { status: "cancelled" } });
    expect((await admin.get(PATH)).visibleText).toContain("visit cancelled");
    const client = visitor();
    const page = (await client.get(first)).visibleText;
    expect([page.includes("A visit is waiting"), page.includes("Your visit was canceled.")]).toEqual([false, true]);
    const other = nextAddress();
    const otherVisit = await unclaimed(other);
    await invite(other, { appointmentId: String(otherVisit.id) });
    await db.appointment.update({ where: { id: otherVisit.id }, data: { status: "cancelled" } });
    const again = await admin.form(PATH, { id: String((await invitationOf(other)).id), change: "resend" });
    expect([again.status, again.headers.location]).toEqual([302, PATH]);
    const second = await linkTo(other);
    expect(await invitationOf(other)).toMatchObject({ appointmentId: null });
    expect((await visitor().get(second)).visibleText).not.toContain("visit was canceled");
    const made = [await accept(first, {}, client), await accept(second)];
    expect(made.map(({ headers }) => headers.location)).toEqual(Array(2).fill("/appointments/intake-form"));
    expect((await client.get("/appointments/intake-form")).visibleText).not.toContain("Your visit is in it.");
    expect(await db.invitation.count({ where: { email: { in: [email, other] } } })).toBe(0);
    expect(await db.appointment.findUnique({ where: { id: visit.id } })).toMatchObject({ userId: null });
    smtp.mails.splice(0);
  });

  test("no longer sees the visit on the invitation once the consultant made a claim link for that visit", async () => {
    const email = nextAddress();
    const { id } = await unclaimed(email);
    const path = await invite(email, { appointmentId: String(id) });
    expect((await visitor().get(path)).visibleText).toContain("A visit is waiting");
    expect((await admin.form(`/dashboard/appointments/${id}/claim-link`, {})).status).toBe(200);
    const before = (await visitor().get(path)).visibleText;
    expect(before).not.toContain("A visit is waiting");
    await db.appointment.update({ where: { id }, data: { userId: (await family()).id } });
    await db.appointment.update({ where: { id }, data: { status: "cancelled" } });
    expect((await visitor().get(path)).visibleText).toBe(before);
    await testing.deliverDueMessages();
    smtp.mails.splice(0);
  });

  test("gets one account from three concurrent submissions of the form", async () => {
    const email = nextAddress();
    const path = await invite(email);
    const responses = await Promise.all([accept(path), accept(path), accept(path)]);
    expect(responses.filter(({ status }) => status === 302)).toHaveLength(1);
    expect(responses.every(({ status }) => [302, 409, 410].includes(status))).toBe(true);
    expect(await db.user.count({ where: { email } })).toBe(1);
  });

  test("gets 422 with the errors of its form, and the link still works", async () => {
    const email = nextAddress();
    const path = await invite(email);
    const before = await dumpDatabase(db);
    const bad = await accept(path, { password: "short", confirmPassword: "other", lastName: "" });
    expect(bad.status).toBe(422);
    for (const words of ["Enter your last name.", "at least 6 characters", "Passwords don't match"])
      expect(bad.visibleText).toContain(words);
    expect((await accept(path, { password: "password", confirmPassword: "password" })).status).toBe(422);
    expect(await dumpDatabase(db)).toBe(before);
    expect((await accept(path)).status).toBe(302);
  });
});

describe("an invitation link", () => {
  test("that is used, replaced, withdrawn, expired or made up gets the same 410 page and changes nothing", async () => {
    const [used, replaced, withdrawn, late] = [nextAddress(), nextAddress(), nextAddress(), nextAddress()];
    const paths = [await invite(used), await invite(replaced), await invite(withdrawn)];
    await accept(paths[0]!);
    const again = await admin.form(PATH, { id: String((await invitationOf(replaced)).id), change: "resend" });
    expect(again.headers.location).toBe(PATH);
    const fresh = await linkTo(replaced);
    await admin.form(PATH, { id: String((await invitationOf(withdrawn)).id), change: "withdraw" });
    expect(await db.invitation.count({ where: { email: withdrawn } })).toBe(0);
    paths.push(await invite(late), "/invitation/a-link-nobody-was-given");
    await db.invitation.update({ where: { email: late }, data: { expiresAt: time } });
    const before = await dumpDatabase(db);
    const pages = [];
    for (const path of paths) pages.push(await visitor().get(path), await accept(path));
    expect(pages.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 410));
    expect(new Set(pages.filter((_, index) => index % 2 === 0).map((page) => page.visibleText)).size).toBe(1);
    expect(await dumpDatabase(db)).toBe(before);
    expect((await accept(fresh)).status).toBe(302);
  });

  test("works for exactly 14 days", async () => {
    const [path, late] = [await invite(nextAddress()), await invite(nextAddress())];
    time = new Date(TEST_NOW.getTime() + 14 * DAY_MS - 1);
    expect((await accept(path)).status).toBe(302);
    time = new Date(TEST_NOW.getTime() + 14 * DAY_MS);
    expect((await accept(late)).status).toBe(410);
    time = TEST_NOW;
    admin = await consultant();
  });

  test("is stored only as a hash, and is not in the stored message once that is sent", async () => {
    const email = nextAddress();
    const token = (await invite(email)).split("/").at(-1) ?? "";
    expect(token).toMatch(/^[\w-]{43}$/);
    const rows = [await invitationOf(email), await db.message.findMany({ where: { event: "invitation" } })];
    expect(JSON.stringify(rows)).not.toContain(token);
  });
});

describe("the consultant", () => {
  test("sees the invited addresses; a family gets 403 and a visitor is redirected to sign in", async () => {
    const email = nextAddress();
    await invite(email);
    expect((await admin.get(PATH)).visibleText).toContain(email);
    expect((await (await family()).get(PATH)).status).toBe(403);
    expect((await (await family()).form(PATH, { firstName: "A", lastName: "B", email })).status).toBe(403);
    expect((await visitor().get(PATH)).headers.location).toMatch(/^\/login/);
  });

  test("gets a 4xx response for an address or visit that can't be invited; nothing changes, no email is sent", async () => {
    const maria = await family();
    const email = nextAddress();
    const owned = await db.appointment.create({
      data: { title: "-", type: "consultation", appointmentDate: new Date("2027-02-01T15:00Z"), userId: maria.id },
    });
    const before = await dumpDatabase(db);
    const send = (more: Record<string, string>) => admin.form(PATH, { firstName: "Jane", lastName: "Doe", ...more });
    const statuses: number[] = [];
    const refused: Record<string, string>[] = [
      { email: maria.email },
      { email: adminEmail },
      { email: "no address" },
      { email, firstName: " " },
      { email, appointmentId: "999999" },
      { email, appointmentId: String(owned.id) },
      { id: "999999", change: "withdraw" },
      { id: "999999", change: "resend" },
      { id: "1", change: "forget" },
    ];
    for (const more of refused) statuses.push((await send(more)).status);
    expect(statuses).toEqual([422, 422, 422, 422, 404, 409, 404, 404, 422]);
    expect((await admin.get(`${PATH}?appointment=${owned.id}`)).status).toBe(409);
    expect((await admin.get(`${PATH}?appointment=999999`)).status).toBe(404);
    expect(await dumpDatabase(db)).toBe(before);
    await testing.deliverDueMessages();
    expect(smtp.mails.splice(0)).toEqual([]);
  });

  test("sends one email with a working link when an address is invited three times concurrently", async () => {
    const email = nextAddress();
    const fields = { firstName: "Jane", lastName: "Doe", email };
    const sent = await Promise.all([1, 2, 3].map(() => admin.form(PATH, fields)));
    expect(sent.map(({ status }) => status)).toEqual([302, 302, 302]);
    expect((await visitor().get(await linkTo(email))).status).toBe(200);
  });

  test("leaves no invitation, claim or email after a concurrent resend and withdrawal", async () => {
    const email = nextAddress();
    const visit = await unclaimed(email);
    for (const order of [
      ["withdraw", "resend"],
      ["resend", "withdraw"],
    ]) {
      const [address, appointmentId] = [`${order[0]}.${email}`, String(visit.id)];
      await invite(address, { appointmentId });
      const id = String((await invitationOf(address)).id);
      const responses = await Promise.all(order.map((change) => admin.form(PATH, { id, change })));
      expect([302, 404]).toEqual(expect.arrayContaining(responses.map(({ status }) => status)));
      expect(await db.invitation.count({ where: { email: address } })).toBe(0);
      expect(await db.appointmentClaim.count({ where: { appointmentId: visit.id } })).toBe(0);
    }
    await testing.deliverDueMessages();
    expect(smtp.mails.splice(0)).toEqual([]);
  });

  test("withdraws an invitation before its email is delivered: no email follows, the visit's link is deleted", async () => {
    const email = nextAddress();
    const visit = await unclaimed(email);
    smtp.refuse = () => 451;
    const fields = { firstName: "Jane", lastName: "Doe", email, appointmentId: String(visit.id) };
    expect((await admin.form(PATH, fields)).status).toBe(302);
    await testing.deliverDueMessages();
    await admin.form(PATH, { id: String((await invitationOf(email)).id), change: "withdraw" });
    smtp.refuse = () => null;
    time = new Date(TEST_NOW.getTime() + 3_600_000);
    await testing.deliverDueMessages();
    time = TEST_NOW;
    expect(smtp.mails.splice(0)).toEqual([]);
    expect(await db.appointmentClaim.count({ where: { appointmentId: visit.id } })).toBe(0);
    expect((await admin.get(`/dashboard/appointments/${visit.id}`)).visibleText).toContain("Invite the family");
  });
});
