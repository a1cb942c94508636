// What a family's copy of everything and its erasure do with each table.
import { readFileSync } from "node:fs";
import path from "node:path";

export const WITH_ACCOUNT = "deleted with the account";
const NOT_OF_A_FAMILY = "is about no family";
const LIVES_FOR_SECONDS = "lives for seconds";
const HASHES_OF_A_DAY = "keyed hashes, which live for a day";
const SECRET = "a secret, which opens something";

/** By model: whether a family's copy of everything has it, and what becomes of it when the family is erased. */
export const DECIDED: Record<string, [inExport: string, erasure: string]> = {
  User: ["account", "deleted"],
  ErasedAccount: [NOT_OF_A_FAMILY, "stays: a number and times, for a restored backup"],
  TermsAcceptance: ["account: versions and times", WITH_ACCOUNT],
  Session: ["devices, without their ids", WITH_ACCOUNT],
  PasswordReset: [SECRET, WITH_ACCOUNT],
  SecondFactor: ["account: since when", WITH_ACCOUNT],
  RecoveryCode: ["account: how many are left", WITH_ACCOUNT],
  Passkey: ["account: names and times", WITH_ACCOUNT],
  UsedPasskeyChallenge: [NOT_OF_A_FAMILY, "lives for minutes"],
  Draft: ["unsentForms", WITH_ACCOUNT],
  IntakeForm: ["intakeForm", "deleted"],
  IntakeFormVersion: ["earlierIntakeForms", "deleted"],
  ConsultationRequest: ["consultationRequests", "deleted"],
  Appointment: ["appointments", "deleted"],
  AppointmentClaim: [SECRET, "deleted with its appointment"],
  VisitAnswer: ["appointments", "deleted with its appointment"],
  Invitation: [
    "invitations, to an address that is confirmed",
    "ends with the account that it makes; else deleted with its address, confirmed or not",
  ],
  Document: ["documents", "deleted, its file first"],
  PracticeSettings: [NOT_OF_A_FAMILY, NOT_OF_A_FAMILY],
  HoursOverride: [NOT_OF_A_FAMILY, NOT_OF_A_FAMILY],
  FamilyNote: ["the consultant's copy", "deleted"],
  FollowUp: ["followUps: the shared ones; all in the consultant's copy", WITH_ACCOUNT],
  HoldUsage: ["minutes held within a day, for a limit", WITH_ACCOUNT],
  Hold: ["ends within the hour", "deleted"],
  WaitingListEntry: ["waitingList", WITH_ACCOUNT],
  WaitingListOffer: ["waitingList", "deleted with its place on the list"],
  Payment: ["payments", "stays without the family: number, amount, dates, method, service"],
  PaymentTransition: ["payments: the present state", "stays: states and times"],
  Refund: ["payments", "stays without its reason"],
  CallPresence: [LIVES_FOR_SECONDS, LIVES_FOR_SECONDS],
  CallSignal: [LIVES_FOR_SECONDS, LIVES_FOR_SECONDS],
  RateLimit: [HASHES_OF_A_DAY, HASHES_OF_A_DAY],
  Message: ["messages", "deleted"],
  MailOptOut: ["account", WITH_ACCOUNT],
  PaymentScript: [NOT_OF_A_FAMILY, NOT_OF_A_FAMILY],
  MessageWording: [NOT_OF_A_FAMILY, NOT_OF_A_FAMILY],
  EmailConfirmation: ["account: the address that is to be confirmed", WITH_ACCOUNT],
  EmailChange: ["account: the address of before", WITH_ACCOUNT],
  ComplianceCase: ["legalRequests; incidents in the consultant's copy", "stays without words: kind, days, outcome"],
  Consent: ["agreements", WITH_ACCOUNT],
  CalendarFeed: ["account: since when", WITH_ACCOUNT],
  AuditEntry: [
    "accessLog; the practice's own work in the consultant's copy",
    "stays: numbers and words of the program",
  ],
  AuditHead: [NOT_OF_A_FAMILY, NOT_OF_A_FAMILY],
};

export const models = readFileSync(path.join(import.meta.dirname, "../../prisma/models.prisma"), "utf8")
  .split(/^model /m)
  .slice(1)
  .map((text) => ({
    name: /^\w+/.exec(text)?.[0] ?? "",
    table: /@@map\("(\w+)"\)/.exec(text)?.[1] ?? "",
    text,
  }));

/** The tables that have rows of a family for longer than a call. */
export const FAMILY_TABLES = models
  .filter(({ name }) => ![NOT_OF_A_FAMILY, LIVES_FOR_SECONDS, HASHES_OF_A_DAY].includes(DECIDED[name]?.[0] ?? ""))
  .map(({ table }) => table);
