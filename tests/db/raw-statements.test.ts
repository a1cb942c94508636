// Proves, with raw statements, that the database enforces every CHECK, unique index and trigger.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  createAppointment,
  createUser,
  db,
  isSqlite,
  SLOT_START,
  minutesAfterStart,
} from "../support/database/database-fixture.ts";

type Row = Record<string, string | number | null>;

const sql = (statement: string) => db.$executeRawUnsafe(statement);
const literal = (value: string | number | null) => (typeof value === "string" ? `'${value}'` : String(value));
/** A column of an instant, as each database stores it. */
const time = (instant: Date) => (isSqlite ? instant.getTime() : instant.toISOString());

function insert(table: string, row: Row) {
  const names = Object.keys(row).map((name) => `"${name}"`);
  return sql(`INSERT INTO "${table}" (${names.join()}) VALUES (${Object.values(row).map(literal).join()})`);
}

function update(table: string, changes: Row, id: number) {
  const assignments = Object.entries(changes).map(([name, value]) => `"${name}" = ${literal(value)}`);
  return sql(`UPDATE "${table}" SET ${assignments.join()} WHERE id = ${id}`);
}

const TRUE = isSqlite ? 1 : "true";
let keys = 0;
const nextKey = () => `key-${(keys += 1)}`;
const payment = (row: Row = {}): Row => ({
  method: "card",
  key: nextKey(),
  booking: "{}",
  amountCents: 7500,
  state: "paid",
  leaseEndsAt: time(SLOT_START),
  ...row,
});
const refund = (row: Row = {}): Row => ({
  key: nextKey(),
  amountCents: 100,
  reason: "-",
  state: "done",
  leaseEndsAt: time(SLOT_START),
  paymentId,
  ...row,
});
const hold = (row: Row = {}): Row => ({
  userId,
  paymentId,
  appointmentDate: time(SLOT_START),
  duration: 60,
  expiresAt: time(SLOT_START),
  ...row,
});
const appointment = (row: Row = {}): Row => ({
  title: "Visit",
  type: "consultation",
  appointmentDate: time(SLOT_START),
  duration: 60,
  ...row,
});
const message = (row: Row): Row => ({
  event: "receipt",
  address: "a@b",
  content: "{}",
  nextAttemptAt: time(SLOT_START),
  ...row,
});
const invitation = (row: Row): Row => ({
  email: nextKey(),
  firstName: "A",
  lastName: "B",
  tokenHash: nextKey(),
  isMailed: TRUE,
  expiresAt: time(SLOT_START),
  ...row,
});
/** Far from those that the database counts. */
const ENTRY_ID = 90_000;
const OFFER_ID = 90_000;
const offerTimes = (expiresAt: Date): Row => ({
  appointmentDate: time(SLOT_START),
  duration: 60,
  expiresAt: time(expiresAt),
});
const settings = (row: Row): Row => ({ id: 1, ...row });
/** The first account of the template. */
const ADMINISTRATOR_ID = 1;
const complianceCase = (row: Row = {}): Row => ({
  kind: "privacy",
  text: "-",
  receivedDay: "2027-03-01",
  dueDay: "2027-03-31",
  ...row,
});
const consent = (row: Row = {}): Row => ({
  userId,
  document: "recording",
  version: "2027-03-01",
  signedName: "-",
  signedAt: time(SLOT_START),
  ...row,
});
const dayHours = (row: Row): Row => ({ day: "2027-03-01", opens: null, closes: null, ...row });
const auditHead = (row: Row): Row => ({
  firstSequence: 1,
  baseHash: "",
  lastSequence: 0,
  lastHash: "",
  signature: "-",
  ...row,
});
const presence = (row: Row): Row => ({ id: nextKey(), appointmentId: 1, role: "client", process: "p", ...row });

let userId = 0;
let paymentId = 0;

async function createPayment(row: Row = {}): Promise<number> {
  const { key, ...rest } = payment(row);
  await insert("payments", { key, ...rest } as Row);
  return (await db.payment.findUniqueOrThrow({ where: { key: String(key) } })).id;
}

async function createHold(row: Row = {}): Promise<number> {
  const ofPayment = await createPayment();
  await insert("holds", hold({ paymentId: ofPayment, ...row }));
  return (await db.hold.findUniqueOrThrow({ where: { paymentId: ofPayment } })).id;
}

beforeEach(async () => {
  userId = (await createUser()).id;
  paymentId = await createPayment();
  await insert("waiting_list", { id: ENTRY_ID, userId, day: "2027-03-01", duration: 60 });
  const earlier = { ...offerTimes(SLOT_START), appointmentDate: time(minutesAfterStart(-60)) };
  await insert("waiting_list_offers", { id: OFFER_ID, entryId: ENTRY_ID, ...earlier });
});

afterEach(async () => {
  for (const table of [
    "holds",
    "waiting_list",
    "day_hours",
    "call_presences",
    "appointment_claims",
    "invitations",
    "messages",
    "calendar_feeds",
    "email_changes",
    "practice_settings",
    "erased_accounts",
    "consents",
  ])
    await sql(`DELETE FROM ${table}`);
});

/** Each CHECK with the values just outside of it. */
const CHECKS: [rule: string, table: string, row: () => Row][] = [
  ["users_email_lowercase", "users", () => ({ email: "A@b", password: "-", firstName: "A", lastName: "B" })],
  ["users_comfort_known", "users", () => ({ email: "a", password: "-", firstName: "A", lastName: "B", comfort: "x" })],
  ["drafts_form_known", "drafts", () => ({ userId, form: "other", answers: "{}" })],
  [
    "consultation_requests_status_known",
    "consultation_requests",
    () => ({
      firstName: "A",
      lastName: "B",
      email: "a",
      serviceNeeds: "-",
      urgency: "routine",
      consent: TRUE,
      status: "open",
    }),
  ],
  ["appointments_whole_minutes", "appointments", () => appointment({ appointmentDate: time(new Date(1_000)) })],
  ["appointments_duration_range", "appointments", () => appointment({ duration: 14 })],
  ["appointments_duration_range", "appointments", () => appointment({ duration: 241 })],
  ["appointments_type_known", "appointments", () => appointment({ type: "chat" })],
  ["appointments_status_known", "appointments", () => appointment({ status: "gone" })],
  ["appointments_paymentMethod_known", "appointments", () => appointment({ paymentMethod: "card" })],
  ["appointments_paymentStatus_known", "appointments", () => appointment({ paymentStatus: "PAID" })],
  ["appointments_cancelledBy_known", "appointments", () => appointment({ cancelledBy: "somebody" })],
  ["holds_whole_minutes", "holds", () => hold({ appointmentDate: time(new Date(1_000)) })],
  ["holds_duration_range", "holds", () => hold({ duration: 14 })],
  ["holds_duration_range", "holds", () => hold({ duration: 241 })],
  ["payments_method_known", "payments", () => payment({ method: "coins" })],
  ["payments_state_known", "payments", () => payment({ state: "gone" })],
  ["payments_amount", "payments", () => payment({ amountCents: 0 })],
  ["payments_amount", "payments", () => payment({ refundedCents: -1 })],
  ["payments_amount", "payments", () => payment({ refundedCents: 7501 })],
  ["refunds_state_known", "refunds", () => refund({ state: "gone" })],
  ["refunds_amount", "refunds", () => refund({ amountCents: 0 })],
  ["follow_ups_a_day", "follow_ups", () => ({ userId, text: "-", dueDay: "2027-3-01" })],
  ["compliance_cases_kind_known", "compliance_cases", () => complianceCase({ kind: "other" })],
  ["compliance_cases_outcome_known", "compliance_cases", () => complianceCase({ outcome: "other" })],
  ["compliance_cases_days", "compliance_cases", () => complianceCase({ receivedDay: "2027-3-01" })],
  ["compliance_cases_days", "compliance_cases", () => complianceCase({ dueDay: "soon" })],
  ["consents_version_a_day", "consents", () => consent({ version: "2027-3-01" })],
  [
    "terms_acceptances_version_a_day",
    "terms_acceptances",
    () => ({ userId, version: "2027-3-01", acceptedAt: time(SLOT_START) }),
  ],
  ["waiting_list_a_day", "waiting_list", () => ({ userId, duration: 60, day: "2027-3-01" })],
  ["day_hours_a_day", "day_hours", () => dayHours({ day: "2027-3-01" })],
  ["practice_settings_one_row", "practice_settings", () => settings({ id: 2 })],
  ["practice_settings_pause", "practice_settings", () => settings({ pauseMinutes: -1 })],
  ["practice_settings_pause", "practice_settings", () => settings({ pauseMinutes: 121 })],
  ["practice_settings_notice", "practice_settings", () => settings({ noticeMinutes: -1 })],
  ["practice_settings_notice", "practice_settings", () => settings({ noticeMinutes: 20_161 })],
  ["day_hours_span", "day_hours", () => dayHours({ opens: 0 })],
  ["day_hours_span", "day_hours", () => dayHours({ closes: 1440 })],
  ["day_hours_span", "day_hours", () => dayHours({ opens: 600, closes: 600 })],
  ["day_hours_span", "day_hours", () => dayHours({ opens: -1, closes: 600 })],
  ["day_hours_span", "day_hours", () => dayHours({ opens: 600, closes: 1441 })],
  ["audit_heads_one", "audit_heads", () => auditHead({ id: 2 })],
];
/** SQLite has one process, and no other that writes a role; it gives those CHECKs without a name none. */
if (!isSqlite)
  CHECKS.push(
    ["call_presences_role", "call_presences", () => presence({ role: "guest" })],
    ["messages_state_check", "messages", () => message({ key: nextKey(), state: "lost" })],
    ["mail_opt_outs_topic_check", "mail_opt_outs", () => ({ userId, topic: "weather" })],
  );

/** Values at the very edge of those rules. */
const ALLOWED: [table: string, row: () => Row][] = [
  ["holds", () => hold({ duration: 15 })],
  ["holds", () => hold({ duration: 240 })],
  ["payments", () => payment({ amountCents: 1, refundedCents: 1 })],
  ["refunds", () => refund({ amountCents: 1 })],
  ["practice_settings", () => settings({ pauseMinutes: 120, noticeMinutes: 20_160 })],
  ["day_hours", () => dayHours({})],
  ["day_hours", () => dayHours({ opens: 0, closes: 1440 })],
  ["day_hours", () => dayHours({ opens: 600, closes: 601 })],
];

/** Each unique index with a row that may be there once; a second row differs in everything else. */
const UNIQUE: [rule: string, column: string, table: string, row: (n: number) => Row][] = [
  ["users_email_key", "email", "users", (n) => ({ email: "a@b", password: "-", firstName: `A${n}`, lastName: "B" })],
  ["holds_paymentId_key", "paymentId", "holds", (n) => hold({ appointmentDate: time(minutesAfterStart(n * 60)) })],
  [
    "holds_chosenByUserId_key",
    "chosenByUserId",
    "holds",
    (n) => hold({ paymentId: null, chosenByUserId: userId, appointmentDate: time(minutesAfterStart(n * 60)) }),
  ],
  ["payments_key_key", "key", "payments", () => payment({ key: "the same" })],
  ["payments_providerPaymentId_key", "providerPaymentId", "payments", () => payment({ providerPaymentId: "p" })],
  ["payments_orderId_key", "orderId", "payments", () => payment({ orderId: "o" })],
  ["payments_userId_callerKey_key", "callerKey", "payments", () => payment({ userId, callerKey: "c" })],
  [
    "holds_offerId_key",
    "offerId",
    "holds",
    (n) => hold({ paymentId: null, offerId: OFFER_ID, appointmentDate: time(minutesAfterStart(n * 60)) }),
  ],
  ["waiting_list_userId_day_key", "userId", "waiting_list", (n) => ({ userId, day: "2027-03-02", duration: 60 + n })],
  [
    "waiting_list_offers_entryId_appointmentDate_key",
    "entryId",
    "waiting_list_offers",
    (n) => ({ entryId: ENTRY_ID, ...offerTimes(minutesAfterStart(n)) }),
  ],
  ["invitations_email_key", "email", "invitations", () => invitation({ email: "a@b" })],
  ["invitations_tokenHash_key", "tokenHash", "invitations", () => invitation({ tokenHash: "t" })],
  ["messages_key_key", "key", "messages", () => message({ key: "the same" })],
  [
    "calendar_feeds_secretHash_key",
    "secretHash",
    "calendar_feeds",
    (n) => ({ userId: n % 2 ? userId : ADMINISTRATOR_ID, secretHash: "s" }),
  ],
  [
    "email_changes_undoTokenHash_key",
    "undoTokenHash",
    "email_changes",
    (n) => ({ userId, oldEmail: `a${n}@b`, undoTokenHash: "t", undoUntil: time(SLOT_START) }),
  ],
  [
    "erased_accounts_accountId_accountCreatedAt_key",
    "accountId",
    "erased_accounts",
    (n) => ({ accountId: 7, accountCreatedAt: time(SLOT_START), erasedAt: time(minutesAfterStart(n)) }),
  ],
  ["consents_userId_document_key", "document", "consents", (n) => consent({ version: `2027-03-0${n}` })],
  [
    "passkeys_credentialId_key",
    "credentialId",
    "passkeys",
    (n) => ({ userId, name: `Phone ${n}`, credentialId: "c", publicKey: `k${n}` }),
  ],
  [
    "payment_scripts_url_previousId_key",
    "url",
    "payment_scripts",
    (n) => ({
      url: "u",
      sha256: `${n}`,
      previousId: 0,
      firstSeenAt: time(minutesAfterStart(n)),
      lastSeenAt: time(minutesAfterStart(n)),
    }),
  ],
  ["refunds_key_key", "key", "refunds", () => refund({ key: "the same" })],
  ["refunds_providerRefundId_key", "providerRefundId", "refunds", () => refund({ providerRefundId: "r" })],
  ["call_presences_seat_key", "seat", "call_presences", () => presence({ seat: "1 client" })],
];
/** Their tables have more columns than a row here; constraints.test.ts and claims.test.ts try them. */
const COVERED_ELSEWHERE = [
  "intake_forms_userId_key",
  "appointments_consultationRequestId_key",
  "appointment_claims_tokenHash_key",
];

describe("CHECK constraints", () => {
  test.each(CHECKS)("reject an invalid value: %s", async (rule, table, row) => {
    await expect(insert(table, row())).rejects.toThrow(rule);
  });

  test.each(ALLOWED)("accept a value at their limit in %s", async (table, row) => {
    expect(await insert(table, row())).toBe(1);
  });
});

describe("unique indexes", () => {
  test.each(UNIQUE)("reject a second row: %s", async (_, column, table, row) => {
    await insert(table, row(1));
    await expect(insert(table, row(2))).rejects.toThrow(new RegExp(`unique.*${column}`, "is"));
    await sql(`UPDATE payments SET "userId" = NULL`);
  });
});

describe("overlapping times", () => {
  const taken = /no_overlap/;
  const LAST_MINUTE = { appointmentDate: time(minutesAfterStart(59)) };
  const TOUCHING = { appointmentDate: time(minutesAfterStart(60)) };

  test("an appointment or a hold can't be inserted over a hold; adjacent times are allowed", async () => {
    await createHold();
    await expect(insert("appointments", appointment(LAST_MINUTE))).rejects.toThrow(taken);
    await expect(createHold(LAST_MINUTE)).rejects.toThrow(taken);
    await insert("appointments", appointment({ ...LAST_MINUTE, status: "cancelled" }));
    await insert("appointments", appointment(TOUCHING));
    await createHold({ appointmentDate: time(minutesAfterStart(-60)) });
  });

  test("a hold can't be inserted over an appointment; adjacent times are allowed", async () => {
    await createAppointment(SLOT_START);
    await expect(createHold(LAST_MINUTE)).rejects.toThrow(taken);
    await createHold(TOUCHING);
    expect(await db.hold.count()).toBe(1);
  });

  test("an appointment can't be moved, extended or un-canceled onto a hold", async () => {
    await createHold();
    const { id } = await createAppointment(minutesAfterStart(-60));
    for (const change of [LAST_MINUTE, { duration: 61 }])
      await expect(update("appointments", change, id)).rejects.toThrow(taken);
    const canceled = await createAppointment(SLOT_START, 60, { status: "cancelled" });
    await expect(update("appointments", { status: "scheduled" }, canceled.id)).rejects.toThrow(taken);
    await update("appointments", TOUCHING, id);
  });

  test.each([
    ["an appointment", () => createAppointment(SLOT_START)],
    ["another hold", () => createHold()],
  ])("a hold can't be moved or extended onto %s", async (_, take) => {
    await take();
    const id = await createHold({ appointmentDate: time(minutesAfterStart(-60)) });
    for (const change of [LAST_MINUTE, { duration: 61 }])
      await expect(update("holds", change, id)).rejects.toThrow(taken);
    await update("holds", TOUCHING, id);
    await update("holds", { duration: 61 }, id);
  });
});

describe("payment records", () => {
  const stays = /_stay/;

  test.each(["payments", "payment_steps", "refunds"])("can't be deleted from %s", async (table) => {
    await insert("payment_steps", { paymentId, state: "paid", at: time(SLOT_START) });
    await insert("refunds", refund());
    await expect(sql(`DELETE FROM ${table}`)).rejects.toThrow(stays);
  });

  test("keep their key and amount; the refunded amount and legal state changes can be stored", async () => {
    const change = { key: "another", amountCents: 7501 };
    for (const [name, value] of Object.entries(change))
      await expect(update("payments", { [name]: value }, paymentId)).rejects.toThrow(stays);
    await update("payments", { amountCents: 7500, refundedCents: 7500, state: "paid" }, paymentId);
    await expect(update("payments", { state: "voided" }, paymentId)).rejects.toThrow(/payments_transition/);
    await insert("refunds", refund({ key: "refund to change" }));
    const { id } = await db.refund.findUniqueOrThrow({ where: { key: "refund to change" } });
    for (const [name, value] of Object.entries({ ...change, amountCents: 101 }))
      await expect(update("refunds", { [name]: value }, id)).rejects.toThrow(stays);
    await update("refunds", { state: "failed" }, id);
  });

  test.each<Row>([{ state: "voided" }, { at: time(minutesAfterStart(1)) }])(
    "keep each transition unchanged: %j",
    async (change) => {
      await insert("payment_steps", { paymentId, state: "paid", at: time(SLOT_START) });
      const { id } = await db.paymentTransition.findFirstOrThrow({ where: { paymentId } });
      await expect(update("payment_steps", change, id)).rejects.toThrow(stays);
    },
  );
});

test("every CHECK and unique index of the database is covered here", async () => {
  const tried = [...CHECKS, ...UNIQUE].map(([rule]) => rule);
  expect((await rulesOfDatabase()).filter((rule) => ![...tried, ...COVERED_ELSEWHERE].includes(rule))).toEqual([]);
});

/** The names of all CHECKs and unique indexes, as the migrated database lists them. */
async function rulesOfDatabase(): Promise<string[]> {
  if (!isSqlite) {
    const rows = await db.$queryRaw<{ name: string }[]>`
      SELECT conname::text AS name FROM pg_constraint WHERE contype = 'c' AND connamespace = 'public'::regnamespace
      UNION SELECT indexname::text FROM pg_indexes
      WHERE schemaname = 'public' AND indexdef LIKE 'CREATE UNIQUE%' AND indexname NOT LIKE '%_pkey'`;
    return rows.map(({ name }) => name);
  }
  const rows = await db.$queryRaw<{ name: string; sql: string | null }[]>`SELECT name, sql FROM sqlite_master`;
  const checks = rows.flatMap(({ sql: text }) => [...(text ?? "").matchAll(/CONSTRAINT "(\w+)" CHECK/g)]);
  const indexes = rows.filter(({ sql: text }) => text?.startsWith("CREATE UNIQUE"));
  expect(checks.length + indexes.length).toBeGreaterThan(20);
  return [...checks.map(([, name = ""]) => name), ...indexes.map(({ name }) => name)];
}
