import type { PrismaClient } from "../../../prisma/sqlite/client/client.ts";

/** The attempts to pay for a visit at `start`, oldest first: `booking` is encrypted, so the database can't be asked. */
export async function findPaymentsAt(db: PrismaClient, start: string) {
  const rows = await db.payment.findMany({ orderBy: { id: "asc" }, include: { transitions: true, refunds: true } });
  return rows.filter(({ booking }) => booking.includes(start));
}

/** Everything that is stored, as text: two moments are equal when nothing was changed between them. */
export async function dumpDatabase(db: PrismaClient): Promise<string> {
  return JSON.stringify({
    users: await db.user.findMany({ orderBy: { id: "asc" } }),
    // Not their contents: reading a page is activity, and activity is written down.
    sessions: await db.session.findMany({ orderBy: { sid: "asc" }, select: { sid: true, userId: true } }),
    resets: await db.passwordReset.findMany({ orderBy: { tokenHash: "asc" } }),
    factors: await db.secondFactor.findMany({ orderBy: { userId: "asc" } }),
    recoveryCodes: await db.recoveryCode.findMany({ orderBy: [{ userId: "asc" }, { codeHash: "asc" }] }),
    passkeys: await db.passkey.findMany({ orderBy: { id: "asc" } }),
    drafts: await db.draft.findMany({ orderBy: [{ userId: "asc" }, { form: "asc" }] }),
    intakeForms: await db.intakeForm.findMany({ orderBy: { id: "asc" } }),
    requests: await db.consultationRequest.findMany({ orderBy: { id: "asc" } }),
    claims: await db.appointmentClaim.findMany({ orderBy: { appointmentId: "asc" } }),
    invitations: await db.invitation.findMany({ orderBy: { id: "asc" } }),
    answers: await db.visitAnswer.findMany({ orderBy: { appointmentId: "asc" } }),
    waitingList: await db.waitingListEntry.findMany({ orderBy: { id: "asc" } }),
    appointments: await db.appointment.findMany({ orderBy: { id: "asc" } }),
    settings: await db.practiceSettings.findMany(),
    dayHours: await db.hoursOverride.findMany({ orderBy: { day: "asc" } }),
    notes: await db.familyNote.findMany({ orderBy: { id: "asc" } }),
    followUps: await db.followUp.findMany({ orderBy: { id: "asc" } }),
    documents: await db.document.findMany({ orderBy: { id: "asc" } }),
  });
}
