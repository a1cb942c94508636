import { randomUUID } from "node:crypto";
import type { PrismaClient } from "../../prisma/sqlite/client/client.ts";
import { bookingBody, bookOrFail, nextFreeHour } from "./bookings.ts";
import type { TestClient } from "./http-client.ts";
import { type createPeople, type Family, intakeForm } from "./people.ts";
import { uploadFile } from "./uploads.ts";
import {
  createClaimedVisitOfOtherAddress,
  createDeletedVisitWithoutAccount,
  expectStatus as ok,
  createPaidVisitWithoutAccount,
  type Word,
} from "./visits-without-account.ts";

type Site = { db: PrismaClient; family: ReturnType<typeof createPeople>["family"]; visitor: () => TestClient };

/** Words that nothing else has, by where they were written. */
export type CanaryWords = {
  /** What the family may read in the portal. */
  shared: Record<string, string>;
  /** What the consultant wrote for herself. */
  unshared: Record<string, string>;
};

export type FamilyWithEverything = {
  family: Family;
  words: CanaryWords;
  paidVisit: number;
  paymentId: number;
  unownedPaymentId: number;
};

/** A family with a record of every kind, each with a word of its own that begins with `prefix` (lower-case letters). */
export async function createFamilyWithEverything(
  { db, family: register, visitor }: Site,
  admin: TestClient,
  prefix: string,
): Promise<FamilyWithEverything> {
  const word = (name: string) => `${prefix}${name}`;
  const names = (...all: string[]) => Object.fromEntries(all.map((name) => [name, word(name)]));
  const firstName = word("first");
  const email = `${word("mail")}@example.com`;
  const family = await register({ firstName, lastName: word("last"), email });
  const shared: Record<string, string> = names("first", "last", "mail");
  const write = (name: string) => (shared[name] = word(name));

  const asked = { urgency: "routine", consent: true, firstName: word("asker"), lastName: "Lee", email };
  await ok(
    visitor().post("/api/consultation-requests", { ...asked, serviceNeeds: write("claimed"), message: "" }),
    201,
  );
  const unownedPaymentId = await createPaidVisitWithoutAccount({ db, visitor }, admin, { email, write, word });
  await createDeletedVisitWithoutAccount({ db, visitor }, admin, { email, write, word });
  await confirmAddress(db, family);
  await ok(
    family.post("/api/consultation-requests", { ...asked, serviceNeeds: write("needs"), message: write("message") }),
    201,
  );
  write("asker");

  const answers = Object.fromEntries(
    ["diagnosis", "servicesCurrentlyReceiving", "schoolName", "gradeLevel", "otherConcerns", "additionalNotes"]
      .concat(["preferredDaysTimes", "howDidYouHear", "childName", "childAge", "childBirthday", "address"])
      .map((name) => [name, write(name.toLowerCase())]),
  );
  await ok(family.post("/api/intake-forms", { ...intakeForm(family), ...answers }), 201);
  const changed = { ...answers, otherConcerns: write("laterconcerns") };
  await ok(family.post("/api/intake-forms", { ...intakeForm(family), ...changed }), 200);
  await family.form("/dashboard/intake-form?step=child", { childName: write("draftchild"), intent: "keep" });

  const release = { version: "2026-11-23", details: write("releasedto"), signedName: `${firstName} ${word("last")}` };
  await family.form("/consents/release-of-records", { intent: "sign", ...release });
  const texts = { description: write("visitdescription"), notes: write("visitnotes") };
  const meetingLink = `https://example.com/${write("link")}`;
  const unpaid = await bookOrFail(family, { title: write("title"), ...texts, meetingLink });
  const before = { important: write("important"), change: write("change"), pages: write("pages") };
  await family.form(`/appointments/${unpaid.id}/questions`, before);
  const canceled = await bookOrFail(family, { place: write("visitplace") });
  await admin.form(`/dashboard/appointments/${canceled.id}/cancel`, { reason: write("cancelreason") });
  const waived = { waivedAt: new Date(), waiveReason: write("waivereason") };
  await db.appointment.update({ where: { id: Number(canceled.id) }, data: waived });
  await createClaimedVisitOfOtherAddress({ db, visitor }, admin, { family, write, word });
  const declined = bookingBody({ title: "Hourly Consulting", notes: write("declinednotes") });
  const refused = { sourceId: "cnon:card-nonce-declined", amount: 75, appointmentData: declined };
  await ok(family.post("/api/payments/process", refused), 402);
  const deletedLater = bookingBody({
    title: "Hourly Consulting",
    notes: write("deletednotes"),
    place: write("deletedplace"),
  });
  const bought = { sourceId: "cnon:card-nonce-ok", amount: 75, appointmentData: deletedLater };
  const { json: made } = await ok(family.post("/api/payments/process", bought), 200);
  await ok(admin.delete(`/api/appointments/${made.appointment.id}`), 200);
  const appointmentData = bookingBody({ title: "Hourly Consulting", notes: write("paidnotes") });
  const order = { sourceId: "cnon:card-nonce-ok", amount: 75, idempotencyKey: word("key"), appointmentData };
  const paid = await ok(family.post("/api/payments/process", order), 200);
  const paidVisit = paid.json.appointment.id as number;
  await family.form("/appointments/new", { title: write("drafttitle"), paymentMethod: "online" });

  const upload = (who: TestClient, name: string, fields: Record<string, string> = {}) =>
    ok(
      uploadFile(who, {
        bytes: Buffer.from(`${word(`${name}content`)} stands in it.`),
        fields: { customFileName: word(`${name}name`), description: word(`${name}description`), ...fields },
      }),
      201,
    );
  await upload(family, "own");
  await upload(admin, "sent", { userId: String(family.id) });
  await upload(admin, "kept", { userId: String(family.id), isSharedWithClient: "false" });
  for (const name of ["own", "sent"]) for (const part of ["content", "name", "description"]) write(name + part);

  const page = `/dashboard/appointments/${unpaid.id}/payment`;
  await admin.form(page, { intent: "taken", method: "cash", note: word("paymentnote") });
  const payment = await db.payment.findFirstOrThrow({ where: { appointmentId: paidVisit } });
  const refund = { paymentId: String(payment.id), amount: "5", reason: word("refundreason"), key: randomUUID() };
  await ok(admin.form(`/dashboard/appointments/${paidVisit}/payment`, { intent: "refund", ...refund }), 302);
  await admin.form(`/families/${family.id}`, { text: word("note") });
  const passkey = { name: write("passkeyname"), credentialId: word("credential"), publicKey: "-" };
  await db.passkey.create({ data: { userId: family.id, ...passkey } });
  await db.mailOptOut.create({ data: { userId: family.id, topic: "receipts" } });
  await ok(family.post("/api/calendar-feed", {}), 201);
  const followUp = { dueDay: "2027-01-08", followUp: write("followup"), isShared: "on" };
  await ok(admin.form(`/families/${family.id}/follow-ups/new`, followUp), 302);
  const keptFollowUp = { dueDay: "2027-01-09", followUp: word("keptfollowup") };
  await ok(admin.form(`/families/${family.id}/follow-ups/new`, keptFollowUp), 302);
  await writeSecretsAndLimits(db, family.id, { word, appointmentId: unpaid.id as number });
  write("invited");
  const earlier = await earlierAddress(db, family.id, word("earlier"));
  write("earlier");
  const legal = { kind: "privacy", name: write("legalname"), phone: write("legalphone") };
  await ok(family.form("/legal-request", { ...legal, email, text: write("legaltext") }), 302);
  await ok(visitor().form("/legal-request", { ...legal, email: earlier, text: write("earlierlegal") }), 302);
  for (const name of ["asked", "entered", "resolution"]) write(name);
  await enterCases(db, admin, family.id, word);
  const unshared = names(
    "note",
    "keptcontent",
    "keptname",
    "keptdescription",
    "incident",
    "refundreason",
    "keptfollowup",
    "unownednote",
    "orphannote",
    "unownedreason",
  );
  return { family, words: { shared, unshared }, paidVisit, paymentId: payment.id, unownedPaymentId };
}

/** What opens something, and what limits count: rows that no page shows. */
async function writeSecretsAndLimits(
  db: PrismaClient,
  userId: number,
  { word, appointmentId }: { word: Word; appointmentId: number },
) {
  const [since, expiresAt] = [new Date(), new Date("2027-01-09T15:00Z")];
  await db.secondFactor.create({ data: { userId, secret: word("secret") } });
  await db.recoveryCode.create({ data: { userId, codeHash: word("codehash") } });
  await db.passwordReset.create({ data: { userId, tokenHash: word("resethash"), expiresAt } });
  await db.appointmentClaim.create({ data: { appointmentId, tokenHash: word("claimhash"), expiresAt } });
  const invited = { email: `${word("mail")}@example.com`, firstName: word("invited"), lastName: word("last") };
  await db.invitation.create({ data: { ...invited, tokenHash: word("invitehash"), isMailed: true, expiresAt } });
  const change = { email: `${word("next")}@example.com`, isChange: true, tokenHash: word("confirmhash") };
  await db.emailConfirmation.create({ data: { userId, ...change, expiresAt } });
  await db.termsAcceptance.create({ data: { userId, version: "2020-02-03", acceptedAt: since } });
  await db.holdUsage.upsert({ where: { userId }, create: { userId, since, minutes: 60 }, update: {} });
  const time = { appointmentDate: new Date(nextFreeHour()), duration: 60, expiresAt };
  const offers = { create: { ...time, hold: { create: { userId, ...time } } } };
  await db.waitingListEntry.create({ data: { userId, day: "2027-01-09", duration: 60, offers } });
}

/** An address that the family had until now. */
async function earlierAddress(db: PrismaClient, userId: number, name: string): Promise<string> {
  const oldEmail = `${name}@example.com`;
  const undoUntil = new Date(Date.now() + 7 * 86_400_000);
  await db.emailChange.create({ data: { userId, oldEmail, undoTokenHash: `${name}hash`, undoUntil } });
  return oldEmail;
}

/** What the consultant enters about the family: a request that came by phone, which she closes, and an incident. */
async function enterCases(db: PrismaClient, admin: TestClient, userId: number, word: Word) {
  const entered = { userId: String(userId), receivedDay: "2026-11-02" };
  await ok(admin.form("/compliance/new", { ...entered, kind: "incident", text: word("incident") }), 302);
  const asked = { ...entered, kind: "privacy", name: word("asked"), text: word("entered") };
  await ok(admin.form("/compliance/new", asked), 302);
  const { id } = await db.complianceCase.findFirstOrThrow({ orderBy: { id: "desc" } });
  await ok(admin.form(`/compliance/${id}`, { outcome: "answered", resolution: word("resolution") }), 302);
}

export async function confirmAddress(db: PrismaClient, family: Family) {
  await family.form("/messages", { intent: "confirm" });
  const { secretPath } = await db.message.findFirstOrThrow({ where: { userId: family.id, event: "confirm-email" } });
  await ok(family.post("/api/auth/confirm-email", { token: secretPath?.split("/").at(-1) }), 200);
}
