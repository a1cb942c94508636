// Proves which text columns are encrypted, through nested writes and reads.
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";

process.env.DATA_DIR = temporaryFolder("encryption");
const { RELATED_MODELS, fieldEncryption, ENCRYPTED_COLUMNS } = await import("../../app/db/encrypted-columns.server.ts");
const {
  isEncrypted,
  decryptText,
  encryptText,
  UNREADABLE_PLACEHOLDER: UNREADABLE,
} = await import("../../app/db/text-encryption.server.ts");

const ADDRESS = "who it is: signing in, lists, and matching an account need it";
const NO_WORDS = "one of a few known words, which the database itself checks or compares";
const OURS = "made by the program, and says nothing of anybody";

/** Every text column that stands in the database as it is, and why. A new column fails the test until it is decided. */
const PLAIN: Record<string, string> = {
  "User.email": ADDRESS,
  "User.firstName": ADDRESS,
  "User.lastName": ADDRESS,
  "User.phone": ADDRESS,
  "User.password": "a bcrypt hash",
  "User.profileImageUrl": "nothing writes it",
  "User.termsVersion": "a date of ours, the same for everybody",
  "TermsAcceptance.version": "a date of ours, the same for everybody",
  "User.displayPreferences": NO_WORDS,
  "Session.sid": OURS,
  "Session.sess": "times; a message that waits in it is encrypted by itself, and a form under its browser's own key",
  "PasswordReset.tokenHash": "a hash",
  "RecoveryCode.codeHash": "a hash",
  "Passkey.credentialId": "a random number of the device's; a sign-in finds its row by it",
  "Passkey.publicKey": "a public key",
  "Passkey.transports": NO_WORDS,
  "UsedPasskeyChallenge.hash": "a hash",
  "ComplianceCase.kind": NO_WORDS,
  "ComplianceCase.outcome": NO_WORDS,
  "ComplianceCase.email": "erasing a family finds what it sent without an account",
  "ComplianceCase.receivedDay": "a day",
  "ComplianceCase.dueDay": "a day",
  "Consent.document": NO_WORDS,
  "Consent.version": "a date of ours, the same for everybody",
  "Draft.form": NO_WORDS,
  "IntakeForm.preferredContactMethod": NO_WORDS,
  "IntakeForm.iepStatus": NO_WORDS,
  "ConsultationRequest.firstName": ADDRESS,
  "ConsultationRequest.lastName": ADDRESS,
  "ConsultationRequest.email": ADDRESS,
  "ConsultationRequest.phone": ADDRESS,
  "ConsultationRequest.urgency": NO_WORDS,
  "ConsultationRequest.status": NO_WORDS,
  "ComplianceCase.network": "a keyed hash",
  "ComplianceCase.wideNetwork": "a keyed hash",
  "ConsultationRequest.network": "a keyed hash",
  "ConsultationRequest.wideNetwork": "a keyed hash",
  "AppointmentClaim.tokenHash": "a hash",
  "Invitation.email": ADDRESS,
  "Invitation.firstName": ADDRESS,
  "Invitation.lastName": ADDRESS,
  "Invitation.tokenHash": "a hash",
  "Appointment.title": "what was booked: every list shows and finds it, and the price follows from it",
  "Appointment.type": NO_WORDS,
  "Appointment.status": NO_WORDS,
  "Appointment.urgency": NO_WORDS,
  "Appointment.paymentMethod": NO_WORDS,
  "Appointment.cancelledBy": NO_WORDS,
  "Appointment.paymentStatus": NO_WORDS,
  "Appointment.paymentId": "the provider's number",
  "Appointment.network": "a keyed hash",
  "Appointment.wideNetwork": "a keyed hash",
  "Hold.network": "a keyed hash",
  "Hold.type": "one of three words, as of an appointment",
  "Hold.wideNetwork": "a keyed hash",
  "WaitingListEntry.network": "a keyed hash",
  "WaitingListEntry.wideNetwork": "a keyed hash",
  "Document.fileName": "lists are ordered and found by it",
  "Document.fileType": NO_WORDS,
  "Document.filePath": OURS,
  "Document.sha256": "a hash",
  "Document.wrappedDataKey": "wrapped by FILE_KEYS itself",
  "Document.keyId": OURS,
  "HoursOverride.day": "a date",
  "FollowUp.dueDay": "a date",
  "WaitingListEntry.day": "a date",
  "PracticeSettings.weeklyHours": "the public page shows them",
  "PracticeSettings.consultantName": "the public page shows it",
  "PracticeSettings.consultantBio": "the public page shows it",
  "PracticeSettings.consultantLicense": "the public page shows it",
  "PracticeSettings.portraitName": "the public page shows it",
  "PracticeSettings.portraitBase64": "the public page shows it",
  "PracticeSettings.practiceAddress": "the practice's own, on every invoice",
  "PracticeSettings.taxId": "the practice's own, on every invoice",
  "PracticeSettings.meetingPlace": "the practice's own, in every message about a visit",
  "Payment.method": NO_WORDS,
  "Payment.provider": NO_WORDS,
  "Payment.key": OURS,
  "Payment.idempotencyKey": "made by the caller's program",
  "Payment.requestHash": "a keyed hash",
  "Payment.state": NO_WORDS,
  "Payment.providerPaymentId": "the provider's number",
  "Payment.checkoutId": "the provider's number",
  "Payment.checkoutUrl": "the provider's page, which knows of no family",
  "Payment.orderId": "the provider's number",
  "Payment.mismatch": "amounts and numbers of the provider",
  "Payment.refusal": "a sentence of ours about a card",
  "PaymentTransition.state": NO_WORDS,
  "Refund.key": OURS,
  "Refund.state": NO_WORDS,
  "Refund.providerRefundId": "the provider's number",
  "Message.key": "event, ids and times",
  "Message.name": "made at random",
  "Message.event": NO_WORDS,
  "Message.state": NO_WORDS,
  "Message.failure": "a status code of the mail server",
  "MailOptOut.topic": NO_WORDS,
  "PaymentScript.url": "the card provider's public address",
  "PaymentScript.sha256": "a hash",
  "MessageWording.name": NO_WORDS,
  "MessageWording.subject": "the practice's own words, mailed to every family",
  "MessageWording.body": "the practice's own words, mailed to every family",
  "EmailConfirmation.tokenHash": "a hash",
  "EmailConfirmation.email": ADDRESS,
  "EmailChange.oldEmail": ADDRESS,
  "EmailChange.undoTokenHash": "a hash",
  "CalendarFeed.secretHash": "a hash",
  "AuditEntry.action": NO_WORDS,
  "AuditEntry.objectType": NO_WORDS,
  "AuditEntry.network": "a keyed hash",
  "AuditEntry.hash": "a hash",
  "AuditHead.baseHash": "a hash",
  "AuditHead.lastHash": "a hash",
  "AuditHead.signature": "a keyed hash",
  "CallPresence.id": OURS,
  "CallPresence.role": NO_WORDS,
  "CallPresence.tabId": OURS,
  "CallPresence.seat": OURS,
  "CallPresence.processId": OURS,
  "RateLimit.key": "a limit's name and a keyed hash",
  "CallSignal.processId": OURS,
  "CallSignal.payload": "encrypted by its writer (video/presence/process-bus.server.ts), which uses SQL",
};

const models = readFileSync(path.join(import.meta.dirname, "../../prisma/models.prisma"), "utf8")
  .split(/^model /m)
  .slice(1)
  .map((text) => {
    const fields = [...text.matchAll(/^ {2}(\w+) +(\w+)(\[\])?\??(?: |$)/gm)].map(([, name = "", type = ""]) => ({
      name,
      type,
    }));
    return { name: /^\w+/.exec(text)?.[0] ?? "", table: /@@map\("(\w+)"\)/.exec(text)?.[1] ?? "", fields };
  });
const names = new Set(models.map(({ name }) => name));

test("every text column of every table is encrypted, or plain for a reason that is written here", () => {
  const columns = models.flatMap(({ name, fields }) =>
    fields.filter(({ type }) => type === "String").map((field) => `${name}.${field.name}`),
  );
  const encrypted = Object.entries(ENCRYPTED_COLUMNS).flatMap(([model, table]) =>
    Object.keys(table.columns).map((column) => `${model}.${column}`),
  );
  expect(columns.length).toBeGreaterThan(60);
  expect([...encrypted, ...Object.keys(PLAIN)].toSorted()).toEqual(columns.toSorted());
});

test("the encrypted tables have the names and keys of the database", () => {
  for (const [model, { table, key }] of Object.entries(ENCRYPTED_COLUMNS)) {
    const known = models.find(({ name }) => name === model);
    expect(known?.table).toBe(table);
    expect(known?.fields.map(({ name }) => name)).toEqual(expect.arrayContaining([...key]));
  }
});

test("every relation is known, so that nothing nested is overlooked", () => {
  const relations = models.flatMap(({ fields }) => fields.filter(({ type }) => names.has(type)));
  expect(RELATED_MODELS).toEqual(Object.fromEntries(relations.map(({ name, type }) => [name, type])));
});

/** What the database is handed, and what comes back, when it holds `stored`. */
async function through(model: string, args: object, stored: unknown = null) {
  let handed: Record<string, never> = {};
  const query = async (given: never) => {
    handed = given;
    return stored;
  };
  const read = await fieldEncryption.query.$allModels.$allOperations({ model, args, query });
  // What Prisma is handed has no one shape; each test says what it expects.
  // oxlint-disable-next-line typescript/no-explicit-any
  return { handed: handed as any, read };
}

test("nested writes are encrypted, whatever the verb", async () => {
  const note = { text: "Leo" };
  const { handed } = await through("User", {
    data: {
      firstName: "Maria",
      notes: { create: [note, note], createMany: { data: [note] }, update: { where: { id: 1 }, data: note } },
      documents: { upsert: { where: { id: 1 }, create: { description: "Leo" }, update: { description: "Leo" } } },
      appointments: { connectOrCreate: { where: { id: 1 }, create: { notes: "Leo", title: "Leo's title" } } },
    },
  });
  expect(JSON.stringify(handed)).not.toMatch(/"Leo"/);
  expect(handed.data).toMatchObject({ firstName: "Maria" });
  expect(handed.data.appointments.connectOrCreate.create.title).toBe("Leo's title");
  expect(decryptText(handed.data.notes.createMany.data[0].text, "family_notes.text")).toBe("Leo");
});

test("nested rows are decrypted, and values that were not encrypted are left alone", async () => {
  const rows = [
    {
      id: 1,
      createdAt: new Date(0),
      intakeForm: { childName: encryptText("Leo", "intake_forms.childName") },
      appointments: [{ notes: encryptText("Client: Maria", "appointments.notes"), description: null, title: "plain" }],
      _count: { documents: 2 },
    },
  ];
  expect((await through("User", {}, rows)).read).toEqual([
    {
      id: 1,
      createdAt: new Date(0),
      intakeForm: { childName: "Leo" },
      appointments: [{ notes: "Client: Maria", description: null, title: "plain" }],
      _count: { documents: 2 },
    },
  ]);
});

test.each([
  { where: { message: "Leo" } },
  { where: { OR: [{ message: { contains: "Leo" } }] } },
  { orderBy: [{ message: "asc" }] },
  { where: { appointment: { is: { notes: { contains: "Leo" } } } } },
  { data: { message: { set: "Leo" } } },
])("%j asks the database for what it can't see, and is refused as our mistake", async (args) => {
  await expect(through("ConsultationRequest", args)).rejects.toThrow("is encrypted");
});

test("whether there is a text at all can be asked", async () => {
  const { handed } = await through("ConsultationRequest", {
    where: { NOT: { message: null }, serviceNeeds: { not: null } },
  });
  expect(handed.where).toEqual({ NOT: { message: null }, serviceNeeds: { not: null } });
});

test("the same text is never encrypted the same way twice", () => {
  const one = encryptText("Leo", "family_notes.text");
  expect(isEncrypted(one)).toBe(true);
  expect(encryptText("Leo", "family_notes.text")).not.toBe(one);
});

test.each(["", "Leo", "Zoë 🧵\nname", "sealed:1:", "x".repeat(20_000)])("%j comes back as it was", (text) => {
  expect(decryptText(encryptText(text, "a.b"), "a.b")).toBe(text);
});

test.each([
  ["moved to another column", (stored: string) => stored, "family_notes.other"],
  ["altered at its end", (stored: string) => `${stored.slice(0, -2)}AA`, "family_notes.text"],
  ["cut short", (stored: string) => stored.slice(0, 40), "family_notes.text"],
  ["of a key that is not ours", (stored: string) => stored.replace(/:1:[\w-]+:/, ":1:lost:"), "family_notes.text"],
  ["empty", () => "sealed:1::", "family_notes.text"],
])("a value %s does not open; a sentence stands in its place", (_, change, place) => {
  expect(decryptText(change(encryptText("Leo has a long story", "family_notes.text")), place)).toBe(UNREADABLE);
});

test("the sentence is never written over the text that could not be opened", async () => {
  const one = await through("FamilyNote", { where: { id: 1 }, data: { text: UNREADABLE, userId: 2 } });
  expect(one.handed.data).toEqual({ userId: 2 });
  const two = await through("FamilyNote", { where: { id: 1 }, data: { text: "new words" } });
  expect(decryptText(two.handed.data.text, "family_notes.text")).toBe("new words");
});
