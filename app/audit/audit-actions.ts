import {
  type WordingAction,
  ACCOUNT_ACTION_LABELS,
  APPOINTMENT_ACTION_LABELS,
  DOCUMENT_ACTION_LABELS,
  FOLLOW_UP_ACTION_LABELS,
  INTAKE_ACTION_LABELS,
  PAYMENT_ACTION_LABELS,
  CONSULTATION_REQUEST_ACTION_LABELS,
  LEGAL_REQUEST_ACTION_LABELS,
  INCIDENT_ACTION_LABELS,
  MESSAGE_ACTION_LABELS,
  NOTE_ACTION_LABELS,
  PRACTICE_ACTION_LABELS,
  WORDING_ACTION_LABELS,
} from "./audit-action-labels.ts";

/** Type of the object that an entry is about. */
export type ObjectType =
  | "account"
  | "appointment"
  | "case"
  | "consent"
  | "document"
  | "follow-up"
  | "intake form"
  | "message"
  | "note"
  | "payment"
  | "request"
  | "time";

/** The kinds of action that the consultant can filter the list by. */
export const ACTION_KINDS = ["any", "read", "change", "money", "sign-in", "refused", "practice"] as const;
export type ActionKind = Exclude<(typeof ACTION_KINDS)[number], "any">;

type Action = {
  /** What was done. The text follows "You" or a person's name. */
  description: string;
  kind: ActionKind;
  objectType?: ObjectType;
  /**
   * Not shown in any family's own log, because it is about the practice's notes or about a person whose data is not
   * involved.
   */
  isHiddenFromFamily?: true;
};

const READ_ACTION_PATTERN = /-(opened|downloaded|exported|listed|read)$/;
const SIGN_IN_ACTION_PATTERN =
  /^(signed|sign-in|session|password|passkey|second-factor|recovery-code|reset-link|identity)-/;

const defineActions = (
  objectType: ObjectType,
  actions: Record<string, string>,
  options: Pick<Action, "isHiddenFromFamily"> = {},
) =>
  Object.fromEntries(
    Object.entries(actions).map(([name, description]) => [
      name,
      { description, kind: getActionKind(name, objectType), objectType, ...options },
    ]),
  );

function getActionKind(name: string, objectType?: ObjectType): ActionKind {
  if (name.endsWith("-refused")) return "refused";
  if (READ_ACTION_PATTERN.test(name)) return "read";
  if (SIGN_IN_ACTION_PATTERN.test(name)) return "sign-in";
  if (objectType === "payment") return "money";
  return objectType ? "change" : "practice";
}

type ActionName =
  | keyof typeof ACCOUNT_ACTION_LABELS
  | keyof typeof APPOINTMENT_ACTION_LABELS
  | keyof typeof DOCUMENT_ACTION_LABELS
  | keyof typeof INTAKE_ACTION_LABELS
  | keyof typeof PAYMENT_ACTION_LABELS
  | keyof typeof CONSULTATION_REQUEST_ACTION_LABELS
  | keyof typeof LEGAL_REQUEST_ACTION_LABELS
  | keyof typeof FOLLOW_UP_ACTION_LABELS
  | keyof typeof INCIDENT_ACTION_LABELS
  | keyof typeof MESSAGE_ACTION_LABELS
  | keyof typeof NOTE_ACTION_LABELS
  | keyof typeof PRACTICE_ACTION_LABELS
  | WordingAction;

/** Name of an action that can be recorded. */
export type AuditAction = ActionName;

/** Every action with its object type, kind and text. */
export const AUDIT_ACTIONS = {
  ...defineActions("account", ACCOUNT_ACTION_LABELS),
  ...defineActions("appointment", APPOINTMENT_ACTION_LABELS),
  ...defineActions("document", DOCUMENT_ACTION_LABELS),
  ...defineActions("intake form", INTAKE_ACTION_LABELS),
  ...defineActions("payment", PAYMENT_ACTION_LABELS),
  ...defineActions("request", CONSULTATION_REQUEST_ACTION_LABELS),
  ...defineActions("case", LEGAL_REQUEST_ACTION_LABELS),
  ...defineActions("follow-up", FOLLOW_UP_ACTION_LABELS),
  ...defineActions("message", MESSAGE_ACTION_LABELS),
  ...defineActions("case", INCIDENT_ACTION_LABELS, { isHiddenFromFamily: true }),
  ...defineActions("note", NOTE_ACTION_LABELS, { isHiddenFromFamily: true }),
  ...Object.fromEntries(
    Object.entries({ ...PRACTICE_ACTION_LABELS, ...WORDING_ACTION_LABELS }).map(([name, description]) => [
      name,
      { description, kind: getActionKind(name), isHiddenFromFamily: true },
    ]),
  ),
} as Record<AuditAction, Action>;

/** Returns the names of the actions of one kind. */
export function actionsOfKind(kind: ActionKind): string[] {
  return Object.entries(AUDIT_ACTIONS).flatMap(([name, action]) => (action.kind === kind ? [name] : []));
}

/** Names of the actions that are shown in a family's own log. */
export const FAMILY_VISIBLE_ACTIONS = Object.entries(AUDIT_ACTIONS).flatMap(([name, action]) =>
  action.isHiddenFromFamily ? [] : [name],
);

/** Returns what was done, in words. Returns the name itself for an action of a later version. */
export function describeAction(name: string): string {
  return (AUDIT_ACTIONS as Record<string, Action | undefined>)[name]?.description ?? name;
}

/**
 * Actions whose entry is also noted outside of the database at once, because whoever misuses them has a reason to remove
 * it: copies of everything, backups, deletions, ended rights and second factors, other keys, another chain.
 */
export const ANCHORED_ACTIONS: ReadonlySet<string> = new Set<AuditAction>([
  "account-exported",
  "account-erasure-requested",
  "account-erased",
  "request-exported",
  "request-erased",
  "backup-made",
  "account-demoted",
  "second-factor-turned-off",
  "passkey-removed",
  "payments-exported",
  "keys-rotated",
  "backup-restored",
  "audit-accepted",
]);

/**
 * Actions that result from something a family did, such as canceling a visit, and are never performed by the family
 * itself.
 */
const SYSTEM_ACTIONS = new Set(["payment-voided", "refund-asked", "refund-made", "refund-failed"]);

/** Checks whether this website performed the action, although a family's request caused it. */
export function isSystemAction(name: string): boolean {
  return SYSTEM_ACTIONS.has(name);
}

/** Returns the words for the actor of an action when nobody was signed in. */
export function describeUnknownActor(name: string): string {
  return name.startsWith("sign-in") ? "Somebody" : "This website";
}
