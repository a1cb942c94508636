import type { Person } from "../accounts/person.ts";
import { toSignedConsent } from "../consents/consents.server.ts";
import { db } from "../db/database-client.server.ts";
import { ownInvitationsCondition } from "./own-invitations.server.ts";
import { buildOwnMessagesCondition } from "./own-messages.server.ts";
import { buildOwnPaymentsCondition } from "./own-payments.server.ts";
import {
  parseStoredJson,
  readAppointments,
  readConsultationRequests,
  readInPages,
  readMessages,
  readPayments,
} from "./record-readers.server.ts";
import {
  findConfirmedEmailHistory,
  ownAppointmentsCondition,
  ownRequestsCondition,
} from "./family-data-conditions.server.ts";

// Reads every row that is held about one family, for its export. Instants are UTC, amounts US cents. Secrets (hashes,
// keys, links with tokens) and keyed hashes of networks are left out.

/** Columns for every version of the terms and the privacy policy that a person accepted. */
export const ACCEPTED_TERMS_SELECT = {
  termsAcceptances: { select: { version: true, acceptedAt: true }, orderBy: { id: "asc" } },
} as const;

export async function readAccountForExport({ id }: Person) {
  const {
    secondFactor,
    mailOptOuts,
    calendarFeed,
    emailConfirmations,
    emailChanges,
    termsAcceptances,
    _count: { recoveryCodes },
    ...account
  } = await db.user.findUniqueOrThrow({
    where: { id },
    select: {
      id: true,
      email: true,
      firstName: true,
      lastName: true,
      phone: true,
      profileImageUrl: true,
      displayPreferences: true,
      createdAt: true,
      updatedAt: true,
      emailConfirmedAt: true,
      closedAt: true,
      ...ACCEPTED_TERMS_SELECT,
      secondFactor: { select: { confirmedAt: true } },
      passkeys: { select: { name: true, createdAt: true, lastUsedAt: true }, orderBy: { id: "asc" } },
      mailOptOuts: { select: { topic: true } },
      calendarFeed: { select: { createdAt: true } },
      emailConfirmations: { where: { isChange: true }, select: { email: true } },
      emailChanges: { select: { oldEmail: true, changedAt: true } },
      _count: { select: { recoveryCodes: true } },
    },
  });
  return {
    ...account,
    secondStepSince: secondFactor?.confirmedAt ?? null,
    recoveryCodesLeft: recoveryCodes,
    mailTurnedOff: mailOptOuts.map(({ topic }) => topic),
    calendarLinkSince: calendarFeed?.createdAt ?? null,
    emailToConfirm: emailConfirmations[0]?.email ?? null,
    earlierEmails: emailChanges,
    acceptedTerms: termsAcceptances,
  };
}

/** Yields intake forms that a later one has replaced. */
export async function* intakeFormVersionRows({ id: userId }: Person) {
  const rows = readInPages(({ where, ...page }) =>
    db.intakeFormVersion.findMany({ ...page, where: { ...where, userId } }),
  );
  for await (const { answers, ...row } of rows) yield { ...row, answers: parseStoredJson(answers) };
}

/** Yields forms that were started but not sent. */
export async function* draftRows({ id: userId }: Person) {
  const rows = await db.draft.findMany({ where: { userId }, select: { form: true, answers: true, updatedAt: true } });
  for (const { answers, ...row } of rows) yield { ...row, answers: parseStoredJson(answers) };
}

export async function* consultationRequestRows({ id: userId }: Person) {
  yield* readConsultationRequests(ownRequestsCondition(userId, await findConfirmedEmailHistory(userId)));
}

/** Yields visits, including those without an account that were scheduled from a request of the family. */
export async function* appointmentRows({ id: userId }: Person) {
  yield* readAppointments(ownAppointmentsCondition(userId, await findConfirmedEmailHistory(userId)));
}

export async function* paymentRows({ id: userId }: Person, options: { withNotes: boolean }) {
  yield* readPayments(await buildOwnPaymentsCondition(userId, await findConfirmedEmailHistory(userId)), options);
}

export async function* messageRows({ id: userId }: Person) {
  yield* readMessages(await buildOwnMessagesCondition(userId, await findConfirmedEmailHistory(userId)));
}

/** Yields the practice's open invitations to the family, without their links. */
export async function* invitationRows({ id: userId }: Person) {
  const own = ownInvitationsCondition(userId, await findConfirmedEmailHistory(userId));
  yield* readInPages(({ where, ...page }) =>
    db.invitation.findMany({ ...page, where: { ...where, ...own }, omit: { tokenHash: true } }),
  );
}

/** Yields the consultant's notes about the family. */
export function noteRows({ id: userId }: Person) {
  return readInPages(({ where, ...page }) => db.familyNote.findMany({ ...page, where: { ...where, userId } }));
}

/** Yields follow-ups for the family: those shared with it, or all of them with `withUnshared`. */
export function followUpRows({ id: userId }: Person, { withUnshared }: { withUnshared: boolean }) {
  const scope = withUnshared ? { userId } : { userId, isShared: true };
  return readInPages(({ where, ...page }) =>
    db.followUp.findMany({ ...page, where: { ...where, ...scope }, omit: { remindedAt: true } }),
  );
}

/** Yields the agreements that the family signed, including withdrawn ones, with their text. */
export function consentRows({ id: userId }: Person) {
  return readInPages(async ({ where, ...page }) => {
    const rows = await db.consent.findMany({ ...page, where: { ...where, userId }, omit: { userId: true } });
    return rows.map(toSignedConsent);
  });
}

export function waitingListRows({ id: userId }: Person) {
  return readInPages(({ where, ...page }) =>
    db.waitingListEntry.findMany({
      ...page,
      where: { ...where, userId },
      omit: { network: true, wideNetwork: true },
      include: { offers: { omit: { entryId: true }, orderBy: { id: "asc" } } },
    }),
  );
}

/**
 * Yields the family's requests about privacy and accessibility, sent by form or entered by the consultant, and their
 * outcome. `withNotes` includes incidents, which are the consultant's own records.
 */
export async function* complianceCaseRows({ id: userId }: Person, { withNotes }: { withNotes: boolean }) {
  const omit = { network: true, wideNetwork: true } as const;
  const scope = {
    ...ownRequestsCondition(userId, await findConfirmedEmailHistory(userId)),
    ...(withNotes ? {} : NOT_INCIDENT_CONDITION),
  };
  yield* readInPages(({ where, ...page }) =>
    db.complianceCase.findMany({ ...page, where: { ...where, ...scope }, omit }),
  );
}

const NOT_INCIDENT_CONDITION = { kind: { not: "incident" } };

type YieldedRow<Rows> = Rows extends AsyncIterable<infer Row> ? Row : never;
export type AccountRow = Awaited<ReturnType<typeof readAccountForExport>>;
export type ExportedRequest = YieldedRow<ReturnType<typeof consultationRequestRows>>;
export type ExportedAppointment = YieldedRow<ReturnType<typeof appointmentRows>>;
export type PaymentRow = YieldedRow<ReturnType<typeof paymentRows>>;
export type ExportedFollowUp = YieldedRow<ReturnType<typeof followUpRows>>;
export type ComplianceCaseRow = YieldedRow<ReturnType<typeof complianceCaseRows>>;
export type ConsentRow = YieldedRow<ReturnType<typeof consentRows>>;
export type WaitingListRow = YieldedRow<ReturnType<typeof waitingListRows>>;
export type NoteRow = YieldedRow<ReturnType<typeof noteRows>>;
export type IntakeFormVersionRow = YieldedRow<ReturnType<typeof intakeFormVersionRows>>;
export type DraftRow = YieldedRow<ReturnType<typeof draftRows>>;
export type InvitationRow = YieldedRow<ReturnType<typeof invitationRows>>;
export type MessageRow = YieldedRow<ReturnType<typeof messageRows>>;
