// Proves password reset, email confirmation, the messages page and unsubscribing, against a real mail server.
import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bookOrFail, nextFreeHour, sortedStatuses, TEST_NOW } from "../support/bookings.ts";
import { environmentOverrides } from "../support/environment-overrides.ts";
import type { TestClient } from "../support/http-client.ts";
import { addPasskey } from "../support/passkeys.ts";
import { createPeople, signInAs } from "../support/people.ts";
import { startServer } from "../support/servers/server-process.ts";
import { SAMPLES, uploadFile } from "../support/uploads.ts";
import { startSmtpServer } from "../support/servers/smtp-server.ts";
import { PUBLIC_SITE } from "../support/test-environment.ts";

const smtp = await startSmtpServer();
const EARLIER_SECRET = "an-earlier-secret-that-is-long-enough";
const SESSION_SECRET = `a-later-secret-that-is-long-enough-too,${EARLIER_SECRET}`;
Object.assign(environmentOverrides, { SMTP_URL: smtp.url, SESSION_SECRET });
const { adminEmail, adminPassword, consultant, db, origin, setTestClock, template, testing, visitor } =
  await import("../support/site.ts");
/** Registers through the API, as families do. */
const { family } = createPeople(origin);

const NEW_PASSWORD = "three rivers and a bridge";
let time = TEST_NOW;
setTestClock(() => time);
/** Later, when the sessions of those who signed in before have ended. */
const pass = (milliseconds: number) => (time = new Date(time.getTime() + milliseconds));

// Mail is delivered by `received` alone.
beforeAll(() => testing.stopJobs());
afterAll(() => smtp.stop());

async function received(to?: string) {
  await testing.drainResetLinkQueue();
  await testing.deliverDueMessages();
  return smtp.mails.splice(0).filter((mail) => to === undefined || mail.to === to);
}

/** The path of the link in a mail. */
function linkIn(mail: { text: string } | undefined): string {
  return new URL(/http:\S+/.exec(mail?.text ?? "")?.[0] ?? "", origin).pathname;
}

const tokenOf = (path: string) => path.split("/").at(-1) ?? "";

const ask = (email: string) => visitor().post("/api/auth/forgot-password", { email });

describe("a password reset", () => {
  test("returns the same 202 for a known, an unknown and the consultant's address; only the known one gets an email", async () => {
    const maria = await family();
    await received();
    const responses = [];
    for (const email of [maria.email, "nobody@example.com", adminEmail]) responses.push(await ask(email));
    expect(responses.map(({ status }) => status)).toEqual([202, 202, 202]);
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    expect((await received()).map(({ event, to }) => [event, to])).toEqual([["password-reset", maria.email]]);
  });

  test("does the same database and mail-server work without an open account; the decoy message is deleted", async () => {
    const [maria, closed] = [await family(), await family()];
    await (await consultant()).form(`/families/${closed.id}/close`, {});
    await received();
    const written = async (email: string) => {
      const [connections, links] = [smtp.connections, await db.passwordReset.count()];
      await ask(email);
      await testing.drainResetLinkQueue();
      const pending = await db.message.findMany({ where: { event: "password-reset", state: "pending" } });
      await testing.closeMailConnections();
      const mails = await received();
      return {
        links: (await db.passwordReset.count()) - links,
        columns: pending.map(({ secretPath, expiresAt, content }) => [secretPath?.length, expiresAt, content.length]),
        connections: smtp.connections - connections,
        mails: mails.length,
      };
    };
    const known = await written(maria.email);
    expect(known).toMatchObject({ links: 1, connections: 1, mails: 1 });
    for (const email of ["no.account@example.com", adminEmail, closed.email])
      expect([email, await written(email)]).toEqual([email, { ...known, mails: 0 }]);
    expect(await db.message.count({ where: { event: "password-reset", userId: null } })).toBe(0);
    expect(await db.passwordReset.count({ where: { userId: closed.id } })).toBe(0);
  });

  test("leaves the consultant's link valid, even once the emailed link is used; a newer consultant's link ends it", async () => {
    const maria = await family();
    const admin = await consultant();
    const given = async () => {
      const { text } = await admin.form("/dashboard/reset-link", { email: maria.email });
      return /\/reset-password\/[\w-]+/.exec(text)?.[0] ?? "";
    };
    await ask(maria.email);
    const before = (await received(maria.email)).find(({ event }) => event === "password-reset");
    const link = await given();
    expect((await visitor().get(linkIn(before))).status).toBe(410);
    for (let times = 0; times < 2; times += 1) await ask(maria.email);
    const mailed = linkIn((await received(maria.email)).filter(({ event }) => event === "password-reset").at(-1));
    expect((await visitor().get(link)).status).toBe(200);
    const body = { newPassword: NEW_PASSWORD, confirmPassword: NEW_PASSWORD };
    expect((await visitor().post("/api/auth/reset-password", { ...body, token: tokenOf(mailed) })).status).toBe(200);
    expect((await visitor().get(link)).status).toBe(200);
    const [earlier, later] = [await given(), await given()];
    expect((await visitor().get(earlier)).status).toBe(410);
    expect((await visitor().get(later)).status).toBe(200);
  });

  test("works once, with the latest link only; it ends the account's session and sends a password-changed email", async () => {
    const maria = await family();
    await received();
    await ask(maria.email);
    const [first] = await received();
    await ask(maria.email);
    const [mail] = await received();
    const [old, path] = [linkIn(first), linkIn(mail)];
    const ended = await visitor().get(old);
    expect([ended.status, ended.visibleText.includes("you asked for a newer one: then open the latest email")]).toEqual(
      [410, true],
    );
    expect(ended.document.querySelector('main a[href="/forgot-password"]')).not.toBeNull();
    expect((await visitor().get(path)).status).toBe(200);
    const body = { token: tokenOf(path), newPassword: NEW_PASSWORD, confirmPassword: NEW_PASSWORD };
    const refused = [{ confirmPassword: "another" }, { newPassword: "x", confirmPassword: "x" }, { token: "" }];
    for (const changes of refused)
      expect((await visitor().post("/api/auth/reset-password", { ...body, ...changes })).status).toBe(422);
    expect((await visitor().post("/api/auth/reset-password", { ...body, token: tokenOf(old) })).status).toBe(410);
    const responses = await Promise.all([1, 2].map(() => visitor().post("/api/auth/reset-password", body)));
    expect(sortedStatuses(responses)).toEqual([200, 410]);
    expect((await maria.get("/api/auth/me")).status).toBe(401);
    expect((await received()).map(({ event }) => event)).toEqual(["password-changed"]);
    await signInAs(origin, maria.email, NEW_PASSWORD);
  });

  test("link gets 410 after one hour, and after the password was changed", async () => {
    const [maria, devon] = [await family(), await family()];
    await received();
    await ask(maria.email);
    await ask(devon.email);
    const mails = await received();
    const linkOf = ({ email }: { email: string }) => linkIn(mails.find(({ to }) => to === email));
    const change = { currentPassword: devon.password, newPassword: NEW_PASSWORD, confirmPassword: NEW_PASSWORD };
    expect((await devon.post("/api/auth/change-password", change)).status).toBe(200);
    expect((await visitor().get(linkOf(devon))).status).toBe(410);
    pass(3_600_001);
    expect((await visitor().get(linkOf(maria))).status).toBe(410);
  });

  test("can be requested on a page that works without JavaScript", async () => {
    const maria = await family();
    await received();
    expect((await visitor().get("/login")).document.querySelector('a[href="/forgot-password"]')).not.toBeNull();
    expect((await visitor().get("/forgot-password")).visibleText).toContain("Are you the consultant?");
    expect((await visitor().form("/forgot-password", { email: "not an address" })).status).toBe(422);
    const page = await visitor().form("/forgot-password", { email: maria.email.toUpperCase() });
    expect([page.status, page.document.querySelector("h1")?.textContent]).toEqual([200, "Check your email"]);
    expect(page.text).not.toContain(maria.email);
    expect(await received()).toHaveLength(1);
  });
});

describe("an email address", () => {
  test("is confirmed once, by the button on the link's page; opening the page changes nothing", async () => {
    const maria = await family();
    const path = linkIn((await received(maria.email))[0]);
    const isConfirmed = async () =>
      (await db.user.findUniqueOrThrow({ where: { id: maria.id } })).emailConfirmedAt !== null;
    for (const client of [visitor(), maria]) expect((await client.get(path)).status).toBe(200);
    expect(await isConfirmed()).toBe(false);
    const done = await maria.form(path, {});
    expect([done.status, done.headers.location]).toEqual([302, "/dashboard"]);
    expect(await isConfirmed()).toBe(true);
    expect((await maria.form(path, {})).status).toBe(410);
    expect((await visitor().get(path)).status).toBe(410);
    expect((await visitor().post("/api/auth/confirm-email", { token: tokenOf(path) })).status).toBe(410);
  });

  test("is confirmed only in its account's session: a visitor must sign in first, another account gets 409", async () => {
    const email = "owner@example.com";
    const stranger = await family({ email });
    const path = linkIn((await received(email))[0]);
    const pressed = await visitor().form(path, {});
    expect([pressed.status, pressed.headers.location]).toEqual([302, `/login?redirectTo=${encodeURIComponent(path)}`]);
    const other = await (await family()).form(path, {});
    expect([other.status, other.visibleText.includes("You are signed in to another account.")]).toEqual([409, true]);
    expect(await db.user.findUniqueOrThrow({ where: { id: stranger.id } })).toMatchObject({ emailConfirmedAt: null });
    const [here, elsewhere] = [(await stranger.get(path)).visibleText, (await visitor().get(path)).visibleText];
    expect(elsewhere).toContain("Didn't make an account with us?");
    expect([here, elsewhere].map((text) => text.includes("We ask you to sign in first."))).toEqual([false, true]);
  });

  test("that is unconfirmed gets emails without the typed name, and at most one new-device email per hour", async () => {
    const eve = await family({ firstName: "Buy cheap watches" });
    await received();
    for (let times = 0; times < 3; times += 1) await signInAs(origin, eve.email, eve.password);
    await ask(eve.email);
    const mails = await received();
    expect(mails.map(({ event }) => event).toSorted()).toEqual(["new-device", "password-reset"]);
    for (const { text, html } of mails) expect(text + html).not.toContain("watches");
    pass(3_600_000);
    await signInAs(origin, eve.email, eve.password);
    expect((await received()).map(({ event }) => event)).toEqual(["new-device"]);
    await db.user.update({ where: { id: eve.id }, data: { emailConfirmedAt: time } });
    for (let times = 0; times < 2; times += 1) await signInAs(origin, eve.email, eve.password);
    expect((await received()).map(({ text }) => text.includes("Hello Buy cheap watches,"))).toEqual([true, true]);
  });

  test("is confirmed through the API by anyone with the link except another account, once, within seven days", async () => {
    const [maria, ben, devon] = [await family(), await family(), await family()];
    const mails = await received();
    const tokens = [maria, ben, devon].map(({ email }) => tokenOf(linkIn(mails.find(({ to }) => to === email))));
    const confirm = async (client: TestClient, token: string | undefined) =>
      (await client.post("/api/auth/confirm-email", { token })).status;
    expect(await confirm(devon, tokens[0])).toBe(409);
    const reader = visitor();
    expect([await confirm(reader, tokens[0]), await confirm(reader, tokens[0])]).toEqual([200, 410]);
    expect((await reader.get("/api/auth/me")).status).toBe(401);
    expect(await confirm(ben, tokens[1])).toBe(200);
    for (const { id } of [maria, ben])
      expect((await db.user.findUniqueOrThrow({ where: { id } })).emailConfirmedAt).not.toBeNull();
    pass(7 * 86_400_000);
    expect(await confirm(visitor(), tokens[2])).toBe(410);
  });

  test("that is unconfirmed can be sent a new confirmation link, which invalidates the previous one", async () => {
    const maria = await family();
    const first = linkIn((await received(maria.email))[0]);
    const page = await maria.get("/messages");
    expect(page.document.querySelector("form.notice")?.textContent).toContain(maria.email);
    expect(page.text).not.toContain(tokenOf(first));
    expect((await maria.form("/messages", { intent: "confirm" })).status).toBe(302);
    const [mail] = await received();
    expect(mail?.event).toBe("confirm-email");
    expect((await visitor().get(first)).status).toBe(410);
    expect((await maria.form(linkIn(mail), {})).status).toBe(302);
    expect((await maria.get("/messages")).document.querySelector("form.notice")).toBeNull();
  });

  test("once confirmed, adds earlier requests and their visits to the account, except a visit with a claim link", async () => {
    const email = "asks.first@example.com";
    const request = {
      firstName: "Maria",
      lastName: "A.",
      email,
      serviceNeeds: "An IEP",
      urgency: "routine",
      consent: true,
    };
    const admin = await consultant();
    const schedule = async () => {
      const asked = await visitor().post("/api/consultation-requests", request);
      const fields = { title: "Initial Consultation", duration: 60, type: "consultation" };
      const appointment = { ...fields, consultationRequestId: asked.json.id, appointmentDate: nextFreeHour() };
      const visit = await admin.post("/api/appointments/from-consultation", appointment);
      expect(visit.status).toBe(201);
      return { asked, visit };
    };
    const { asked, visit } = await schedule();
    // Its link may have been given to somebody else.
    const { visit: claimable } = await schedule();
    const expiresAt = new Date("2099-01-01");
    await db.appointmentClaim.create({ data: { appointmentId: claimable.json.id, tokenHash: "given", expiresAt } });
    const maria = await family({ email });
    const list = async () => (await maria.get("/api/appointments")).json.map(({ id }: { id: number }) => id);
    expect(await list()).toEqual([]);
    const link = (await received(email)).find(({ event }) => event === "account-made");
    expect((await maria.form(linkIn(link), {})).status).toBe(302);
    expect(await list()).toEqual([visit.json.id]);
    expect((await db.appointment.findUnique({ where: { id: claimable.json.id } }))?.userId).toBeNull();
    expect((await db.consultationRequest.findUnique({ where: { id: asked.json.id } }))?.userId).toBe(maria.id);
    expect((await received(email)).map(({ event }) => event)).toEqual(["visit-booked"]);
  });

  test("that was confirmed before a consultation request gets the visit scheduled from it; an unconfirmed one doesn't", async () => {
    const [maria, devon] = [await family(), await family()];
    const mails = await received();
    expect((await maria.form(linkIn(mails.find(({ to }) => to === maria.email)), {})).status).toBe(302);
    pass(60_000);
    const admin = await consultant();
    for (const person of [maria, devon]) {
      const request = { firstName: "A", lastName: "B", serviceNeeds: "Help", urgency: "routine", consent: true };
      const asked = await visitor().post("/api/consultation-requests", { ...request, email: person.email });
      const scheduled = {
        consultationRequestId: asked.json.id,
        title: "Initial Consultation",
        duration: 60,
        type: "consultation",
      };
      const visit = await admin.post("/api/appointments/from-consultation", {
        ...scheduled,
        appointmentDate: nextFreeHour(),
      });
      expect([person.email, visit.json.userId]).toEqual([person.email, person === maria ? maria.id : null]);
    }
    await received();
  });
});

describe("the messages page", () => {
  test("lists the signed-in user's messages and no other family's; a visitor must sign in", async () => {
    const maria = await family({ intake: true, firstName: "Maria" });
    const devon = await family();
    await bookOrFail(maria);
    await received();
    const unread = (await maria.get("/messages")).document;
    const links = [...unread.querySelectorAll(".rows a")];
    expect(links.map((link) => link.querySelector("strong")?.textContent)).toEqual([
      expect.stringMatching(/^Your visit is booked: \w{3}, \w{3} \d+, \d{4} at \d+:\d\d [AP]M ET$/) as string,
      "Welcome! Please confirm your email address",
    ]);
    const opened = await maria.get(links[0]?.getAttribute("href")?.replace(/#.*/, "") ?? "");
    expect(opened.document.querySelector("details[open]")?.textContent).toContain("We look forward to seeing you.");
    expect((await devon.get("/messages")).visibleText).not.toContain("visit is booked");
    expect((await visitor().get("/messages")).headers.location).toBe("/login?redirectTo=%2Fmessages");
    expect((await (await consultant()).get("/outbox")).status).toBe(404);
  });

  test("turns email topics off and on; messages of a topic that is off still appear in the portal", async () => {
    const maria = await family();
    await received();
    expect(
      (await maria.form("/messages", { topic: ["follow-ups", "documents", "receipts", "everything"] })).status,
    ).toBe(302);
    expect(await db.mailOptOut.findMany({ where: { userId: maria.id } })).toMatchObject([{ topic: "reminders" }]);
    await remindOfVisit(maria.id);
    expect(await received()).toEqual([]);
    expect((await maria.get("/messages")).visibleText).toContain("Reminder: your visit is coming up");
    expect((await maria.form("/messages", { topic: ["reminders"] })).status).toBe(302);
    await remindOfVisit(maria.id);
    expect(await received()).toHaveLength(1);
  });

  test("cancels a topic's pending emails when it is turned off; turning it on again doesn't send them", async () => {
    const maria = await family();
    await received();
    smtp.refuse = ({ to }) => (to === maria.email ? 451 : null);
    await remindOfVisit(maria.id);
    expect(await received()).toEqual([]);
    smtp.refuse = () => null;
    expect((await maria.form("/messages", { topic: ["follow-ups", "documents", "receipts"] })).status).toBe(302);
    await db.message.updateMany({ where: { userId: maria.id }, data: { nextAttemptAt: new Date() } });
    expect(await received()).toEqual([]);
    expect((await maria.get("/messages")).visibleText).toContain("Reminder: your visit is coming up");
    expect((await maria.form("/messages", { topic: ["reminders"] })).status).toBe(302);
    expect(await received()).toEqual([]);
  });
});

describe("the unsubscribe link of an email", () => {
  test("works without signing in, from its page and by one-click POST; a forged or truncated link gets 404", async () => {
    const [maria, devon] = [await family(), await family()];
    await received();
    await remindOfVisit(maria.id);
    await remindOfVisit(devon.id);
    const mails = await received();
    const links = [maria, devon].map(({ email }) => {
      const headers = mails.find(({ to }) => to === email)?.headers;
      const list = headers?.get("list") as { unsubscribe: { url: string }; "unsubscribe-post": { name: string } };
      expect(list["unsubscribe-post"].name).toBe("List-Unsubscribe=One-Click");
      return new URL(list.unsubscribe.url).pathname;
    });
    const [ofMaria = "", ofDevon = ""] = links;
    expect((await visitor().get(ofMaria)).status).toBe(200);
    expect(await db.mailOptOut.count({ where: { userId: { in: [maria.id, devon.id] } } })).toBe(0);
    const done = await visitor().form(ofMaria, {});
    expect(done.visibleText).toContain("These emails are turned off");
    const oneClick = await visitor().request("POST", ofDevon, {
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: "List-Unsubscribe=One-Click",
    });
    expect(oneClick.status).toBe(200);
    const entries = await db.auditEntry.count({ where: { action: "settings-changed", familyId: maria.id } });
    expect([entries, (await visitor().form(ofMaria, {})).status]).toEqual([1, 200]);
    expect(await db.auditEntry.count({ where: { action: "settings-changed", familyId: maria.id } })).toBe(1);
    const turnedOff = await db.mailOptOut.findMany({ where: { userId: { in: [maria.id, devon.id] } } });
    expect(turnedOff.map(({ topic }) => topic)).toEqual(["reminders", "reminders"]);
    await remindOfVisit(maria.id);
    expect(await received()).toEqual([]);
    const forged = ofMaria.replace(/\d+\.reminders/, `${devon.id}.documents`);
    for (const path of [forged, "/unsubscribe/x", ofMaria.slice(0, -1)])
      for (const response of [await visitor().get(path), await visitor().form(path, {})])
        expect(response.status).toBe(404);
  });
});

test("an unsubscribe link mailed before the session secret was rotated still turns its topic off", async () => {
  const { id } = await family();
  const hash = createHmac("sha256", EARLIER_SECRET).update(`unsubscribe: ${id} reminders`).digest("base64url");
  expect((await visitor().form(`/unsubscribe/${id}.reminders.${hash}`, {})).status).toBe(200);
  expect(await db.mailOptOut.count({ where: { userId: id, topic: "reminders" } })).toBe(1);
});

describe("the page of an unsubscribe link", () => {
  test("turns off only its own topic without signing in, and links to the pages of the other topics", async () => {
    const maria = await family();
    await received();
    await remindOfVisit(maria.id);
    const [mail] = await received(maria.email);
    const path = new URL(/http\S+\/unsubscribe\/\S+/.exec(mail?.text ?? "")?.[0] ?? "", origin).pathname;
    const page = await visitor().get(path);
    expect(page.visibleText).toContain("This turns off only the emails named here.");
    const others = [...page.document.querySelectorAll('main a[href^="/unsubscribe/"]')];
    expect(others.map((link) => link.textContent)).toEqual([
      "Turn off: Next steps, and reminders of what is due",
      "Turn off: News about documents",
      "Turn off: Receipts",
    ]);
    const nextSteps = others[0]?.getAttribute("href") ?? "";
    const done = await visitor().form(nextSteps, {});
    expect(done.visibleText).toContain("These emails are turned offWe no longer email you these.");
    expect(done.document.querySelectorAll('main a[href^="/unsubscribe/"]')).toHaveLength(3);
    const optOuts = await db.mailOptOut.findMany({ where: { userId: maria.id } });
    expect(optOuts.map(({ topic }) => topic)).toEqual(["follow-ups"]);
    await remindOfVisit(maria.id);
    expect((await received(maria.email)).map(({ event }) => event)).toEqual(["visit-reminder-24h"]);
    expect((await visitor().get(nextSteps)).visibleText).toContain("These emails are turned off");
  });

  test("offers the consultant her own topics, which she can turn on again on the messages page", async () => {
    const [maria, admin] = [await family(), await consultant()];
    await received();
    expect((await uploadFile(maria, { bytes: SAMPLES.txt! })).status).toBe(201);
    const [mail] = await received(adminEmail);
    const path = new URL(/http\S+\/unsubscribe\/\S+/.exec(mail?.text ?? "")?.[0] ?? "", origin).pathname;
    const done = await visitor().form(path, {});
    expect(done.visibleText).toContain("These emails are turned off");
    expect(done.visibleText).toContain("Turn off: Visits that families book, move or cancel");
    const boxes = async () =>
      [...(await admin.get("/messages")).document.querySelectorAll("input[name=topic]")].map((box) => [
        box.getAttribute("value"),
        box.hasAttribute("checked"),
      ]);
    const topics = ["visits", "documents"];
    expect(await boxes()).toEqual([
      ["visits", true],
      ["documents", false],
    ]);
    expect((await admin.form("/messages", { topic: topics })).status).toBe(302);
    expect(await boxes()).toEqual(topics.map((topic) => [topic, true]));
  });
});

test("a public site without email promises none, and tells the consultant which features don't work", async () => {
  const https = { "X-Forwarded-Proto": "https" };
  const site = await startServer({ template, overrides: PUBLIC_SITE });
  const maria = site.visitor();
  const fields = { firstName: "Maria", lastName: "A.", email: "no.mail@example.com", password: NEW_PASSWORD };
  expect((await maria.post("/api/auth/register", fields, https)).status).toBe(201);
  const list = await maria.get("/messages", https);
  const href = list.document.querySelector('main a[href*="open="]')?.getAttribute("href") ?? "";
  const messages = (await maria.get(href, https)).visibleText;
  expect(messages).toContain("We send no email, and for your safety the link is not on this page.");
  const waiting = (await maria.get("/appointments/waiting-list", https)).visibleText;
  expect(waiting).toContain("When a time opens, it shows up on this page, and we'll hold it for you for two hours.");
  const promises =
    /we'll email you|only in the email|what we email|once you have confirmed|confirm that the address|attached file|wrong address/i;
  const dashboard = (await maria.get("/dashboard", https)).visibleText;
  for (const text of [messages, waiting, dashboard]) expect(promises.exec(text)).toBeNull();
  const forgotten = await site.visitor().get("/forgot-password", https);
  expect(forgotten.visibleText).toContain("Are you the consultant?");
  expect(forgotten.document.querySelector("link[rel=canonical]")?.getAttribute("href")).toMatch(/\/forgot-password$/);
  const signIn = (await site.visitor().get("/login", https)).visibleText;
  expect(signIn).toContain("Forgot your password? We'll give you a link over the phone:");
  expect(signIn).not.toMatch(promises);
  const asked = await site.visitor().post("/api/auth/forgot-password", { email: fields.email }, https);
  expect(asked.json.message).toBe(
    "We send no email. Please call us at (732) 555-0142: we'll give you a link over the phone.",
  );
  const admin = site.visitor();
  await admin.form("/login", { email: adminEmail, password: adminPassword }, https);
  await addPasskey(admin, {}, https);
  const { visibleText } = await admin.get("/dashboard", https);
  expect(visibleText).toContain("a time that opens on the waiting list");
  expect(visibleText).toContain("no family can confirm its email address or change it");
  site.kill("SIGTERM");
  expect(await site.ended).toBe(0);
});

/** Each in a quarter of an hour of its own, between 2 and 24 hours from now. */
let visits = 12;

async function remindOfVisit(userId: number) {
  const appointmentDate = new Date(Math.ceil(time.getTime() / 60_000) * 60_000 + (visits += 1) * 900_000);
  const data = {
    title: "Hourly Consulting",
    type: "consultation",
    duration: 15,
    appointmentDate,
    createdAt: new Date(0),
  };
  await db.appointment.create({ data: { userId, ...data } });
  await testing.writeVisitReminders();
}
