import { WORDING_NAMES, type WordingName } from "../wording-names.ts";

/** What an entry is about. */
export type ObjectType =
  | "account"
  | "appointment"
  | "case"
  | "consent"
  | "document"
  | "intake form"
  | "message"
  | "note"
  | "payment"
  | "request";

/** The kinds of action that the consultant's list is filtered by. */
export const ACTION_KINDS = ["any", "read", "change", "money", "sign-in", "refused", "practice"] as const;
export type ActionKind = Exclude<(typeof ACTION_KINDS)[number], "any">;

type Action = {
  /** What was done, after "You" or a person's name. */
  words: string;
  kind: ActionKind;
  objectType?: ObjectType;
  /** In no family's own log: it is about the practice's notes, or about somebody who had no part in the data. */
  isHidden?: true;
};

const READ = /-(opened|downloaded|exported|read)$/;
const SIGN_IN = /^(signed|sign-in|session|password|passkey|second-factor|recovery-code|reset-link|identity)-/;

const about = (objectType: ObjectType, actions: Record<string, string>, more: Pick<Action, "isHidden"> = {}) =>
  Object.fromEntries(
    Object.entries(actions).map(([name, words]) => [
      name,
      { words, kind: kindOf(name, objectType), objectType, ...more },
    ]),
  );

function kindOf(name: string, objectType?: ObjectType): ActionKind {
  if (name.endsWith("-refused")) return "refused";
  if (READ.test(name)) return "read";
  if (SIGN_IN.test(name)) return "sign-in";
  if (objectType === "payment") return "money";
  return objectType ? "change" : "practice";
}

const ACCOUNT = {
  "account-made": "made the account",
  "account-closed": "closed the account",
  "account-reopened": "opened the account again",
  "account-exported": "downloaded a copy of everything about the family",
  "account-erasure-requested": "asked to delete the account",
  "account-erasure-cancelled": "decided to keep the account",
  "account-erased": "deleted the account and its data",
  "account-demoted": "ended an administrator’s rights",
  "family-page-opened": "opened the family’s page",
  "profile-changed": "changed name or phone",
  "email-confirmed": "confirmed the email address",
  "email-change-asked": "asked for another email address",
  "email-changed": "changed the email address",
  "email-change-undone": "took back a change of the email address",
  "settings-changed": "changed the account’s settings",
  "password-changed": "changed the password",
  "reset-link-made": "made a link to set a new password",
  "second-factor-set-up": "began to set up an authenticator app",
  "second-factor-turned-on": "turned the authenticator app on",
  "second-factor-turned-off": "turned the authenticator app off",
  "recovery-code-used": "used a recovery code",
  "passkey-added": "added a passkey",
  "passkey-removed": "removed a passkey",
  "identity-confirmed": "gave the password, code or passkey again",
  "sign-in-failed": "tried to sign in with a wrong password",
  "sign-in-code-failed": "tried to sign in with a wrong code",
  "sign-in-passkey-failed": "tried to sign in with a passkey that was not right",
  "sign-in-passkey-copied": "tried to sign in with a passkey that may be a copy",
  "signed-in": "signed in",
  "signed-out": "signed out",
  "session-ended": "ended a session on another device",
  "calendar-link-made": "made a private calendar link",
  "calendar-link-read": "read the visits through the private calendar link",
  "calendar-link-ended": "ended the private calendar link",
  "waiting-list-joined": "asked to be told of open times on a full day",
  "waiting-list-left": "left the waiting list of a day",
  "waiting-list-offered": "offered an open time",
  "waiting-list-declined": "gave up an offered time",
  "consent-given": "agreed to a document of the practice",
  "consent-withdrawn": "withdrew an agreement",
} as const;

const APPOINTMENT = {
  "appointment-opened": "opened a visit’s details",
  "appointment-booked": "booked a visit",
  "appointment-moved": "moved a visit",
  "appointment-cancelled": "canceled a visit",
  "appointment-changed": "changed a visit’s details",
  "appointment-waived": "marked that nothing is owed for a visit",
  "appointment-unwaived": "marked that a visit is to be paid after all",
  "appointment-deleted": "deleted a visit",
  "appointment-claimed": "added a visit to the account",
  "questions-answered": "answered the questions before a visit",
  "claim-link-made": "made a link that adds a visit to an account",
  "calendar-file-downloaded": "downloaded a visit’s calendar file",
  "invoice-opened": "opened a visit’s invoice",
} as const;

const DOCUMENT = {
  "document-opened": "opened a document",
  "document-downloaded": "downloaded a document",
  "document-uploaded": "added a document",
  "document-deleted": "deleted a document",
  "document-shared": "shared a document with the family",
  "document-unshared": "stopped sharing a document with the family",
} as const;

const INTAKE = {
  "intake-opened": "opened the intake form",
  "intake-downloaded": "downloaded the intake form",
  "intake-submitted": "sent the intake form",
} as const;

const PAYMENT = {
  "payment-started": "started a payment",
  "payment-authorized": "gave a card that was approved",
  "payment-paid": "paid",
  "payment-declined": "gave a card that was declined",
  "payment-voided": "released a payment",
  "payment-recorded": "recorded a payment",
  "payment-flagged": "reported a payment that does not match",
  "refund-asked": "began a refund",
  "refund-made": "sent money back",
  "refund-failed": "could not send money back",
  "receipt-opened": "opened a receipt",
  "payments-exported": "downloaded a list of payments",
} as const;

const REQUEST = {
  "request-sent": "sent a consultation request",
  "request-entered": "entered a consultation request that came by phone",
  "request-scheduled": "scheduled a visit from a request",
  "request-deleted": "deleted a consultation request",
  "request-expired": "deleted a consultation request that was kept long enough",
} as const;

const CASE = {
  "legal-request-added": "asked about privacy or accessibility, or had it entered",
  "legal-request-opened": "opened a request about privacy or accessibility",
  "legal-request-answered": "closed a request about privacy or accessibility",
  "legal-request-expired": "deleted a request about privacy or accessibility that was kept long enough",
} as const;

const INCIDENT = {
  "incident-added": "entered an incident",
  "incident-opened": "opened an incident",
  "incident-closed": "closed an incident",
  "incident-expired": "deleted an incident that was kept long enough",
} as const;

const NOTE = {
  "note-added": "added a note",
  "note-changed": "changed a note",
  "note-deleted": "deleted a note",
} as const;

/** Of no one family. */
const PRACTICE = {
  "access-refused": "was refused a record",
  "upload-refused": "was refused a file to upload",
  "infected-upload-refused": "was refused a file that may contain a virus",
  "socket-refused": "was refused a connection that another site’s page had opened",
  "lists-opened": "opened a list of families’ records",
  "invitation-sent": "invited a family to open an account",
  "invitation-withdrawn": "withdrew an invitation",
  "practice-settings-changed": "changed the practice’s settings",
  "documents-scanned": "scanned every stored document for viruses",
  "infected-document-found": "found what may be a virus in a document",
  "payment-script-changed": "found another script on the payment page",
  "payment-script-accepted": "marked another script on the payment page as seen",
  "keys-rotated": "replaced the encryption keys",
  "backup-made": "made a backup",
  "backup-restored": "restored a backup",
  "audit-opened": "opened the access log",
  "audit-expired": "removed entries whose time is over",
  "audit-accepted": "signed the access log again",
} as const;

type WordingAction = `wording-changed-${WordingName}`;
const WORDINGS = Object.fromEntries(
  WORDING_NAMES.map((name) => [`wording-changed-${name}`, `changed the wording of the message “${name}”`]),
) as Record<WordingAction, string>;

type Name =
  | keyof typeof ACCOUNT
  | keyof typeof APPOINTMENT
  | keyof typeof DOCUMENT
  | keyof typeof INTAKE
  | keyof typeof PAYMENT
  | keyof typeof REQUEST
  | keyof typeof CASE
  | keyof typeof INCIDENT
  | keyof typeof NOTE
  | keyof typeof PRACTICE
  | WordingAction;

/** One of the closed list of things that are recorded. */
export type AuditAction = Name;

/** Every action, what it is about, and how it is told. */
export const AUDIT_ACTIONS = {
  ...about("account", ACCOUNT),
  ...about("appointment", APPOINTMENT),
  ...about("document", DOCUMENT),
  ...about("intake form", INTAKE),
  ...about("payment", PAYMENT),
  ...about("request", REQUEST),
  ...about("case", CASE),
  ...about("case", INCIDENT, { isHidden: true }),
  ...about("note", NOTE, { isHidden: true }),
  ...Object.fromEntries(
    Object.entries({ ...PRACTICE, ...WORDINGS }).map(([name, words]) => [
      name,
      { words, kind: kindOf(name), isHidden: true },
    ]),
  ),
} as Record<AuditAction, Action>;

/** The actions of one kind. */
export function actionsOfKind(kind: ActionKind): string[] {
  return Object.entries(AUDIT_ACTIONS).flatMap(([name, action]) => (action.kind === kind ? [name] : []));
}

/** The actions that a family reads about in its own log. */
export const FAMILY_ACTIONS = Object.entries(AUDIT_ACTIONS).flatMap(([name, action]) =>
  action.isHidden ? [] : [name],
);

/** What was done, in words; the stored word itself for one of a later version. */
export function actionWords(name: string): string {
  return (AUDIT_ACTIONS as Record<string, Action | undefined>)[name]?.words ?? name;
}

/** What follows from something that a family did, such as cancelling a visit, and is never done by the family itself. */
const CONSEQUENCES = new Set(["payment-voided", "refund-asked", "refund-made", "refund-failed"]);

/** Whether this website did it, although a family's own request led to it. */
export function isConsequence(name: string): boolean {
  return CONSEQUENCES.has(name);
}

/** Who did it, where nobody was signed in. */
export function unknownActorWords(name: string): string {
  return name.startsWith("sign-in") ? "Somebody" : "This website";
}
