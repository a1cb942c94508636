import {
  decryptText,
  encryptText,
  isEncrypted,
  isUnreadable,
  UNREADABLE_PLACEHOLDER,
  UNREADABLE_SENTENCE,
} from "./text-encryption.server.ts";

type EncryptedTable = {
  table: string;
  key: readonly string[];
  /** The table's encrypted columns, each with the text that a reader gets when the value can't be decrypted. */
  columns: Readonly<Record<string, string>>;
};

const createTextColumns = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, UNREADABLE_PLACEHOLDER]));
const UNREADABLE_JSON_PLACEHOLDER = JSON.stringify({ unreadable: UNREADABLE_PLACEHOLDER });

/**
 * The encrypted columns by Prisma model. Every other column is plain; the reason for each is in
 * tests/db/encrypted-columns.unit.test.ts (docs/decisions/0015-texts-are-encrypted-in-the-database.md).
 */
export const ENCRYPTED_COLUMNS: Readonly<Record<string, EncryptedTable>> = {
  IntakeForm: {
    table: "intake_forms",
    key: ["id"],
    columns: {
      ...createTextColumns(
        "fullName",
        "phoneNumber",
        "emailAddress",
        "address",
        "childName",
        "childAge",
        "childBirthday",
      ),
      ...createTextColumns("diagnosis", "servicesCurrentlyReceiving", "schoolName", "gradeLevel", "otherConcerns"),
      ...createTextColumns("additionalNotes", "preferredDaysTimes", "howDidYouHear"),
      primaryConcerns: JSON.stringify([UNREADABLE_PLACEHOLDER]),
    },
  },
  IntakeFormVersion: { table: "intake_form_versions", key: ["id"], columns: { answers: UNREADABLE_JSON_PLACEHOLDER } },
  ConsultationRequest: {
    table: "consultation_requests",
    key: ["id"],
    columns: createTextColumns("serviceNeeds", "message"),
  },
  Appointment: {
    table: "appointments",
    key: ["id"],
    columns: createTextColumns("description", "notes", "meetingLink", "place", "cancelReason", "waiveReason"),
  },
  VisitAnswer: {
    table: "visit_answers",
    key: ["appointmentId"],
    columns: createTextColumns("important", "change", "pages"),
  },
  Document: { table: "documents", key: ["id"], columns: createTextColumns("description") },
  FamilyNote: { table: "family_notes", key: ["id"], columns: createTextColumns("text") },
  FollowUp: { table: "follow_ups", key: ["id"], columns: createTextColumns("text") },
  ComplianceCase: {
    table: "compliance_cases",
    key: ["id"],
    columns: createTextColumns("name", "phone", "text", "resolution"),
  },
  Consent: { table: "consents", key: ["id"], columns: createTextColumns("signedName", "details") },
  Draft: { table: "drafts", key: ["userId", "form"], columns: { answers: UNREADABLE_JSON_PLACEHOLDER } },
  SecondFactor: { table: "second_factors", key: ["userId"], columns: createTextColumns("secret") },
  Passkey: { table: "passkeys", key: ["id"], columns: createTextColumns("name") },
  Payment: {
    table: "payments",
    key: ["id"],
    columns: { booking: UNREADABLE_JSON_PLACEHOLDER, note: UNREADABLE_PLACEHOLDER },
  },
  Refund: { table: "refunds", key: ["id"], columns: createTextColumns("reason") },
  HoursOverride: { table: "day_hours", key: ["day"], columns: createTextColumns("note") },
  Message: {
    table: "messages",
    key: ["id"],
    columns: { ...createTextColumns("address", "secretPath", "calendar"), content: UNREADABLE_JSON_PLACEHOLDER },
  },
};

/** The model of each relation field. A relation field of one name has the same model in every table. */
export const RELATED_MODELS: Readonly<Record<string, string>> = {
  user: "User",
  uploadedBy: "User",
  sessions: "Session",
  passwordResets: "PasswordReset",
  secondFactor: "SecondFactor",
  recoveryCodes: "RecoveryCode",
  passkeys: "Passkey",
  drafts: "Draft",
  intakeForm: "IntakeForm",
  intakeFormVersions: "IntakeFormVersion",
  claim: "AppointmentClaim",
  invitations: "Invitation",
  consultationRequest: "ConsultationRequest",
  consultationRequests: "ConsultationRequest",
  appointment: "Appointment",
  appointments: "Appointment",
  documents: "Document",
  uploads: "Document",
  notes: "FamilyNote",
  visitNotes: "FamilyNote",
  visitAnswers: "VisitAnswer",
  followUps: "FollowUp",
  messages: "Message",
  mailOptOuts: "MailOptOut",
  termsAcceptances: "TermsAcceptance",
  emailConfirmations: "EmailConfirmation",
  emailChanges: "EmailChange",
  calendarFeed: "CalendarFeed",
  consents: "Consent",
  complianceCases: "ComplianceCase",
  hold: "Hold",
  holds: "Hold",
  holdUsage: "HoldUsage",
  offer: "WaitingListOffer",
  offers: "WaitingListOffer",
  entry: "WaitingListEntry",
  waitingListEntries: "WaitingListEntry",
  payment: "Payment",
  payments: "Payment",
  transitions: "PaymentTransition",
  refunds: "Refund",
};

const WRITE_ARGUMENTS = new Set(["create", "update", "upsert", "connectOrCreate", "createMany", "updateMany", "data"]);
const CONDITION_ARGUMENTS = new Set(["AND", "OR", "NOT", "is", "isNot", "some", "every", "none"]);

type Fields = Record<string, unknown>;
type Operation = { model: string; args: unknown; query: (args: never) => Promise<unknown> };

/**
 * Prisma client extension: encrypts the listed columns on write, nested writes included, and decrypts them in results,
 * so that callers see plain text. Throws when a condition or an order names an encrypted column.
 */
export const fieldEncryption = {
  query: {
    $allModels: {
      async $allOperations({ model, args, query }: Operation): Promise<unknown> {
        return decryptRowsInPlace(model, await query(encryptArguments(model, args) as never));
      },
    },
  },
};

/** Decrypts the encrypted columns of `rows` and of the relations nested in them, in place. Returns `rows`. */
export function decryptRowsInPlace<Rows>(model: string, rows: Rows): Rows {
  if (Array.isArray(rows)) for (const row of rows) decryptRowsInPlace(model, row);
  else if (isPlainObject(rows)) decryptRowInPlace(model, rows);
  return rows;
}

function decryptRowInPlace(model: string, row: Fields): void {
  const encrypted = ENCRYPTED_COLUMNS[model];
  for (const name in row) {
    const value = row[name];
    if (typeof value === "string") {
      const fallback = encrypted?.columns[name];
      if (encrypted && fallback !== undefined && isEncrypted(value))
        row[name] = decryptText(value, `${encrypted.table}.${name}`, fallback);
    } else if (typeof value === "object" && value !== null && RELATED_MODELS[name])
      decryptRowsInPlace(RELATED_MODELS[name], value);
  }
}

function encryptArguments(model: string, args: unknown): unknown {
  if (!isPlainObject(args)) return args;
  rejectEncryptedConditions(model, [args.where, args.orderBy, args.cursor]);
  const result = { ...args };
  for (const name of ["data", "create", "update"]) {
    if (name in result) result[name] = encryptData(model, result[name], name === "update" || "where" in args);
  }
  return result;
}

/**
 * Encrypts the data of a write. `isUpdate`: the row exists, so the fallback of an unreadable value must not overwrite
 * that value.
 */
function encryptData(model: string, data: unknown, isUpdate: boolean): unknown {
  if (Array.isArray(data)) return data.map((each) => encryptData(model, each, isUpdate));
  if (!isPlainObject(data)) return data;
  const encrypted = ENCRYPTED_COLUMNS[model];
  const result: Fields = {};
  for (const [name, value] of Object.entries(data)) {
    if (encrypted && name in encrypted.columns && typeof value === "string") {
      if (isUpdate && (isUnreadable(value) || value === UNREADABLE_SENTENCE)) continue;
      result[name] = encryptText(value, `${encrypted.table}.${name}`);
    } else if (encrypted && name in encrypted.columns && isPlainObject(value))
      throw unsupportedConditionError(encrypted.table, name);
    else if (WRITE_ARGUMENTS.has(name))
      result[name] = encryptData(model, value, name.startsWith("update") || "where" in data);
    else if (RELATED_MODELS[name] && isPlainObject(value))
      result[name] = encryptData(RELATED_MODELS[name], value, false);
    else result[name] = value;
  }
  return result;
}

function rejectEncryptedConditions(model: string, conditions: unknown): void {
  if (Array.isArray(conditions)) for (const each of conditions) rejectEncryptedConditions(model, each);
  if (!isPlainObject(conditions)) return;
  const encrypted = ENCRYPTED_COLUMNS[model];
  for (const [name, value] of Object.entries(conditions)) {
    if (encrypted && name in encrypted.columns && !isNullCheck(value))
      throw unsupportedConditionError(encrypted.table, name);
    if (CONDITION_ARGUMENTS.has(name)) rejectEncryptedConditions(model, value);
    else if (RELATED_MODELS[name]) rejectEncryptedConditions(RELATED_MODELS[name], value);
  }
}

function isNullCheck(condition: unknown): boolean {
  return condition === null || (isPlainObject(condition) && Object.values(condition).every((each) => each === null));
}

function unsupportedConditionError(table: string, column: string): Error {
  return new Error(`${table}.${column} is encrypted: the database can neither compare nor order it.`);
}

function isPlainObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
