import type { TestClient } from "../support/http-client.ts";
import { SAMPLES, uploadFile } from "../support/uploads.ts";
import { type Family, intakeForm } from "../support/people.ts";
import { practiceTime, NOW, type ScreenshotSite } from "./screenshot-site.ts";

export type SeedData = Awaited<ReturnType<typeof seedSite>>;

const DOCUMENT_NAMES = [
  "IEP draft",
  "Letter from school",
  "Evaluation",
  "Doctor's note",
  "Report card",
  "Insurance answer",
];
const KINDS = ["pdf", "txt", "png", "docx", "mp3", "zip"] as const;

/** Families in every state that a screen can show: with nothing, with one of each, with many, with long names. */
export async function seedSite(site: ScreenshotSite) {
  const fresh = await site.family({ email: "noor@example.com", firstName: "Noor", lastName: "Haddad" });
  const one = await site.family({ email: "devon@example.com", firstName: "Devon", lastName: "Brooks", intake: true });
  const maria = await site.family({
    email: "maria@example.com",
    firstName: "Maria",
    lastName: "Alvarez",
    intake: true,
  });
  const long = await site.family({
    firstName: "Maximiliana-Konstantina",
    lastName: "Featherstonehaugh-Vandenbroeck of Upper Saddle River",
    email: "maximiliana.konstantina.featherstonehaugh.vandenbroeck@a-rather-long-domain.example.com",
    intake: true,
  });
  const full = await site.family({ email: "priya@example.com", firstName: "Priya", lastName: "Raman", intake: true });

  await one.form("/consents/recording", { intent: "sign", version: "2026-11-23", signedName: "Devon Brooks" });
  const release = { intent: "sign", version: "2026-11-23", details: "Shore Regional School, Ms. Kim" };
  await maria.form("/consents/card-on-file", { ...release, signedName: "Maria Alvarez" });
  await maria.form("/consents/card-on-file", { intent: "withdraw" });
  await maria.form("/consents/release-of-records", { ...release, signedName: "Maria Alvarez" });
  await signedInEarlier(site, one);
  await book(one, "Initial Consultation", practiceTime(9, 10), { duration: 90 });
  await send(one, "IEP draft", "pdf");
  const visits = await visitsOf(maria, site);
  for (let number = 0; number < 39; number += 1) {
    const name = `${DOCUMENT_NAMES[number % DOCUMENT_NAMES.length]} ${2026 - Math.floor(number / 6)}`;
    await send(maria, name, KINDS[number % KINDS.length] ?? "pdf", number % 5 ? "" : "For our talk on the meeting.");
  }
  const fromConsultant = {
    userId: String(maria.id),
    customFileName: "Summary of our visit",
    isSharedWithClient: "true",
  };
  await uploadFile(await site.consultant(), { fileName: "summary.pdf", bytes: SAMPLES.pdf, fields: fromConsultant });
  await book(long, `Hourly Consulting about ${"the whole of last year and ".repeat(6)}more`, practiceTime(16, 12));
  await send(long, `${"unbroken".repeat(20)} ${"and a very long name ".repeat(4)}`, "pdf");
  await send(long, "Résumé 児童 👧 of the meeting", "docx");
  await send(full, "A long film", "mp4");
  await site.db.document.updateMany({ where: { userId: full.id }, data: { fileSize: 2 * 1024 ** 3 - 1 } });
  const requests = await askedFor(site, maria);
  const changed = { childAge: "10 years", otherConcerns: `Reading ${"and writing ".repeat(30)}take all evening.` };
  await long.post("/api/intake-forms", { ...intakeForm(long), ...changed });
  await site.db.familyNote.create({
    data: {
      userId: maria.id,
      text: "Prefers mornings. The school's social worker is Ms. Kim.",
      createdAt: practiceTime(-3, 15),
    },
  });
  const followUp = { userId: maria.id, appointmentId: visits.missed, createdAt: practiceTime(-7, 11) };
  await site.db.followUp.createMany({
    data: [
      { ...followUp, text: "Call the school about the bus", dueDay: "2026-11-19" },
      { ...followUp, text: "Send the evaluation to the school", dueDay: "2026-12-04", isShared: true },
    ],
  });
  await site.db.familyNote.create({
    data: { ...followUp, text: "Leo was calm today. The new morning routine helps." },
  });
  await site.db.visitAnswer.create({
    data: {
      appointmentId: visits.online,
      important: "That the school keeps Leo's aide.\nHe is calmer with her.",
      pages: "Pages 3 to 5 of the evaluation",
    },
  });
  // Nothing opens by itself while the pictures are taken.
  await site.db.hoursOverride.create({ data: { day: "2026-12-12" } });
  await waitFor(site, long, "2026-12-12", 60);
  await waitFor(site, maria, "2026-12-12", 90);
  // In one statement with its offer: the product's job makes one for an entry that has none.
  const offer = { appointmentDate: practiceTime(15, 14), duration: 60, expiresAt: practiceTime(0, 11, 45) };
  await waitFor(site, maria, "2026-12-05", 60, [{ ...offer, createdAt: practiceTime(0, 9, 45) }]);
  await site.db.hoursOverride.create({ data: { day: "2026-12-25", note: "Christmas" } });
  await site.db.user.updateMany({ data: { createdAt: practiceTime(-40, 20, 12) } });
  await site.db.document.updateMany({ data: { uploadedAt: practiceTime(-2, 16, 20) } });
  await site.db.intakeForm.updateMany({ data: { createdAt: practiceTime(-8, 9), updatedAt: practiceTime(-8, 9) } });
  const cases = await casesOf(site, maria);
  return { fresh, one, maria, long, full, visits, requests, cases };
}

/** What the legal pages promise an answer to: late, in time, and closed. */
async function casesOf({ db }: ScreenshotSite, { id: userId, email, name }: Family) {
  const asked = { kind: "privacy", name, email, userId, text: "Please send us a copy of what you hold about Leo." };
  const privacy = await db.complianceCase.create({
    data: { ...asked, receivedDay: "2026-10-22", dueDay: "2026-11-21" },
  });
  const text = "A letter for one family was mailed to another. It named the child and the school.";
  const incident = await db.complianceCase.create({
    data: { kind: "incident", text, receivedDay: "2026-11-18", dueDay: "2027-01-17" },
  });
  const done = { receivedDay: "2026-11-02", dueDay: "2026-11-04", resolution: "Called her and read the letter aloud." };
  await db.complianceCase.create({
    data: { ...asked, ...done, kind: "accessibility", text: "A scan.", closedAt: practiceTime(-17, 11) },
  });
  return { privacy: privacy.id, incident: incident.id };
}

type SeededOffer = { appointmentDate: Date; duration: number; expiresAt: Date; createdAt: Date };

function waitFor(
  { db }: ScreenshotSite,
  { id: userId }: Family,
  day: string,
  duration: number,
  offers: SeededOffer[] = [],
) {
  return db.waitingListEntry.create({ data: { userId, day, duration, joinedAt: NOW, offers: { create: offers } } });
}

/** So that important steps ask for the password again. */
async function signedInEarlier({ db }: ScreenshotSite, { id }: Family) {
  const { sid, sess } = await db.session.findFirstOrThrow({ where: { userId: id } });
  const signedInAt = NOW.getTime() - 3_600_000;
  await db.session.update({ where: { sid }, data: { sess: JSON.stringify({ ...JSON.parse(sess), signedInAt }) } });
}

export type Visits = Record<"now" | "missed" | "online" | "inPerson" | "paid" | "soon" | "unclaimed", number>;

/** Every state an appointment can have, of one family. */
async function visitsOf(family: Family, { db }: ScreenshotSite): Promise<Visits> {
  const own = { userId: family.id, type: "consultation", paymentAmountCents: 7500 };
  const write = (title: string, appointmentDate: Date, more: object = {}) =>
    db.appointment.create({ data: { ...own, title, appointmentDate, ...more } });
  const video = { isLiveVideoCall: true, paymentMethod: "in-person" };
  const { id: now } = await write("Hourly Consulting", practiceTime(0, 9, 40), video);
  const { id: missed } = await write("Hourly Consulting", practiceTime(-7, 10), video);
  await write("Hourly Consulting", practiceTime(-14, 10), {
    status: "completed",
    notes: "Letter to the school is on its way.",
  });
  await write("Initial Consultation", practiceTime(-35, 11), {
    status: "completed",
    duration: 90,
    paymentMethod: "in-person",
  });
  await write("Follow-up Consultation", practiceTime(-21, 12), { status: "no-show", type: "follow-up" });
  const soon = await pay(family, "Hourly Consulting", practiceTime(1, 9));
  const online = await book(family, "Initial Consultation", practiceTime(2, 9), {
    duration: 90,
    isLiveVideoCall: true,
  });
  const inPerson = await book(family, "School Meeting Attendance", practiceTime(8, 11), { type: "follow-up" });
  const paid = await pay(family, "Advocacy Partner Package", practiceTime(9, 14));
  const refunded = await pay(family, "Hourly Consulting", practiceTime(15, 10));
  const partly = await pay(family, "Hourly Consulting", practiceTime(1, 12));
  for (const id of [refunded, partly]) await family.delete(`/api/appointments/${id}`);
  const moved = await book(family, "Document Preparation", practiceTime(22, 15));
  await db.appointment.update({ where: { id: moved }, data: { status: "rescheduled" } });
  await book(family, "Hourly Consulting", practiceTime(23, 16), { meetingLink: "https://meet.example.com/alvarez" });
  const asked = {
    firstName: "Ana",
    lastName: "Ruiz",
    email: "ana.ruiz@example.org",
    phone: "(848) 555-0112",
    serviceNeeds: "Help with the first IEP meeting",
    message: "We speak Spanish at home.",
    urgency: "urgent",
    status: "scheduled",
    consent: true,
    createdAt: practiceTime(-3, 9),
  };
  const request = await db.consultationRequest.create({ data: asked });
  const { id: unclaimed } = await write("Initial Consultation - Ana Ruiz", practiceTime(24, 10), {
    userId: null,
    isLiveVideoCall: true,
    consultationRequestId: request.id,
  });
  return { now, missed, online, inPerson, paid, soon, unclaimed };
}

async function book(family: Family, title: string, start: Date, more: object = {}): Promise<number> {
  const booking = { title, appointmentDate: start.toISOString(), duration: 60, type: "consultation", ...more };
  const response = await family.post("/api/appointments/in-person", booking);
  if (response.status !== 201) throw new Error(`${title} could not be booked: ${response.text}`);
  return response.json.id;
}

async function pay(family: Family, title: string, start: Date): Promise<number> {
  const appointmentData = { title, appointmentDate: start.toISOString(), duration: 60, type: "consultation" };
  const amount = title === "Advocacy Partner Package" ? 325 : 75;
  const response = await family.post("/api/payments/process", {
    sourceId: "cnon:card-nonce-ok",
    amount,
    appointmentData,
  });
  if (response.status !== 200) throw new Error(`${title} could not be paid: ${response.text}`);
  return response.json.appointment.id;
}

async function send(family: TestClient, customFileName: string, kind: keyof typeof SAMPLES, description = "") {
  const fileName = `paper.${kind}`;
  const response = await uploadFile(family, {
    fileName,
    bytes: SAMPLES[kind],
    fields: { customFileName, description },
  });
  if (response.status !== 201) throw new Error(`${customFileName} could not be sent: ${response.text}`);
}

async function askedFor({ db }: ScreenshotSite, family: Family): Promise<number[]> {
  const requests = [
    { firstName: "Jane", lastName: "Lorenz", serviceNeeds: "An IEP meeting in September", urgency: "urgent" },
    {
      firstName: family.firstName,
      lastName: family.lastName,
      userId: family.id,
      serviceNeeds: "A second opinion",
      urgency: "routine",
    },
    {
      firstName: "Oluwaseun-Adebayo",
      lastName: "Featherstonehaugh-Vandenbroeck",
      serviceNeeds: "Everything at once. ".repeat(12),
      message: "We were told on Friday that the placement ends. ".repeat(5),
      urgency: "emergency",
      phone: "(732) 555-0188",
    },
  ];
  const ids: number[] = [];
  for (const [index, fields] of requests.entries()) {
    const email = `${fields.firstName}.${fields.lastName}@example.org`.toLowerCase();
    const createdAt = new Date(NOW.getTime() - (index + 1) * 5 * 3_600_000);
    ids.push((await db.consultationRequest.create({ data: { email, consent: true, createdAt, ...fields } })).id);
  }
  return ids;
}
