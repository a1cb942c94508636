// Proves how a family requests its erasure, what that ends at once, and how the request is withdrawn before the erasure date.
import { beforeEach, describe, expect, test } from "vitest";
import { bookOrFail, bookingBody, nextFreeHour } from "../support/bookings.ts";
import { beforeNextTransaction } from "../support/database/interleave.ts";
import { environmentOverrides } from "../support/environment-overrides.ts";
import { textFile, uploadOrFail } from "../support/uploads.ts";
import type { TestClient } from "../support/http-client.ts";
import type { Family } from "../support/people.ts";
import { turnOnSecondFactor, wrongCodeOf } from "../support/authenticator-app.ts";

environmentOverrides.ERASURE_GRACE_DAYS = "14";
const { adminPassword, consultant, db, family, origin, setTestClock, testing, visitor } =
  await import("../support/site.ts");

const DAY_MS = 86_400_000;
const START = new Date("2026-11-20T15:00:30Z");
const PAGE = "/dashboard/settings/delete-account";

let now = START;
let maria: Family;

setTestClock(() => now);

beforeEach(async () => {
  now = START;
  maria = await family({ intake: true });
});

const deleteAccount = (who: TestClient, body: object) =>
  who.request("DELETE", "/api/me", {
    headers: { Origin: origin, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
const signIn = (who: TestClient, { email, password }: Family, more = {}) =>
  who.post("/api/auth/login", { email, password, ...more });
const exists = async ({ id }: { id: number }) => (await db.user.count({ where: { id } })) === 1;

async function requestErasure(person: Family) {
  const response = await deleteAccount(person, { password: person.password });
  expect([response.status, response.text]).toEqual([202, expect.any(String)]);
  return response;
}

async function paid(person: Family, appointmentDate: string) {
  const appointmentData = bookingBody({ title: "Hourly Consulting", appointmentDate });
  const order = { sourceId: "cnon:card-nonce-ok", amount: 75, appointmentData };
  const { json } = await person.post("/api/payments/process", order);
  return json.appointment.id as number;
}

describe("a family's erasure request", () => {
  test("returns the erasure date, ends sessions and the calendar link, cancels holds and visits, refunds payments", async () => {
    const phone = visitor();
    await signIn(phone, maria);
    const feed = (await maria.post("/api/calendar-feed", {})).json.url as string;
    const inPerson = (await bookOrFail(maria)).id as number;
    const online = await paid(maria, nextFreeHour());
    await maria.form("/appointments/new", {
      title: "Hourly Consulting",
      paymentMethod: "online",
      appointmentDate: "2027-01-30T10:00",
    });
    const { json, headers } = await requestErasure(maria);
    expect(json).toEqual({
      message: "Your account will be deleted. Sign in before then if you want to keep it.",
      eraseAfter: new Date(START.getTime() + 14 * DAY_MS).toISOString(),
    });
    expect(String(headers["set-cookie"])).toMatch(/session=;.*Max-Age=0/);
    expect(await db.session.count({ where: { userId: maria.id } })).toBe(0);
    expect([(await phone.get("/api/auth/me")).status, (await maria.get("/api/auth/me")).status]).toEqual([401, 401]);
    expect((await visitor().get(new URL(feed).pathname)).status).toBe(404);
    expect(await db.hold.count({ where: { userId: maria.id } })).toBe(0);
    const visits = await db.appointment.findMany({ where: { id: { in: [inPerson, online] } } });
    expect(visits.map(({ status, cancelledBy }) => [status, cancelledBy])).toEqual([
      ["cancelled", "family"],
      ["cancelled", "family"],
    ]);
    const refunds = await db.refund.findMany({ where: { payment: { userId: maria.id } } });
    expect(refunds.map(({ amountCents }) => amountCents)).toEqual([7500]);
    const told = await db.message.findMany({
      where: { event: { in: ["erasure-requested", "family-leaves"] } },
      orderBy: { id: "asc" },
    });
    expect(told.map(({ event, userId }) => [event, userId === maria.id])).toEqual([
      ["erasure-requested", true],
      ["family-leaves", false],
    ]);
    expect(await db.auditEntry.count({ where: { action: "account-erasure-requested", familyId: maria.id } })).toBe(1);
  });

  test("previews and makes refunds: full from 24 hours ahead, half within 24 hours, none for unpaid or cash visits", async () => {
    now = new Date("2026-12-04T14:00:00Z");
    maria = await family({ intake: true });
    await paid(maria, "2026-12-05T14:00:00.000Z");
    await paid(maria, "2026-12-04T20:00:00.000Z");
    await bookOrFail(maria, { appointmentDate: "2026-12-07T15:00:00.000Z" });
    const inPerson = await bookOrFail(maria, { appointmentDate: "2026-12-09T15:00:00.000Z" });
    await (
      await consultant()
    ).form(`/dashboard/appointments/${inPerson.id}/payment`, { intent: "taken", method: "cash" });
    const preview = (await maria.get(PAGE)).visibleText;
    expect(preview).toMatch(/Dec 5, 2026 at 9:00 AM ET\. \$75 goes back/);
    expect(preview).toMatch(/Dec 4, 2026 at 3:00 PM ET\. \$37\.50 goes back/);
    expect(preview).toMatch(/Dec 7, 2026 at 10:00 AM ET\. Nothing was paid here\./);
    expect(preview).toMatch(/Dec 9, 2026 at 10:00 AM ET\. You paid in person, so nothing goes back by itself\./);
    await requestErasure(maria);
    const refunds = await db.refund.findMany({
      where: { payment: { userId: maria.id } },
      orderBy: { amountCents: "asc" },
    });
    expect(refunds.map(({ amountCents }) => amountCents)).toEqual([3750, 7500]);
  });

  test("requires the family's session, its password and the site's own origin; a refused request changes nothing", async () => {
    await bookOrFail(maria);
    for (const body of [
      {},
      { password: "" },
      { password: "not-the-password" },
      { password: 7 },
      { password: "x".repeat(1000) },
    ]) {
      const { status, json } = await deleteAccount(maria, body);
      expect([status, Object.keys(json.errors)]).toEqual([422, ["password"]]);
    }
    expect((await deleteAccount(maria, [])).status).toBe(400);
    const foreign = { Origin: "https://elsewhere.example", "Content-Type": "application/json" };
    const forged = { headers: foreign, body: JSON.stringify({ password: maria.password }) };
    expect((await maria.request("DELETE", "/api/me", forged)).status).toBe(403);
    expect((await deleteAccount(visitor(), { password: maria.password })).status).toBe(401);
    expect((await deleteAccount(await consultant(), { password: adminPassword })).status).toBe(403);
    const account = await db.user.findUniqueOrThrow({ where: { id: maria.id } });
    expect([account.eraseAfter, (await maria.get("/api/auth/me")).status]).toEqual([null, 200]);
    const where = { id: maria.id };
    beforeNextTransaction(db, () => db.user.update({ where, data: { password: "a later one" } }));
    expect((await deleteAccount(maria, { password: maria.password })).status).toBe(422);
    expect(await db.user.count({ where: { ...where, eraseAfter: null } })).toBe(1);
    expect(await db.appointment.count({ where: { userId: maria.id, status: "cancelled" } })).toBe(0);
  });

  test("also requires a code when the second factor is on (422 otherwise); a recovery code is accepted", async () => {
    // Codes follow the clock of the phone.
    now = new Date();
    const noor = await family();
    const { secret, recoveryCodes } = await turnOnSecondFactor(noor, noor.password);
    for (const more of [{}, { code: "" }, { code: wrongCodeOf(secret) }]) {
      const { status, json } = await deleteAccount(noor, { password: noor.password, ...more });
      expect([status, Object.keys(json.errors)]).toEqual([422, ["code"]]);
    }
    expect((await noor.get(PAGE)).visibleText).toContain("Code, or a recovery code");
    expect((await deleteAccount(noor, { password: noor.password, code: recoveryCodes[0] })).status).toBe(202);
  });

  test("works without JavaScript on a page that lists what is deleted and what is kept", async () => {
    const page = (await maria.get(PAGE)).visibleText;
    for (const text of ["Fri, Dec 4, 2026", "can't be undone", "Payments", "without a name", "no names", "backup"])
      expect(page).toContain(text);
    const policy = (await visitor().get("/privacy-policy")).visibleText;
    expect(policy).toContain("you have some days to change your mind; the page says how many.");
    const refused = await maria.form(PAGE, { password: "wrong" });
    expect([refused.status, refused.visibleText]).toEqual([422, expect.stringContaining("That password isn't right.")]);
    const done = await maria.form(PAGE, { password: maria.password });
    expect([done.status, done.headers.location]).toEqual([302, "/account-deleted"]);
    expect((await maria.follow(done)).visibleText).toContain("14 days from when you asked, we delete everything");
    expect((await maria.get("/dashboard")).headers.location).toContain("/login");
  });

  test("is shown on the consultant's pages, and her booking for the family gets 422", async () => {
    const admin = await consultant();
    await requestErasure(maria);
    expect((await admin.get("/families")).visibleText).toContain("leaving");
    expect((await admin.get(`/families/${maria.id}`)).visibleText).toContain("asked to delete its account");
    const booked = await admin.post("/api/appointments", bookingBody({ userId: maria.id }));
    expect([booked.status, await db.appointment.count({ where: { userId: maria.id } })]).toEqual([422, 0]);
  });
});

describe("before the erasure date", () => {
  test("a family that signs in reaches only the page to keep its account; keeping it sends emails and ends the erasure", async () => {
    await requestErasure(maria);
    const client = visitor();
    const { email, password } = maria;
    const response = await client.form("/login?redirectTo=/documents", { email, password });
    expect(response.headers.location).toBe("/keep-account");
    for (const path of ["/dashboard", "/documents", "/appointments", "/everything-about-us.zip", "/second-factor"])
      expect([path, (await client.get(path)).headers.location]).toEqual([
        path,
        expect.stringMatching(/^\/(keep-account|login)/),
      ]);
    for (const path of ["/api/appointments", "/api/documents", "/api/me/export", "/api/auth/sessions"])
      expect([path, (await client.get(path)).status]).toEqual([path, 403]);
    expect((await client.post("/api/auth/second-factor", { password: maria.password })).status).toBe(403);
    expect((await client.get("/keep-account")).visibleText).toContain("Fri, Dec 4, 2026 at 10:00 AM ET");
    const kept = await client.follow(await client.form("/keep-account", {}));
    expect(kept.visibleText).toContain("Your account stays");
    const where = { event: { in: ["erasure-withdrawn", "family-stays"] }, createdAt: now };
    const told = await db.message.findMany({ where, orderBy: { id: "asc" } });
    expect(told.map(({ event, userId }) => [event, userId === maria.id])).toEqual([
      ["erasure-withdrawn", true],
      ["family-stays", false],
    ]);
    expect(told[0]?.content).toContain("This wasn't me: choose a new password");
    expect((await client.get("/api/appointments")).status).toBe(200);
    now = new Date(START.getTime() + 30 * DAY_MS);
    await testing.eraseDueAccounts();
    expect(await exists(maria)).toBe(true);
  });

  test("through the API, sign-in returns the erasure date and the account can be kept; a second request gets 409", async () => {
    await requestErasure(maria);
    const client = visitor();
    const { status, json } = await signIn(client, maria);
    expect([status, json.eraseAfter]).toEqual([200, new Date(START.getTime() + 14 * DAY_MS).toISOString()]);
    expect((await visitor().post("/api/me/keep", {})).status).toBe(401);
    expect((await client.post("/api/me/keep", {})).json).toMatchObject({ id: maria.id, email: maria.email });
    expect((await client.post("/api/me/keep", {})).status).toBe(409);
    expect((await client.get("/api/documents")).status).toBe(200);
    expect((await signIn(visitor(), maria)).json).not.toHaveProperty("eraseAfter");
  });

  test("visitors and other families can't open the page or keep the account", async () => {
    await requestErasure(maria);
    const devon = await family();
    expect((await visitor().get("/keep-account")).headers.location).toBe("/login");
    expect((await devon.get("/keep-account")).headers.location).toBe("/dashboard");
    expect((await devon.post("/api/me/keep", {})).status).toBe(409);
    expect((await db.user.findUniqueOrThrow({ where: { id: maria.id } })).eraseAfter).not.toBeNull();
  });

  test("a visit left uncanceled by a crash is canceled and refunded by the background job, exactly once", async () => {
    const visit = await paid(maria, nextFreeHour());
    await db.user.update({ where: { id: maria.id }, data: { eraseAfter: new Date(START.getTime() + 14 * DAY_MS) } });
    await testing.cancelVisitsOfAccountsPendingErasure();
    expect((await db.appointment.findUniqueOrThrow({ where: { id: visit } })).status).toBe("cancelled");
    expect(await db.refund.count({ where: { payment: { appointmentId: visit } } })).toBe(1);
    await testing.cancelVisitsOfAccountsPendingErasure();
    expect(await db.refund.count({ where: { payment: { appointmentId: visit } } })).toBe(1);
  });

  test("the account and its documents are still stored one second before the date", async () => {
    await uploadOrFail(maria, textFile(100));
    await requestErasure(maria);
    now = new Date(START.getTime() + 14 * DAY_MS - 1000);
    await testing.eraseDueAccounts();
    expect([await exists(maria), await db.document.count({ where: { userId: maria.id } })]).toEqual([true, 1]);
  });
});

describe("an account deletion that the consultant schedules", () => {
  const SURE = { isSure: "on" };
  const deletePath = () => `/families/${maria.id}/delete`;
  const keepPath = () => `/families/${maria.id}/keep`;
  const eraseAfterOf = async ({ id }: { id: number }) =>
    (await db.user.findUniqueOrThrow({ where: { id } })).eraseAfter?.getTime() ?? null;
  const IN_14_DAYS = START.getTime() + 14 * DAY_MS;
  let admin: TestClient;

  beforeEach(async () => {
    await db.user.update({ where: { id: maria.id }, data: { emailConfirmedAt: START, firstName: "Maria" } });
    admin = await consultant();
  });

  const mailsOf = (event: string) =>
    db.message.findMany({ where: { event, userId: maria.id }, orderBy: { id: "asc" } });

  test("requires a checked box on a page that lists what is deleted and kept; the account is erased after 14 days", async () => {
    now = new Date("2026-12-04T14:00:00Z");
    admin = await consultant();
    maria = await family({ intake: true });
    await paid(maria, "2026-12-04T21:00:00.000Z");
    await bookOrFail(maria, { appointmentDate: "2026-12-14T15:00:00.000Z" });
    const page = (await admin.get(deletePath())).visibleText;
    expect(page).toMatch(/Dec 4, 2026 at 4:00 PM ET\. \$75 goes back to the card\./);
    for (const text of ["Nothing was paid here.", "Fri, Dec 18, 2026", "your notes", "Payments", "no names", "backup"])
      expect(page).toContain(text);
    const unticked = await admin.form(deletePath(), {});
    expect([unticked.status, unticked.visibleText]).toEqual([422, expect.stringContaining("Check the box")]);
    expect(await eraseAfterOf(maria)).toBeNull();
    const done = await admin.form(deletePath(), SURE);
    expect([done.status, done.headers.location]).toEqual([302, `/families/${maria.id}`]);
    const shown = (await admin.follow(done)).visibleText;
    expect(shown).toContain(
      "is deleted on Fri, Dec 18, 2026 at 9:00 AM ET. 2 appointments are canceled. $75 goes back",
    );
    expect(shown).toContain("You scheduled the deletion of this account.");
    expect(await eraseAfterOf(maria)).toBe(now.getTime() + 14 * DAY_MS);
    const visits = await db.appointment.findMany({ where: { userId: maria.id } });
    expect(visits.map(({ status, cancelledBy }) => [status, cancelledBy])).toEqual([
      ["cancelled", "practice"],
      ["cancelled", "practice"],
    ]);
    const refunds = await db.refund.findMany({ where: { payment: { userId: maria.id } } });
    expect(refunds.map(({ amountCents }) => amountCents)).toEqual([7500]);
    now = new Date(now.getTime() + 14 * DAY_MS);
    await testing.eraseDueAccounts();
    expect(await exists(maria)).toBe(false);
  });

  test("emails the family the date until which it can keep the account; the audit log entry names the consultant", async () => {
    const feed = (await maria.post("/api/calendar-feed", {})).json.url as string;
    await admin.form(deletePath(), SURE);
    expect((await maria.get("/api/auth/me")).status).toBe(401);
    expect((await visitor().get(new URL(feed).pathname)).status).toBe(404);
    const [told, ...more] = await mailsOf("erasure-requested");
    expect([told?.address, more]).toEqual([maria.email, []]);
    expect(JSON.parse(told?.content ?? "")).toMatchObject({
      firstName: "Maria",
      paragraphs: [
        /^Your consultant has scheduled the deletion of your account/,
        /goes back in full/,
        /Sign in before the time below/,
      ].map((part): unknown => expect.stringMatching(part)),
      facts: [{ label: "Will be deleted on", value: "Fri, Dec 4, 2026 at 10:00 AM ET" }],
      action: { path: "/login" },
    });
    const { id: adminId } = await db.user.findFirstOrThrow({ where: { isAdmin: true } });
    const where = { familyId: maria.id, action: "account-erasure-requested" };
    expect(await db.auditEntry.findMany({ where, select: { actorId: true } })).toEqual([{ actorId: adminId }]);
    const client = visitor();
    expect((await signIn(client, maria)).json.eraseAfter).toBe(new Date(IN_14_DAYS).toISOString());
    expect((await client.get("/api/documents")).status).toBe(403);
    expect((await client.post("/api/me/keep", {})).status).toBe(200);
    expect((await admin.get(`/families/${maria.id}`)).visibleText).not.toContain("Keep this account");
  });

  test("is attributed to the consultant, and a family's own request to the family, on the page and in the emails", async () => {
    const WORDS = {
      practice: ["Your consultant has scheduled the deletion", "as your consultant has scheduled", "you had scheduled"],
      family: ["You asked us to delete your account", "as somebody, most likely you, asked", "had asked to delete"],
    };
    const latest = async (event: string) =>
      (await db.message.findFirst({ where: { event }, orderBy: { id: "desc" } }))?.content;
    for (const by of ["practice", "family"] as const) {
      maria = await family();
      await (by === "practice" ? admin.form(deletePath(), SURE) : requestErasure(maria));
      expect((await latest("family-leaves"))?.includes("You scheduled the deletion")).toBe(by === "practice");
      const client = visitor();
      await signIn(client, maria);
      const page = (await client.get("/keep-account")).visibleText;
      const reset = await admin.form("/dashboard/reset-link", { email: maria.email });
      const [, token = ""] = /reset-password\/([\w-]+)/.exec(reset.text) ?? [];
      const password = "seven quiet herons";
      await visitor().form(`/reset-password/${token}`, { newPassword: password, confirmPassword: password });
      await signIn(client, { ...maria, password } as Family);
      expect((await client.post("/api/me/keep", {})).status).toBe(200);
      const said = [page, await latest("password-changed"), await latest("family-stays")];
      const other = WORDS[by === "practice" ? "family" : "practice"];
      said.forEach((text, index) => {
        expect([text?.includes(WORDS[by][index] ?? "?"), text?.includes(other[index] ?? "?")]).toEqual([true, false]);
      });
      now = new Date(now.getTime() + 60_000);
    }
  });

  test("can be withdrawn once by the consultant, as can a family's own request; the family gets an email", async () => {
    for (const [index, schedule] of [() => admin.form(deletePath(), SURE), () => requestErasure(maria)].entries()) {
      if (index === 1) await signIn(maria, maria);
      await schedule();
      const page = (await admin.get(keepPath())).visibleText;
      expect(page).toContain(index === 0 ? "You scheduled its deletion for" : "The family asked for its deletion, for");
      expect(
        (await admin.get(`/families/${maria.id}`)).document.querySelector(`a[href="${keepPath()}"]`),
      ).not.toBeNull();
      const kept = await admin.form(keepPath(), {});
      expect((await admin.follow(kept)).visibleText).toContain("Nothing about Maria");
      expect(await eraseAfterOf(maria)).toBeNull();
      expect((await admin.form(keepPath(), {})).status).toBe(409);
      const told = (await mailsOf("erasure-withdrawn")).map(
        ({ content }) => JSON.parse(content).paragraphs[0] as string,
      );
      expect(told.at(-1)).toBe("Your account stays: we were asked to keep it. Nothing was deleted.");
      now = new Date(now.getTime() + 60_000);
    }
    expect((await admin.get(keepPath())).visibleText).toContain("This account is not about to be deleted.");
    expect(await db.auditEntry.count({ where: { familyId: maria.id, action: "account-erasure-cancelled" } })).toBe(2);
  });

  test("works for a closed account: the email has no sign-in link; the consultant can withdraw it until it is due", async () => {
    await admin.form(`/families/${maria.id}/close`, {});
    expect((await admin.get(deletePath())).visibleText).toContain("Until then you can keep the account");
    expect((await admin.form(deletePath(), SURE)).status).toBe(302);
    const page = await admin.get(`/families/${maria.id}`);
    expect(page.visibleText).toContain("your notes too, unless you keep it here");
    const [told] = await mailsOf("erasure-requested");
    expect(JSON.parse(told?.content ?? "")).toMatchObject({
      paragraphs: { 2: expect.stringMatching(/^Changed your mind\? Call us/) },
    });
    expect(told?.content).not.toContain("/login");
    await admin.form(keepPath(), {});
    const [kept] = await mailsOf("erasure-withdrawn");
    expect(kept?.content).toContain("stays closed, so you can't sign in there.");
    await admin.form(deletePath(), SURE);
    now = new Date(START.getTime() + 14 * DAY_MS);
    expect((await (await consultant()).form(keepPath(), {})).status).toBe(409);
    await testing.eraseDueAccounts();
    expect(await exists(maria)).toBe(false);
  });

  test("gets 409 if already scheduled, 403 for families, 404 for the consultant's own account or an unknown id", async () => {
    const own = await db.user.findFirstOrThrow({ where: { isAdmin: true } });
    for (const by of [maria, await family()])
      for (const path of [deletePath(), keepPath()])
        expect([(await by.get(path)).status, (await by.form(path, SURE)).status]).toEqual([403, 403]);
    for (const id of [own.id, 2_000_000_000])
      for (const page of ["delete", "keep"])
        expect((await admin.form(`/families/${id}/${page}`, SURE)).status).toBe(404);
    await requestErasure(maria);
    const until = await eraseAfterOf(maria);
    const again = await admin.form(deletePath(), SURE);
    expect([again.status, again.visibleText]).toEqual([409, expect.stringContaining("already scheduled")]);
    expect((await admin.get(deletePath())).status).toBe(409);
    expect([await eraseAfterOf(maria), (await mailsOf("erasure-requested")).length]).toEqual([until, 1]);
  });

  test("refunds a visit in full even when the background job cancels it later", async () => {
    now = new Date("2026-12-04T14:00:00Z");
    admin = await consultant();
    maria = await family({ intake: true });
    const visit = await paid(maria, "2026-12-04T20:00:00.000Z");
    await db.appointment.update({ where: { id: visit }, data: { status: "completed" } });
    await admin.form(deletePath(), SURE);
    await db.appointment.update({ where: { id: visit }, data: { status: "scheduled" } });
    await testing.cancelVisitsOfAccountsPendingErasure();
    const refunds = await db.refund.findMany({ where: { payment: { appointmentId: visit } } });
    expect(refunds.map(({ amountCents }) => amountCents)).toEqual([7500]);
  });
});

describe("on the erasure date", () => {
  test("signing in and open sessions get 401 even before the job has erased the account", async () => {
    await requestErasure(maria);
    const client = visitor();
    await signIn(client, maria);
    now = new Date(START.getTime() + 14 * DAY_MS);
    expect((await client.post("/api/me/keep", {})).status).toBe(401);
    const response = await signIn(visitor(), maria);
    expect([response.status, response.json.message]).toEqual([401, "Invalid email or password."]);
    expect(await exists(maria)).toBe(true);
    await testing.eraseDueAccounts();
    expect(await exists(maria)).toBe(false);
  });

  test("the email address can be registered again; the new account has no documents or receipts of the old one", async () => {
    await uploadOrFail(maria, textFile(100));
    await requestErasure(maria);
    now = new Date(START.getTime() + 15 * DAY_MS);
    await testing.eraseDueAccounts();
    const again = await family({ email: maria.email });
    expect(again.id).not.toBe(maria.id);
    expect((await again.get("/api/documents")).json).toEqual([]);
    expect((await again.get("/receipts")).visibleText).toContain("No receipts yet");
  });

  test("a family with a pending refund is erased only once the refund is done", async () => {
    const visit = await paid(maria, nextFreeHour());
    await requestErasure(maria);
    await db.refund.updateMany({ where: { payment: { appointmentId: visit } }, data: { state: "asked" } });
    now = new Date(START.getTime() + 15 * DAY_MS);
    await testing.eraseDueAccounts();
    expect(await exists(maria)).toBe(true);
    await db.refund.updateMany({ where: { payment: { appointmentId: visit } }, data: { state: "done" } });
    await testing.eraseDueAccounts();
    expect(await exists(maria)).toBe(false);
  });

  test.each(["once that is sent", "after an hour"])(
    "without a grace period, a family with an unsent cancellation email is erased %s",
    async (when) => {
      await paid(maria, nextFreeHour());
      await requestErasure(maria);
      const told = { event: { in: ["visit-cancelled", "visits-changed"] } };
      expect(await db.message.count({ where: { ...told, userId: maria.id } })).toBe(1);
      // As with ERASURE_GRACE_DAYS=0, and a mail server that refuses it for now.
      await db.user.update({ where: { id: maria.id }, data: { eraseAfter: START } });
      await db.message.updateMany({
        where: told,
        data: { state: "pending", attempts: 1, failure: "451", nextAttemptAt: new Date("2030-01-01T00:00Z") },
      });
      await testing.eraseDueAccounts();
      now = new Date(START.getTime() + 3_599_000);
      await testing.eraseDueAccounts();
      expect(await exists(maria)).toBe(true);
      if (when === "after an hour") now = new Date(START.getTime() + 3_600_000);
      else await db.message.updateMany({ where: told, data: { state: "sent", sentAt: now } });
      await testing.eraseDueAccounts();
      expect(await exists(maria)).toBe(false);
    },
  );

  test("a consultation request that a visitor sent with the family's unconfirmed email address is kept", async () => {
    const sender = { firstName: "Ann", lastName: "Lee", email: maria.email };
    const asked = { ...sender, urgency: "routine", consent: true, serviceNeeds: "x", message: "" };
    expect((await visitor().post("/api/consultation-requests", asked)).status).toBe(201);
    await requestErasure(maria);
    now = new Date(START.getTime() + 15 * DAY_MS);
    await testing.eraseDueAccounts();
    expect(await db.consultationRequest.count({ where: { email: maria.email } })).toBe(1);
  });
});
