import { fullName, type Person } from "../accounts/person.ts";
import { listAllAppointments } from "../booking/admin-appointments.server.ts";
import { now } from "../clock.ts";
import { db } from "../db/client.server.ts";
import { formatBytes } from "../documents/rules.ts";
import { parseId } from "../http/field-schemas.ts";
import { accepted, type Outcome, refused } from "../http/outcome.ts";
import { findIntakeForm, toIntakeSummary } from "../intake/intake.server.ts";
import { formatCents } from "../ui/money.ts";
import { listNotes } from "./notes.server.ts";

const MAX_ROWS = 100;
const CONTACT_COLUMNS = {
  id: true,
  firstName: true,
  lastName: true,
  email: true,
  phone: true,
  createdAt: true,
  closedAt: true,
} as const;

export type FamilyPage = Awaited<ReturnType<typeof loadFamilyPage>>;

/** All data of one family, for the administrator only; amounts in dollars, instants ISO 8601 UTC. */
export async function findFamily(person: Person, idParam: string | undefined): Promise<Outcome<FamilyPage>> {
  const id = parseId(idParam);
  const family =
    person.isAdmin && id !== null
      ? await db.user.findFirst({ where: { id, isAdmin: false }, select: CONTACT_COLUMNS })
      : null;
  return family ? accepted(await loadFamilyPage(person, family)) : familyNotFound();
}

export function familyNotFound() {
  return refused("notFound", "There is no such family.");
}

type Contact = {
  id: number;
  firstName: string;
  lastName: string;
  email: string;
  phone: string | null;
  createdAt: Date;
  closedAt: Date | null;
};

async function loadFamilyPage(person: Person, family: Contact) {
  const owner = { userId: family.id };
  const currentTime = now();
  const [intake, upcoming, past, documents, payments, notes] = await Promise.all([
    findIntakeForm(person, family.id),
    listAllAppointments(person, {
      where: { ...owner, appointmentDate: { gt: currentTime } },
      order: "asc",
      take: MAX_ROWS,
    }),
    listAllAppointments(person, {
      where: { ...owner, appointmentDate: { lte: currentTime } },
      order: "desc",
      take: MAX_ROWS,
    }),
    listFamilyDocuments(family.id),
    listFamilyPayments(family.id),
    listNotes(person, family.id),
  ]);
  return {
    id: family.id,
    name: fullName(family),
    email: family.email,
    phone: family.phone,
    createdAt: family.createdAt.toISOString(),
    closedAt: family.closedAt?.toISOString() ?? null,
    intake: intake.ok ? toIntakeSummary(intake.value, family.id) : null,
    upcoming,
    past,
    documents,
    payments,
    notes,
  };
}

async function listFamilyDocuments(userId: number) {
  const select = { id: true, fileName: true, fileSize: true, description: true, uploadedAt: true } as const;
  const rows = await db.document.findMany({
    where: { userId },
    orderBy: { uploadedAt: "desc" },
    take: MAX_ROWS,
    select,
  });
  return rows.map(({ fileSize, uploadedAt, ...row }) => ({
    ...row,
    size: formatBytes(fileSize),
    uploadedAt: uploadedAt.toISOString(),
  }));
}

/** Failed attempts are not listed as payments. */
async function listFamilyPayments(userId: number) {
  const rows = await db.payment.findMany({
    where: { userId, state: "paid" },
    orderBy: { createdAt: "desc" },
    take: MAX_ROWS,
    select: {
      id: true,
      method: true,
      amountCents: true,
      refundedCents: true,
      paidAt: true,
      createdAt: true,
      appointment: { select: { id: true, title: true } },
    },
  });
  return rows.map(({ id, method, amountCents, refundedCents, paidAt, createdAt, appointment }) => ({
    id,
    method,
    amount: formatCents(amountCents),
    refunded: refundedCents > 0 ? formatCents(refundedCents) : null,
    paidAt: (paidAt ?? createdAt).toISOString(),
    appointment,
  }));
}
