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
const KNOWN_VALUES = "one of a few known words, which the database itself checks or compares";
const GENERATED = "made by the program, and says nothing of anybody";

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
  "User.displayPreferences": KNOWN_VALUES,
  "Session.sid": GENERATED,
  "Session.sess": "times; a message that waits in it is encrypted by itself, and a form under its browser's own key",
  "PasswordReset.tokenHash": "a hash",
  "RecoveryCode.codeHash": "a hash",
  "Passkey.credentialId": "a random number of the device's; a sign-in finds its row by it",
  "Passkey.publicKey": "a public key",
  "Passkey.transports": KNOWN_VALUES,
  "UsedPasskeyChallenge.hash": "a hash",
  "ComplianceCase.kind": KNOWN_VALUES,
  "ComplianceCase.outcome": KNOWN_VALUES,
  "ComplianceCase.email": "erasing a family finds what it sent without an account",
  "ComplianceCase.receivedDay": "a day",
  "ComplianceCase.dueDay": "a day",
  "Consent.document": KNOWN_VALUES,
  "Consent.version": "a date of ours, the same for everybody",
  "Draft.form": KNOWN_VALUES,
  "IntakeForm.preferredContactMethod": KNOWN_VALUES,
  "IntakeForm.iepStatus": KNOWN_VALUES,
  "ConsultationRequest.firstName": ADDRESS,
  "ConsultationRequest.lastName": ADDRESS,
  "ConsultationRequest.email": ADDRESS,
  "ConsultationRequest.phone": ADDRESS,
  "ConsultationRequest.urgency": KNOWN_VALUES,
  "ConsultationRequest.status": KNOWN_VALUES,
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
  "Appointment.type": KNOWN_VALUES,
  "Appointment.status": KNOWN_VALUES,
  "Appointment.urgency": KNOWN_VALUES,
  "Appointment.paymentMethod": KNOWN_VALUES,
  "Appointment.cancelledBy": KNOWN_VALUES,
  "Appointment.paymentStatus": KNOWN_VALUES,
  "Appointment.paymentId": "the provider's number",
  "Appointment.network": "a keyed hash",
  "Appointment.wideNetwork": "a keyed hash",
  "Hold.network": "a keyed hash",
  "Hold.type": "one of three words, as of an appointment",
  "Hold.wideNetwork": "a keyed hash",
  "WaitingListEntry.network": "a keyed hash",
  "WaitingListEntry.wideNetwork": "a keyed hash",
  "Document.fileName": "lists are ordered and found by it",
  "Document.fileType": KNOWN_VALUES,
  "Document.filePath": GENERATED,
  "Document.sha256": "a hash",
  "Document.wrappedDataKey": "wrapped by FILE_KEYS itself",
  "Document.keyId": GENERATED,
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
  "Payment.method": KNOWN_VALUES,
  "Payment.provider": KNOWN_VALUES,
  "Payment.key": GENERATED,
  "Payment.idempotencyKey": "made by the caller's program",
  "Payment.requestHash": "a keyed hash",
  "Payment.state": KNOWN_VALUES,
  "Payment.providerPaymentId": "the provider's number",
  "Payment.checkoutId": "the provider's number",
  "Payment.checkoutUrl": "the provider's page, which knows of no family",
  "Payment.orderId": "the provider's number",
  "Payment.mismatch": "amounts and numbers of the provider",
  "Payment.refusal": "a sentence of ours about a card",
  "PaymentTransition.state": KNOWN_VALUES,
  "Refund.key": GENERATED,
  "Refund.state": KNOWN_VALUES,
  "Refund.providerRefundId": "the provider's number",
  "Message.key": "event, ids and times",
  "Message.name": "made at random",
  "Message.event": KNOWN_VALUES,
  "Message.state": KNOWN_VALUES,
  "Message.failure": "a status code of the mail server",
  "MailOptOut.topic": KNOWN_VALUES,
  "PaymentScript.url": "the card provider's public address",
  "PaymentScript.sha256": "a hash",
  "MessageWording.name": KNOWN_VALUES,
  "MessageWording.subject": "the practice's own words, mailed to every family",
  "MessageWording.body": "the practice's own words, mailed to every family",
  "EmailConfirmation.tokenHash": "a hash",
  "EmailConfirmation.email": ADDRESS,
  "EmailChange.oldEmail": ADDRESS,
  "EmailChange.undoTokenHash": "a hash",
  "CalendarFeed.secretHash": "a hash",
  "AuditEntry.action": KNOWN_VALUES,
  "AuditEntry.objectType": KNOWN_VALUES,
  "AuditEntry.network": "a keyed hash",
  "AuditEntry.hash": "a hash",
  "AuditHead.baseHash": "a hash",
  "AuditHead.lastHash": "a hash",
  "AuditHead.signature": "a keyed hash",
  "CallPresence.id": GENERATED,
  "CallPresence.role": KNOWN_VALUES,
  "CallPresence.tabId": GENERATED,
  "CallPresence.seat": GENERATED,
  "CallPresence.processId": GENERATED,
  "RateLimit.key": "a limit's name and a keyed hash",
  "CallSignal.processId": GENERATED,
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

test("every text column of every table is encrypted, or listed here with the reason why it is not", () => {
  const columns = models.flatMap(({ name, fields }) =>
    fields.filter(({ type }) => type === "String").map((field) => `${name}.${field.name}`),
  );
  const encrypted = Object.entries(ENCRYPTED_COLUMNS).flatMap(([model, table]) =>
    Object.keys(table.columns).map((column) => `${model}.${column}`),
  );
  expect(columns.length).toBeGreaterThan(60);
  expect([...encrypted, ...Object.keys(PLAIN)].toSorted()).toEqual(columns.toSorted());
});

test("the encrypted tables have the table and key names of the schema", () => {
  for (const [model, { table, key }] of Object.entries(ENCRYPTED_COLUMNS)) {
    const known = models.find(({ name }) => name === model);
    expect(known?.table).toBe(table);
    expect(known?.fields.map(({ name }) => name)).toEqual(expect.arrayContaining([...key]));
  }
});

test("RELATED_MODELS lists every relation of the schema", () => {
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

test("nested writes are encrypted for every kind of write", async () => {
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

test("nested rows are decrypted, and values that were not encrypted are returned unchanged", async () => {
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
])("%j filters, sorts or sets by an encrypted column and throws an error", async (args) => {
  await expect(through("ConsultationRequest", args)).rejects.toThrow("is encrypted");
});

test("a filter for null on an encrypted column is allowed", async () => {
  const { handed } = await through("ConsultationRequest", {
    where: { NOT: { message: null }, serviceNeeds: { not: null } },
  });
  expect(handed.where).toEqual({ NOT: { message: null }, serviceNeeds: { not: null } });
});

test("encrypting the same text twice gives two different values", () => {
  const one = encryptText("Leo", "family_notes.text");
  expect(isEncrypted(one)).toBe(true);
  expect(encryptText("Leo", "family_notes.text")).not.toBe(one);
});

test.each(["", "Leo", "Zoë 🧵\nname", "sealed:1:", "x".repeat(20_000)])(
  "%j is unchanged after encryption and decryption",
  (text) => {
    expect(decryptText(encryptText(text, "a.b"), "a.b")).toBe(text);
  },
);

test.each([
  ["that was moved to another column", (stored: string) => stored, "family_notes.other"],
  ["that was altered at its end", (stored: string) => `${stored.slice(0, -2)}AA`, "family_notes.text"],
  ["that was truncated", (stored: string) => stored.slice(0, 40), "family_notes.text"],
  ["with an unknown key", (stored: string) => stored.replace(/:1:[\w-]+:/, ":1:lost:"), "family_notes.text"],
  ["without content", () => "sealed:1::", "family_notes.text"],
])("an encrypted value %s is read as the placeholder text", (_, change, place) => {
  expect(decryptText(change(encryptText("Leo has a long story", "family_notes.text")), place)).toBe(UNREADABLE);
});

test("the placeholder text is never written over a text that could not be decrypted", async () => {
  const one = await through("FamilyNote", { where: { id: 1 }, data: { text: UNREADABLE, userId: 2 } });
  expect(one.handed.data).toEqual({ userId: 2 });
  const two = await through("FamilyNote", { where: { id: 1 }, data: { text: "new words" } });
  expect(decryptText(two.handed.data.text, "family_notes.text")).toBe("new words");
});
