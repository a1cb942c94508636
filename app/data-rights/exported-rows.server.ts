import type { Person } from "../accounts/person.ts";
import { isReasonOfCancellation } from "../checkout/cancellation/refund-reasons.ts";
import { parseStoredBooking, type StoredBooking } from "../checkout/find-payment.server.ts";
import { toSignedConsent } from "../consents/consents.server.ts";
import { db } from "../db/client.server.ts";
import { isUnreadable, UNREADABLE_PLACEHOLDER } from "../db/text-encryption.server.ts";
import { ownInvitationsCondition } from "./own-invitations.server.ts";
import { ownMessagesCondition } from "./own-messages.server.ts";
import { ownPaymentsCondition } from "./own-payments.server.ts";
import { findConfirmedEmailHistory, ownAppointmentsCondition, ownRequestsCondition } from "./own-records.server.ts";

// Reads every row that is held about one family, for its export. Instants are UTC, amounts US cents. Secrets (hashes,
// keys, links with tokens) and keyed hashes of networks are left out.

const PAGE_SIZE = 100;
type Page = { take: number; orderBy: { id: "asc" }; where: { id: { gt: number } } };

/** Reads a table in pages, so that the whole table is never in memory. */
async function* readInPages<Row extends { id: number }>(read: (page: Page) => Promise<Row[]>): AsyncGenerator<Row> {
  let lastId = 0;
  for (;;) {
    const rows = await read({ take: PAGE_SIZE, orderBy: { id: "asc" }, where: { id: { gt: lastId } } });
    yield* rows;
    if (rows.length < PAGE_SIZE) return;
    lastId = rows.at(-1)?.id ?? lastId;
  }
}

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
  const requests = ownRequestsCondition(userId, await findConfirmedEmailHistory(userId));
  yield* readInPages(({ where, ...page }) =>
    db.consultationRequest.findMany({
      ...page,
      where: { ...where, ...requests },
      omit: { network: true, wideNetwork: true },
    }),
  );
}

/** Yields visits, including those without an account that were scheduled from a request of the family. */
export async function* appointmentRows({ id: userId }: Person) {
  const omit = { network: true, wideNetwork: true, calendarSequence: true } as const;
  const include = { visitAnswers: { omit: { appointmentId: true } } } as const;
  const own = ownAppointmentsCondition(userId, await findConfirmedEmailHistory(userId));
  yield* readInPages(({ where, ...page }) =>
    db.appointment.findMany({ ...page, where: { ...where, ...own }, omit, include }),
  );
}

/**
 * Yields every payment attempt, including declined ones, with the booking details, because the visit may be deleted or
 * was never created. The id of a paid one is its receipt number. `withNotes` includes the consultant's own remarks.
 */
export async function* paymentRows({ id: userId }: Person, { withNotes }: { withNotes: boolean }) {
  const refunds = { orderBy: { id: "asc" }, select: REFUND_SELECT } as const;
  const own = await ownPaymentsCondition(userId, await findConfirmedEmailHistory(userId));
  const rows = readInPages(({ where, ...page }) =>
    db.payment.findMany({ ...page, where: { ...where, ...own }, select: { ...PAYMENT_SELECT, refunds } }),
  );
  for await (const { booking, note, refunds: ownRefunds, ...row } of rows) {
    const fields: Partial<StoredBooking> = parseStoredBooking({ booking }) ?? {};
    const { title = UNREADABLE_PLACEHOLDER, appointmentDate = null, notes = null, place = null } = fields;
    const { description = null, meetingLink = null } = fields;
    const redactedRefunds = ownRefunds.map(({ reason, ...refund }) =>
      withNotes || isReasonOfCancellation(reason) ? { ...refund, reason } : refund,
    );
    const texts = { description, notes, meetingLink, place };
    yield { ...row, title, appointmentDate, ...texts, note: withNotes ? note : null, refunds: redactedRefunds };
  }
}

const PAYMENT_SELECT = {
  id: true,
  appointmentId: true,
  method: true,
  provider: true,
  providerPaymentId: true,
  booking: true,
  amountCents: true,
  refundedCents: true,
  state: true,
  note: true,
  paidAt: true,
  createdAt: true,
} as const;
const REFUND_SELECT = { id: true, amountCents: true, reason: true, state: true, createdAt: true } as const;

export async function* messageRows({ id: userId }: Person) {
  const own = await ownMessagesCondition(userId, await findConfirmedEmailHistory(userId));
  const rows = readInPages(({ where, ...page }) =>
    db.message.findMany({ ...page, where: { ...where, ...own }, select: MESSAGE_SELECT }),
  );
  for await (const { content, ...row } of rows) yield { ...row, content: parseStoredJson(content) };
}

const MESSAGE_SELECT = {
  id: true,
  event: true,
  address: true,
  content: true,
  state: true,
  sentAt: true,
  createdAt: true,
} as const;

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

/** Returns the parsed JSON of a row, or `UNREADABLE_PLACEHOLDER` if it can't be decrypted. */
function parseStoredJson(json: string): unknown {
  return isUnreadable(json) ? UNREADABLE_PLACEHOLDER : (JSON.parse(json) as unknown);
}

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
