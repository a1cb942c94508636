import { streamFamilyAccessLog } from "../accounts/access-log/family-access-log.server.ts";
import type { Person } from "../accounts/person.ts";
import { listSignedInDevices } from "../accounts/sessions/signed-in-devices.server.ts";
import { findIntakeForm } from "../intake/intake-forms.server.ts";
import type { ExportedDocument } from "./exported-documents.server.ts";
import {
  consentRows,
  complianceCaseRows,
  appointmentRows,
  readAccountForExport,
  draftRows,
  intakeFormVersionRows,
  followUpRows,
  invitationRows,
  messageRows,
  noteRows,
  paymentRows,
  consultationRequestRows,
  waitingListRows,
} from "./exported-rows.server.ts";
import {
  formatAccessLogEntryForExport,
  formatAccountForExport,
  formatDeviceForExport,
  formatInvitationForExport,
} from "./format-exported-account.server.ts";
import {
  formatAppointmentForExport,
  formatConsentForExport,
  formatComplianceCaseForExport,
  formatDocumentForExport,
  formatDraftForExport,
  formatIntakeFormVersionForExport,
  formatFollowUpForExport,
  formatIntakeFormForExport,
  formatMessageForExport,
  formatNoteForExport,
  formatPaymentForExport,
  formatConsultationRequestForExport,
  formatWaitingListEntryForExport,
  type ExportRecord,
} from "./format-exported-records.server.ts";

/** One kind of record in an export. `rows` reads them from the database at each call. */
export type ExportSection = {
  /** The key in data.json. */
  key: string;
  title: string;
  /** Shown if there are no rows. */
  emptyText: string;
  /** Set for a section with at most one record. In data.json it is an object or null instead of a list. */
  isSingle?: true;
  rows: () => AsyncIterable<object> | Iterable<object>;
  describe: (row: object) => ExportRecord;
};

function defineSection<Row extends object>(
  definition: Omit<ExportSection, "rows" | "describe"> & {
    rows: () => AsyncIterable<Row> | Iterable<Row>;
    describe: (row: Row) => ExportRecord;
  },
): ExportSection {
  return definition as unknown as ExportSection;
}

/** Returns all sections of a family's export, including the consultant's notes if `withNotes` is set. */
export function buildExportSections(
  family: Person,
  { documents, withNotes }: { documents: readonly ExportedDocument[]; withNotes: boolean },
): ExportSection[] {
  const sections = [
    defineSection({
      key: "account",
      title: "Your account",
      emptyText: "",
      isSingle: true,
      rows: () => accountOf(family),
      describe: formatAccountForExport,
    }),
    defineSection({
      key: "intakeForm",
      title: "Intake form",
      emptyText: "No intake form was sent in.",
      isSingle: true,
      rows: () => intakeFormOf(family),
      describe: formatIntakeFormForExport,
    }),
    defineSection({
      key: "earlierIntakeForms",
      title: "Earlier intake forms",
      emptyText: "There are no earlier intake forms.",
      rows: () => intakeFormVersionRows(family),
      describe: formatIntakeFormVersionForExport,
    }),
    defineSection({
      key: "unsentForms",
      title: "Forms begun and not sent",
      emptyText: "There is no form that was begun and not sent.",
      rows: () => draftRows(family),
      describe: formatDraftForExport,
    }),
    defineSection({
      key: "consultationRequests",
      title: "Consultation requests",
      emptyText: "There are no consultation requests.",
      rows: () => consultationRequestRows(family),
      describe: formatConsultationRequestForExport,
    }),
    defineSection({
      key: "appointments",
      title: "Appointments",
      emptyText: "There are no appointments.",
      rows: () => appointmentRows(family),
      describe: formatAppointmentForExport,
    }),
    defineSection({
      key: "followUps",
      title: "Follow-ups",
      emptyText: "There are no follow-ups.",
      rows: () => followUpRows(family, { withUnshared: withNotes }),
      describe: formatFollowUpForExport,
    }),
    defineSection({
      key: "waitingList",
      title: "Waiting list",
      emptyText: "You wait for no day.",
      rows: () => waitingListRows(family),
      describe: formatWaitingListEntryForExport,
    }),
    defineSection({
      key: "payments",
      title: "Payments and receipts",
      emptyText: "There are no payments.",
      rows: () => paymentRows(family, { withNotes }),
      describe: formatPaymentForExport,
    }),
    defineSection({
      key: "documents",
      title: "Documents",
      emptyText: "There are no documents.",
      rows: () => documents,
      describe: formatDocumentForExport,
    }),
    defineSection({
      key: "agreements",
      title: "Agreements",
      emptyText: "Nothing was signed.",
      rows: () => agreementsOf(family),
      describe: formatConsentForExport,
    }),
    defineSection({
      key: "legalRequests",
      title: withNotes
        ? "Requests about privacy and accessibility, incidents"
        : "Requests about privacy and accessibility",
      emptyText: withNotes ? "There are no such requests or incidents." : "There are no such requests.",
      rows: () => complianceCaseRows(family, { withNotes }),
      describe: formatComplianceCaseForExport,
    }),
    defineSection({
      key: "invitations",
      title: "Invitations from us",
      emptyText: "There is no open invitation.",
      rows: () => invitationRows(family),
      describe: formatInvitationForExport,
    }),
    defineSection({
      key: "messages",
      title: "Messages from us",
      emptyText: "There are no messages. We keep them for 180 days.",
      rows: () => messageRows(family),
      describe: formatMessageForExport,
    }),
    defineSection({
      key: "devices",
      title: "Signed-in devices",
      emptyText: "No device is signed in.",
      rows: () => devicesOf(family),
      describe: formatDeviceForExport,
    }),
    defineSection({
      key: "accessLog",
      title: "Who opened or changed your child's file",
      emptyText: "Nothing is written down.",
      rows: () => streamFamilyAccessLog(family, { includesHidden: withNotes }),
      describe: formatAccessLogEntryForExport,
    }),
  ];
  if (!withNotes) return sections;
  const notes = defineSection({
    key: "consultantNotes",
    title: "Notes of the consultant",
    emptyText: "There are no notes.",
    rows: () => noteRows(family),
    describe: formatNoteForExport,
  });
  return [...sections, notes];
}

async function* accountOf(family: Person) {
  yield await readAccountForExport(family);
}

async function* agreementsOf(family: Person) {
  yield* consentRows(family);
}

async function* intakeFormOf(family: Person) {
  const form = await findIntakeForm(family, family.id);
  if (form.ok) yield form.value;
}

async function* devicesOf(family: Person) {
  for (const { id: _, current: __, ...device } of await listSignedInDevices(family, "")) yield device;
}
