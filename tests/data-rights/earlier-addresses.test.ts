// Proves that what a family sent signed out, with the addresses that it has confirmed, is in its copy of everything and
// goes with its account, and that what somebody else sent stays.
import { expect, test } from "vitest";
import { db, family, testing, visitor } from "../support/site.ts";
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

test("a family that changed its address gets, and erases, what it sent signed out with each of its addresses", async () => {
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

test("a family whose address nobody has confirmed gets and erases nothing that was sent signed out with it", async () => {
  const devon = await family({ email: "devon.typed@example.org" });
  const sent = await sendSignedOut(devon.email);
  const copy = zipEntries(await devon.get("/api/me/export"))["data.json"]?.toString("utf8") ?? "";
  expect(sent.words.filter((word) => copy.includes(word))).toEqual([]);
  await db.user.update({ where: { id: devon.id }, data: { eraseAfter: new Date(Date.now() - 1) } });
  await testing.eraseDueAccounts();
  expect(await sent.left()).toEqual([1, 1, 1, 1]);
});
