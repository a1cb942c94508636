import { isSealed, openText, sealText, UNREADABLE } from "./field-encryption.server.ts";

type Table = {
  table: string;
  key: readonly string[];
  /** Its sealed columns, each with what is read in its place where it can't be opened. */
  columns: Readonly<Record<string, string>>;
};

const texts = (...names: string[]) => Object.fromEntries(names.map((name) => [name, UNREADABLE]));
const UNREADABLE_JSON = JSON.stringify({ unreadable: UNREADABLE });

/**
 * The columns whose text stands encrypted in the database, by Prisma's model. Everything else is plain, for reasons that
 * tests/db/sealed-columns.unit.test.ts holds column by column (docs/decisions/0015-texts-are-sealed-in-the-database.md).
 */
export const SEALED_TABLES: Readonly<Record<string, Table>> = {
  IntakeForm: {
    table: "intake_forms",
    key: ["id"],
    columns: {
      ...texts("fullName", "phoneNumber", "emailAddress", "address", "childName", "childAge", "childBirthday"),
      ...texts("diagnosis", "servicesCurrentlyReceiving", "schoolName", "gradeLevel", "otherConcerns"),
      ...texts("additionalNotes", "preferredDaysTimes", "howDidYouHear"),
      primaryConcerns: JSON.stringify([UNREADABLE]),
    },
  },
  ConsultationRequest: { table: "consultation_requests", key: ["id"], columns: texts("serviceNeeds", "message") },
  Appointment: { table: "appointments", key: ["id"], columns: texts("description", "notes", "meetingLink") },
  Document: { table: "documents", key: ["id"], columns: texts("description") },
  FamilyNote: { table: "family_notes", key: ["id"], columns: texts("text") },
  Draft: { table: "drafts", key: ["userId", "form"], columns: { answers: UNREADABLE_JSON } },
  Payment: { table: "payments", key: ["id"], columns: { booking: UNREADABLE_JSON, note: UNREADABLE } },
  Refund: { table: "refunds", key: ["id"], columns: texts("reason") },
  DayHours: { table: "day_hours", key: ["day"], columns: texts("note") },
};

/** The model that a relation's field leads to; no two relations of the same name lead elsewhere. */
export const RELATED: Readonly<Record<string, string>> = {
  user: "User",
  uploadedBy: "User",
  sessions: "Session",
  passwordResets: "PasswordReset",
  drafts: "Draft",
  intakeForm: "IntakeForm",
  claim: "AppointmentClaim",
  consultationRequest: "ConsultationRequest",
  consultationRequests: "ConsultationRequest",
  appointment: "Appointment",
  appointments: "Appointment",
  documents: "Document",
  uploads: "Document",
  notes: "FamilyNote",
  hold: "Hold",
  holds: "Hold",
  payment: "Payment",
  payments: "Payment",
  steps: "PaymentStep",
  refunds: "Refund",
};

const WRITES = new Set(["create", "update", "upsert", "connectOrCreate", "createMany", "updateMany", "data"]);
const CONDITIONS = new Set(["AND", "OR", "NOT", "is", "isNot", "some", "every", "none"]);

type Fields = Record<string, unknown>;
type Call = { model: string; args: unknown; query: (args: never) => Promise<unknown> };

/**
 * For Prisma's `$extends`: seals what is written, nested writes included, and opens what is read, so that nobody who
 * asks the client needs to know. A condition or an order on a sealed column is an error of the program.
 */
export const sealing = {
  query: {
    $allModels: {
      async $allOperations({ model, args, query }: Call): Promise<unknown> {
        return openRows(model, await query(sealedArguments(model, args) as never));
      },
    },
  },
};

/** Opens the sealed columns of rows of `model`, and of what stands nested in them, where they are. */
export function openRows<Rows>(model: string, rows: Rows): Rows {
  if (Array.isArray(rows)) for (const row of rows) openRows(model, row);
  else if (isFields(rows)) openRow(model, rows);
  return rows;
}

function openRow(model: string, row: Fields): void {
  const sealed = SEALED_TABLES[model];
  for (const name in row) {
    const value = row[name];
    if (typeof value === "string") {
      const instead = sealed?.columns[name];
      if (sealed && instead !== undefined && isSealed(value))
        row[name] = openText(value, `${sealed.table}.${name}`, instead);
    } else if (typeof value === "object" && value !== null && RELATED[name]) openRows(RELATED[name], value);
  }
}

function sealedArguments(model: string, args: unknown): unknown {
  if (!isFields(args)) return args;
  refuseConditions(model, [args.where, args.orderBy, args.cursor]);
  const result = { ...args };
  for (const name of ["data", "create", "update"]) {
    if (name in result) result[name] = sealData(model, result[name], name === "update" || "where" in args);
  }
  return result;
}

/** `isChange`: the row is there already, and a text that could not be opened stays as it is rather than be lost. */
function sealData(model: string, data: unknown, isChange: boolean): unknown {
  if (Array.isArray(data)) return data.map((each) => sealData(model, each, isChange));
  if (!isFields(data)) return data;
  const result: Fields = {};
  for (const [name, value] of Object.entries(data)) {
    const sealed = SEALED_TABLES[model];
    if (sealed && name in sealed.columns && typeof value === "string") {
      if (isChange && value === sealed.columns[name]) continue;
      result[name] = sealText(value, `${sealed.table}.${name}`);
    } else if (sealed && name in sealed.columns && isFields(value)) throw misuse(sealed.table, name);
    else if (WRITES.has(name)) result[name] = sealData(model, value, name.startsWith("update") || "where" in data);
    else if (RELATED[name] && isFields(value)) result[name] = sealData(RELATED[name], value, false);
    else result[name] = value;
  }
  return result;
}

function refuseConditions(model: string, conditions: unknown): void {
  if (Array.isArray(conditions)) for (const each of conditions) refuseConditions(model, each);
  if (!isFields(conditions)) return;
  for (const [name, value] of Object.entries(conditions)) {
    const sealed = SEALED_TABLES[model];
    if (sealed && name in sealed.columns && !asksForNull(value)) throw misuse(sealed.table, name);
    if (CONDITIONS.has(name)) refuseConditions(model, value);
    else if (RELATED[name]) refuseConditions(RELATED[name], value);
  }
}

function asksForNull(condition: unknown): boolean {
  return condition === null || (isFields(condition) && Object.values(condition).every((each) => each === null));
}

function misuse(table: string, column: string): Error {
  return new Error(`${table}.${column} is sealed: the database can neither compare nor order it.`);
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
