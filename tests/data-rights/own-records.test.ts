// Proves that data that a family sent while signed out, with email addresses that it has confirmed, is exported and
// erased with its account, and that data from other senders is kept.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { bookingBody } from "../support/bookings.ts";
import { confirmAddress } from "../support/family-with-everything.ts";
import type { TestResponse } from "../support/http-client.ts";
import { startServer } from "../support/servers/server-process.ts";
import { consultant, db, family, folder, origin, template, testing, visitor } from "../support/site.ts";
import { PUBLIC_SITE } from "../support/test-environment.ts";
import { zipEntries } from "../support/zip-entries.ts";

const DAY = 86_400_000;
let senders = 0;

/** A consultation request with the paid visit that it led to, and a request about privacy, of somebody who is signed out. */
async function sendSignedOut(email: string, createdAt = new Date()) {
  const word = `heron${(senders += 1)}x`;
  const request = { firstName: "A", lastName: "B", email, serviceNeeds: `${word}Needs`, urgency: "routine" };
  const asked = await visitor().post("/api/consultation-requests", { ...request, consent: true });
  const fields = { kind: "privacy", name: "A B", email, text: `${word}Legal` };
  expect([asked.status, (await visitor().form("/legal-request", fields)).status]).toEqual([201, 302]);
  const { id } = await db.complianceCase.findFirstOrThrow({ orderBy: { id: "desc" } });
  await db.consultationRequest.update({ where: { id: asked.json.id }, data: { createdAt } });
  await db.complianceCase.update({ where: { id }, data: { createdAt } });
  const appointmentDate = new Date(Date.parse("2028-01-03T15:00Z") + senders * DAY);
  const visit = { title: `${word}Visit`, type: "consultation", appointmentDate, consultationRequestId: asked.json.id };
  const { id: visitId } = await db.appointment.create({ data: visit });
  const booking = JSON.stringify({ title: `${word}Paid`, appointmentDate, duration: 60, type: "consultation" });
  const times = { leaseEndsAt: new Date(), paidAt: new Date() };
  const money = {
    appointmentId: visitId,
    method: "cash",
    key: `${word}Key`,
    amountCents: 7500,
    state: "paid",
    booking,
  };
  const payment = await db.payment.create({ data: { ...money, ...times } });
  const left = async () => [
    await db.consultationRequest.count({ where: { id: asked.json.id } }),
    await db.appointment.count({ where: { id: visitId } }),
    await db.complianceCase.count({ where: { id, email: { not: null } } }),
    (await db.payment.findUniqueOrThrow({ where: { id: payment.id } })).booking === booking ? 1 : 0,
  ];
  return { words: ["Needs", "Legal", "Visit", "Paid"].map((name) => word + name), left };
}

test("export and erasure cover signed-out requests from a family's current and former addresses, not others'", async () => {
  const maria = await family({ email: "maria.now@example.org" });
  await db.user.update({ where: { id: maria.id }, data: { emailConfirmedAt: new Date() } });
  const [earlier, given, changed] = ["maria.before@example.org", "maria.given@example.org", Date.now() - 20 * DAY];
  const undoUntil = new Date(changed + 7 * DAY);
  for (const oldEmail of [earlier, given]) {
    const data = { userId: maria.id, oldEmail, undoTokenHash: oldEmail, undoUntil, changedAt: new Date(changed) };
    await db.emailChange.create({ data });
  }
  const other = await family({ email: given });
  const [appointmentDate, expiresAt] = [new Date("2029-01-08T15:00Z"), new Date(Date.now() + DAY)];
  await db.hold.create({ data: { userId: other.id, appointmentDate, duration: 60, expiresAt, heldSince: new Date() } });
  await db.familyNote.create({ data: { userId: other.id, text: "About somebody else" } });
  await db.intakeFormVersion.create({ data: { userId: other.id, answers: "{}", submittedAt: new Date() } });
  await testing.deleteExpiredRows();
  expect(await db.emailChange.count({ where: { userId: maria.id, undoTokenHash: null } })).toBe(2);
  const own = [await sendSignedOut(maria.email), await sendSignedOut(earlier, new Date(changed - DAY))];
  const others = [
    await sendSignedOut("somebody@example.org"),
    await sendSignedOut(earlier),
    await sendSignedOut(given, new Date(changed - DAY)),
  ];

  const copy = zipEntries(await maria.get("/api/me/export"))["data.json"]?.toString("utf8") ?? "";
  const missing = own.flatMap(({ words }) => words).filter((word) => !copy.includes(word));
  const foreign = others.flatMap(({ words }) => words).filter((word) => copy.includes(word));
  expect([missing, foreign]).toEqual([[], []]);

  await db.user.update({ where: { id: maria.id }, data: { eraseAfter: new Date(Date.now() - 1) } });
  await testing.eraseDueAccounts();
  expect(await db.user.count({ where: { id: maria.id } })).toBe(0);
  for (const { left } of own) expect(await left()).toEqual([0, 0, 0, 0]);
  for (const { left } of others) expect(await left()).toEqual([1, 1, 1, 1]);
  const ofOther = { where: { userId: other.id } };
  const stays = [db.hold.count(ofOther), db.familyNote.count(ofOther), db.intakeFormVersion.count(ofOther)];
  expect(await Promise.all(stays)).toEqual([1, 1, 1]);
});

/** The payment of a visit of somebody who was signed out, paid in cash with a note, after the visit was deleted. */
async function payAndDelete(email: string, firstName: string) {
  const admin = await consultant();
  const request = { firstName, lastName: "Lee", email, serviceNeeds: "IEP", urgency: "routine", consent: true };
  const { id: consultationRequestId } = (await visitor().post("/api/consultation-requests", request)).json;
  const fields = { ...bookingBody({ title: "Hourly Consulting" }), consultationRequestId };
  const { id } = (await admin.post("/api/appointments/from-consultation", fields)).json;
  const paid = { intent: "taken", method: "cash", note: `Note about ${firstName}` };
  const taken = await admin.form(`/dashboard/appointments/${id}/payment`, paid);
  const payment = await db.payment.findFirstOrThrow({ where: { appointmentId: id } });
  expect([taken.status, (await admin.delete(`/api/appointments/${id}`)).status]).toEqual([302, 200]);
  return async () => {
    const { booking, note } = await db.payment.findUniqueOrThrow({ where: { id: payment.id } });
    return [JSON.parse(booking).title as string, note];
  };
}

test("what a former consultant was mailed about a family's requests is erased with it, and nothing about others'", async () => {
  const [former, maria, devon] = [await family(), await family(), await family()];
  await db.user.update({ where: { id: maria.id }, data: { emailConfirmedAt: new Date() } });
  await db.user.update({ where: { id: former.id }, data: { isAdmin: true } });
  await sendSignedOut(maria.email);
  await sendSignedOut("stranger@example.org");
  const request = { firstName: "A", lastName: "B", serviceNeeds: "x", urgency: "urgent", consent: true };
  for (const who of [maria, devon])
    expect((await who.post("/api/consultation-requests", { ...request, email: who.email })).status).toBe(201);
  await db.user.update({ where: { id: former.id }, data: { isAdmin: false } });
  const mailed = () =>
    db.message.count({ where: { userId: former.id, event: { in: ["new-request", "new-legal-request"] } } });
  expect(await mailed()).toBe(6);
  await db.user.update({ where: { id: maria.id }, data: { eraseAfter: new Date(0) } });
  await testing.eraseDueAccounts();
  expect(await db.user.count({ where: { id: maria.id } })).toBe(0);
  expect(await mailed()).toBe(3);
});

test("a payment whose visit was deleted is still in both exports, and the erasure removes its name and note", async () => {
  const email = "orla.signed.out@example.org";
  const [own, foreign] = [await payAndDelete(email, "Orla"), await payAndDelete("finn.other@example.org", "Finn")];
  expect(await own()).toEqual(["Hourly Consulting - Orla Lee", "Note about Orla"]);
  const orla = await family({ email });
  await confirmAddress(db, orla);
  const admin = await consultant();
  const [copy, whole] = [await orla.get("/api/me/export"), await admin.get(`/families/${orla.id}/everything.zip`)];
  const paymentsOf = (answer: TestResponse) =>
    JSON.parse(zipEntries(answer)["data.json"]?.toString("utf8") ?? "").payments;
  expect(paymentsOf(copy)).toMatchObject([{ title: "Hourly Consulting - Orla Lee", note: null, amountCents: 7500 }]);
  expect(paymentsOf(whole)).toMatchObject([{ title: "Hourly Consulting - Orla Lee", note: "Note about Orla" }]);
  await db.user.update({ where: { id: orla.id }, data: { eraseAfter: new Date(Date.now() - 1) } });
  await testing.eraseDueAccounts();
  expect([await own(), await foreign()]).toEqual([
    ["Hourly Consulting", null],
    ["Hourly Consulting - Finn Lee", "Note about Finn"],
  ]);
});

test("a request that the consultant assigned to an account is exported and erased with it, whatever its address", async () => {
  const noor = await family({ email: "noor.chosen@example.org" });
  const email = "noors.mother@example.org";
  const request = {
    firstName: "Ida",
    lastName: "Lee",
    email,
    serviceNeeds: "Chosen",
    urgency: "routine",
    consent: true,
  };
  const { id: consultationRequestId } = (await visitor().post("/api/consultation-requests", request)).json;
  const admin = await consultant();
  const fields = { ...bookingBody(), consultationRequestId, userId: noor.id };
  const { id } = (await admin.post("/api/appointments/from-consultation", fields)).json;
  expect((await admin.delete(`/api/appointments/${id}`)).status).toBe(200);
  const copy = zipEntries(await noor.get("/api/me/export"))["data.json"]?.toString("utf8") ?? "";
  expect([copy.includes(`"email":"${email}"`), await mailsTo(email)]).toEqual([true, 1]);
  await db.user.update({ where: { id: noor.id }, data: { eraseAfter: new Date(Date.now() - 1) } });
  // The cancellation is mailed first.
  await testing.deliverDueMessages();
  await testing.eraseDueAccounts();
  expect([await db.consultationRequest.count({ where: { email } }), await mailsTo(email)]).toEqual([0, 0]);
});

async function mailsTo(email: string) {
  const rows = await db.message.findMany({ where: { userId: null }, select: { address: true } });
  return rows.filter(({ address }) => address === email).length;
}

test("emails to a visitor whose address a family typed while signed in are not exported or erased with the family", async () => {
  const [email, firstName] = ["somebody.elses@example.org", "Eve"];
  const request = { firstName, lastName: "Lee", email, serviceNeeds: "IEP", urgency: "routine", consent: true };
  await visitor().post("/api/consultation-requests", request);
  const eve = await family();
  expect((await eve.post("/api/consultation-requests", request)).status).toBe(201);
  const copy = JSON.parse(zipEntries(await eve.get("/api/me/export"))["data.json"]?.toString("utf8") ?? "");
  const addresses = (copy.messages as { address: string }[]).map(({ address }) => address);
  expect([copy.consultationRequests.length, addresses.includes(email)]).toEqual([1, false]);
  await db.user.update({ where: { id: eve.id }, data: { eraseAfter: new Date(Date.now() - 1) } });
  await testing.eraseDueAccounts();
  expect(await mailsTo(email)).toBe(1);
});

test("a family with an unconfirmed address sees that requests sent with it are left out; the consultant gets a link", async () => {
  const email = "rue+typed@example.org";
  const asked = { firstName: "Rue", lastName: "Lee", email, serviceNeeds: "Tree", urgency: "routine", consent: true };
  await visitor().post("/api/consultation-requests", asked);
  const rue = await family({ email });
  const sentence = `What was sent to us with ${email} while nobody was signed in is not part of this`;
  for (const page of ["/dashboard/settings/data", "/dashboard/settings/delete-account"]) {
    const { visibleText, document } = await rue.get(page);
    expect(visibleText).toContain(sentence);
    expect(document.querySelector('[role="note"] a')?.getAttribute("href")).toBe("/messages");
  }
  const { leftOut } = JSON.parse(zipEntries(await rue.get("/api/me/export"))["data.json"]?.toString("utf8") ?? "");
  expect(leftOut).toEqual([expect.stringContaining(`what was sent with ${email}`)]);
  const admin = await consultant();
  const page = await admin.get(`/families/${rue.id}`);
  expect(page.visibleText).toContain(`1 consultation request came with ${email}, which this family has not confirmed.`);
  const link = page.document.querySelector('a[href^="/requests?q="]')?.getAttribute("href") ?? "";
  expect((await admin.get(link)).document.querySelector('a[href*="/delete"]')?.textContent).toContain("Rue Lee");
  const leave = { Origin: origin, "Content-Type": "application/json" };
  await rue.request("DELETE", "/api/me", { headers: leave, body: JSON.stringify({ password: rue.password }) });
  const told = await db.message.findFirstOrThrow({ where: { event: "family-leaves" }, orderBy: { id: "desc" } });
  expect(told.content).toContain("1 consultation request came with their email address");

  const grace = await family();
  await confirmAddress(db, grace);
  expect((await grace.get("/dashboard/settings/data")).visibleText).not.toContain("while nobody was signed in");
});

test("on a site without email, where no address can be confirmed, both pages ask the family to call first", async () => {
  const site = await startServer({ template, overrides: PUBLIC_SITE });
  try {
    const sol = await site.family();
    for (const page of ["/dashboard/settings/data", "/dashboard/settings/delete-account"])
      expect((await sol.get(page)).visibleText).toMatch(/If they are yours, please call us first: \(?\d/);
  } finally {
    site.kill("SIGKILL");
  }
});

test("export and erasure skip signed-out requests that were sent with a family's unconfirmed address", async () => {
  const devon = await family({ email: "devon.typed@example.org" });
  const sent = await sendSignedOut(devon.email);
  const copy = zipEntries(await devon.get("/api/me/export"))["data.json"]?.toString("utf8") ?? "";
  expect(sent.words.filter((word) => copy.includes(word))).toEqual([]);
  await db.user.update({ where: { id: devon.id }, data: { eraseAfter: new Date(Date.now() - 1) } });
  await testing.eraseDueAccounts();
  expect(await sent.left()).toEqual([1, 1, 1, 1]);
});

/** The files of mails to an address that a local process wrote. */
function outboxFiles(email: string): string[] {
  const outbox = path.join(folder, "outbox");
  return readdirSync(outbox).filter((name) => readFileSync(path.join(outbox, name), "utf8").includes(email));
}

test("an invitation to an unconfirmed address is erased with its account, email and outbox file; its visit is kept", async () => {
  const admin = await consultant();
  const visit = { title: "Waits", type: "consultation", appointmentDate: new Date("2029-02-05T15:00Z") };
  const { id: appointmentId } = await db.appointment.create({ data: visit });
  const [email, other] = ["wren.invited@example.org", "lark.invited@example.org"];
  const invite = (fields: Record<string, string>) =>
    admin.form("/families/invitations", { firstName: "Wrenfirst", lastName: "Wrenlast", ...fields });
  expect((await invite({ email, appointmentId: String(appointmentId) })).status).toBe(302);
  expect((await invite({ email: other })).status).toBe(302);
  await expect.poll(() => [email, other].map((each) => outboxFiles(each).length)).toEqual([1, 1]);

  const wren = await family({ email });
  const copy = zipEntries(await wren.get("/api/me/export"))["data.json"]?.toString("utf8") ?? "";
  expect([copy.includes("Wrenlast"), copy.includes("an invitation of ours to that address")]).toEqual([false, true]);
  expect((await wren.get("/dashboard/settings/data")).visibleText).toContain("If we have invited that address");
  await db.user.update({ where: { id: wren.id }, data: { eraseAfter: new Date(Date.now() - 1) } });
  await testing.eraseDueAccounts();
  const left = async (address: string) => [
    await db.invitation.count({ where: { email: address } }),
    await mailsTo(address),
    outboxFiles(address).length,
  ];
  expect([await left(email), await left(other)]).toEqual([
    [0, 0, 0],
    [1, 1, 1],
  ]);
  const ofVisit = { where: { appointmentId } };
  expect([
    await db.appointment.count({ where: { id: appointmentId } }),
    await db.appointmentClaim.count(ofVisit),
  ]).toEqual([1, 0]);
});
