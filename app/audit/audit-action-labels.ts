// What was done, by the name of its action. The text follows "You" or a person's name.
import { WORDING_NAMES, type WordingName } from "../wording-names.ts";

export const ACCOUNT_ACTION_LABELS = {
  "account-made": "made the account",
  "account-closed": "closed the account",
  "account-reopened": "opened the account again",
  "account-exported": "downloaded a copy of everything about the family",
  "account-erasure-requested": "scheduled the deletion of the account",
  "account-erasure-cancelled": "decided to keep the account",
  "account-erased": "deleted the account and its data",
  "account-demoted": "ended an administrator’s rights",
  "family-page-opened": "opened the family’s page",
  "texts-listed": "saw texts of the family in a list",
  "account-opened": "opened the family’s name and email address",
  "profile-changed": "changed name or phone",
  "email-confirmed": "confirmed the email address",
  "email-change-asked": "asked for another email address",
  "email-changed": "changed the email address",
  "email-change-undone": "took back a change of the email address",
  "undo-link-ended": "ended the link that takes back a change of the email address",
  "settings-changed": "changed the account’s settings",
  "password-changed": "changed the password",
  "revocations-reapplied": "applied again what was withdrawn, removed or changed after the backup that was restored",
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
  "waiting-list-withdrawn": "an offered time ended, because the hours of that day were changed",
  "consent-opened": "opened an agreement that was signed",
  "consent-given": "agreed to a document of the practice",
  "consent-withdrawn": "withdrew an agreement",
} as const;

export const APPOINTMENT_ACTION_LABELS = {
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

export const DOCUMENT_ACTION_LABELS = {
  "document-opened": "opened a document",
  "document-name-opened": "opened a document’s name",
  "document-downloaded": "downloaded a document",
  "document-uploaded": "added a document",
  "document-deleted": "deleted a document",
  "document-shared": "shared a document with the family",
  "document-unshared": "stopped sharing a document with the family",
} as const;

export const INTAKE_ACTION_LABELS = {
  "intake-opened": "opened the intake form",
  "intake-downloaded": "downloaded the intake form",
  "intake-submitted": "sent the intake form",
} as const;

export const PAYMENT_ACTION_LABELS = {
  "payment-started": "started a payment",
  "payment-authorized": "gave a card that was approved",
  "payment-paid": "paid",
  "payment-declined": "gave a card that was declined",
  "payment-voided": "canceled a card payment before it was charged",
  "payment-recorded": "recorded a payment",
  "payment-undone": "undid a payment that was recorded by mistake",
  "payment-flagged": "reported a payment that does not match",
  "refund-asked": "began a refund",
  "refund-made": "sent money back",
  "refund-failed": "could not send money back",
  "receipt-opened": "opened a receipt",
  "payments-exported": "downloaded a list of payments",
} as const;

export const CONSULTATION_REQUEST_ACTION_LABELS = {
  "request-opened": "opened a consultation request",
  "request-sent": "sent a consultation request",
  "request-entered": "entered a consultation request that came by phone",
  "request-scheduled": "scheduled a visit from a request",
  "request-deleted": "deleted a consultation request",
  "request-erased": "deleted everything about a person without an account",
  "request-exported": "downloaded everything about a person without an account",
  "request-expired": "deleted a consultation request that was kept long enough",
} as const;

export const LEGAL_REQUEST_ACTION_LABELS = {
  "legal-request-added": "asked about privacy or accessibility, or had it entered",
  "legal-request-opened": "opened a request about privacy or accessibility",
  "legal-request-answered": "closed a request about privacy or accessibility",
  "legal-request-expired": "deleted a request about privacy or accessibility that was kept long enough",
} as const;

export const INCIDENT_ACTION_LABELS = {
  "incident-added": "entered an incident",
  "incident-opened": "opened an incident",
  "incident-closed": "closed an incident",
  "incident-expired": "deleted an incident that was kept long enough",
} as const;

export const FOLLOW_UP_ACTION_LABELS = {
  "follow-up-added": "added a follow-up",
  "follow-up-done": "marked a follow-up as done",
  "follow-up-reopened": "opened a follow-up again",
  "follow-up-deleted": "deleted a follow-up",
} as const;

export const MESSAGE_ACTION_LABELS = {
  "message-opened": "opened a mail to the family",
} as const;

export const NOTE_ACTION_LABELS = {
  "note-opened": "opened a note",
  "note-added": "added a note",
  "note-changed": "changed a note",
  "note-deleted": "deleted a note",
} as const;

/** Actions that do not concern one particular family. */
export const PRACTICE_ACTION_LABELS = {
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
  "revocations-lost": "could not tell what was withdrawn, removed or changed after the backup that was restored",
  "lost-revocations-checked": "marked as seen what a restored backup may have brought back",
  "audit-opened": "opened the access log",
  "audit-expired": "removed entries whose time is over",
  "audit-accepted": "signed the access log again",
} as const;

export type WordingAction = `wording-changed-${WordingName}`;
export const WORDING_ACTION_LABELS = Object.fromEntries(
  WORDING_NAMES.map((name) => [`wording-changed-${name}`, `changed the wording of the message “${name}”`]),
) as Record<WordingAction, string>;
