import { QUESTION_NAMES, VISIT_QUESTIONS } from "../booking/visit-answers/visit-question-texts.ts";
import { isInPersonMethod, METHOD_LABELS } from "../checkout/payment-methods.ts";
import { type CaseKind, KIND_LABELS } from "../compliance/case-kinds.ts";
import { formatBytes } from "../documents/document-file-rules.ts";
import { formatAnswers } from "../intake/intake-answers.ts";
import { type IntakeForm, toSubmittedIntakeFormData } from "../intake/intake-forms.server.ts";
import type { Answers } from "../intake/intake-questions.ts";
import { greetingOf, type MessageContent } from "../mail/message-content.ts";
import { formatLongPlainDate } from "../ui/format-date-time.ts";
import { formatCents } from "../ui/format-currency.ts";
import type { ExportedDocument } from "./exported-documents.server.ts";
import type {
  ExportedAppointment,
  ConsentRow,
  ComplianceCaseRow,
  DraftRow,
  IntakeFormVersionRow,
  MessageRow,
  ExportedFollowUp,
  NoteRow,
  PaymentRow,
  ExportedRequest,
  WaitingListRow,
} from "./exported-rows.server.ts";
import { formatPracticeDateTime } from "../practice/format-practice-date-time.server.ts";
import { flattenTextFields } from "./flatten-text-fields.ts";

/** A human-readable record. Fields without a text are omitted. `path` is the path of its file in the archive. */
export type ExportRecord = { heading: string; fields: [label: string, text: string | null][]; path?: string };

export const formatPracticeTimeOrNull = (instant: Date | null) => instant && formatPracticeDateTime(instant);
export const joinLines = (texts: readonly string[]) => texts.join("\n");

export function formatIntakeFormForExport(form: IntakeForm): ExportRecord {
  const answers = toSubmittedIntakeFormData(form).sections.flatMap(({ rows }) =>
    rows.map(({ label, texts }): [string, string] => [label, joinLines(texts)]),
  );
  return {
    heading: `Sent in ${formatPracticeTimeOrNull(form.createdAt)}`,
    fields: [
      ["Last sent in", form.updatedAt > form.createdAt ? formatPracticeTimeOrNull(form.updatedAt) : null],
      ...answers,
    ],
  };
}

export function formatIntakeFormVersionForExport({ answers, submittedAt }: IntakeFormVersionRow): ExportRecord {
  const fields =
    typeof answers === "string"
      ? [["Text", answers] as [string, string]]
      : formatAnswers(answers as Answers).flatMap(({ rows }) =>
          rows.map(({ label, texts }): [string, string] => [label, joinLines(texts)]),
        );
  return { heading: `Sent in ${formatPracticeTimeOrNull(submittedAt)}`, fields };
}

export function formatDraftForExport({ form, answers, updatedAt }: DraftRow): ExportRecord {
  return {
    heading: form === "intake" ? "Intake form" : "Booking",
    fields: [["Last saved", formatPracticeTimeOrNull(updatedAt)], ...flattenTextFields(answers)],
  };
}

export function formatConsultationRequestForExport(request: ExportedRequest): ExportRecord {
  return {
    heading: `Request of ${formatPracticeTimeOrNull(request.createdAt)}`,
    fields: [
      ["Name", `${request.firstName} ${request.lastName}`],
      ["Email", request.email],
      ["Phone", request.phone],
      ["What you need help with", request.serviceNeeds],
      ["Urgency", request.urgency],
      ["Message", request.message],
      ["Agreed to be contacted", request.consent ? "Yes" : "No"],
      ["Status", request.status],
    ],
  };
}

export function formatAppointmentForExport(visit: ExportedAppointment): ExportRecord {
  return {
    heading: `${visit.title}, ${formatPracticeTimeOrNull(visit.appointmentDate)}`,
    fields: [
      ["Length", `${visit.duration} minutes`],
      ["Kind", visit.isLiveVideoCall ? `${visit.type}, by video` : visit.type],
      ["Status", visit.status],
      ["Cancelled by", visit.cancelledBy],
      ["Reason given", visit.cancelReason],
      ["Description", visit.description],
      ["Notes", visit.notes],
      ["Meeting link", visit.meetingLink],
      ["Place", visit.place],
      ...QUESTION_NAMES.map((name): [string, string | null] => [
        VISIT_QUESTIONS[name],
        visit.visitAnswers?.[name] ?? null,
      ]),
      ["Price", visit.paymentAmountCents === null ? null : formatCents(visit.paymentAmountCents)],
      ["Payment", [visit.paymentMethod, visit.paymentStatus].filter(Boolean).join(", ")],
      ["Paid on", formatPracticeTimeOrNull(visit.paymentDate)],
      ["Nothing is owed since", formatPracticeTimeOrNull(visit.waivedAt)],
      ["Why nothing is owed", visit.waiveReason],
      ["Booked", formatPracticeTimeOrNull(visit.createdAt)],
    ],
  };
}

export function formatPaymentForExport(payment: PaymentRow): ExportRecord {
  const isPaid = payment.state === "paid";
  const isRecordedByMistake = payment.state === "voided" && isInPersonMethod(payment.method);
  return {
    heading: isPaid
      ? `Receipt ${payment.id}`
      : `Payment ${payment.id}, ${isRecordedByMistake ? "recorded by mistake" : "not completed"}`,
    fields: [
      ["For", payment.title],
      ["Appointment", formatPracticeTimeOrNull(payment.appointmentDate)],
      ["Description", payment.description],
      ["Notes for the visit", payment.notes],
      ["Meeting link", payment.meetingLink],
      ["Place", payment.place],
      ["Amount", `${formatCents(payment.amountCents)}, ${METHOD_LABELS[payment.method] ?? payment.method}`],
      ["Paid on", formatPracticeTimeOrNull(payment.paidAt)],
      ["State", isPaid ? null : payment.state],
      ["Card provider's number", payment.providerPaymentId],
      ["Note", payment.note],
      ...payment.refunds.map((refund): [string, string] => [
        "Refund",
        `${formatCents(refund.amountCents)}, ${formatPracticeTimeOrNull(refund.createdAt)} (${refund.state})${"reason" in refund ? `: ${refund.reason}` : ""}`,
      ]),
    ],
  };
}

export function formatDocumentForExport(document: ExportedDocument): ExportRecord {
  const { fileName, description, fileSize, uploadedAt, uploadedBy, path, problem } = document;
  const fields: ExportRecord["fields"] = [
    ["Description", description],
    ["Size", formatBytes(fileSize)],
    ["Added", `${formatPracticeTimeOrNull(uploadedAt)}, by ${uploadedBy === "family" ? "you" : "us"}`],
    ["Not shown on your documents page", document.isSharedWithClient ? null : "Yes"],
    ["Problem", problem],
  ];
  return problem ? { heading: fileName, fields } : { heading: fileName, fields, path };
}

export function formatMessageForExport({ content, address, state, sentAt, createdAt }: MessageRow): ExportRecord {
  const deliveryFields: ExportRecord["fields"] = [
    ["Written", formatPracticeTimeOrNull(createdAt)],
    ["Mailed", sentAt ? `${formatPracticeTimeOrNull(sentAt)}, to ${address}` : `No (${state})`],
  ];
  if (typeof content === "string") return { heading: "Message", fields: [...deliveryFields, ["Text", content]] };
  const message = content as MessageContent;
  const { subject, paragraphs, facts = [], closing = [] } = message;
  const factLines = facts.map(({ label, value }) => `${label}: ${value}`);
  const text = joinLines([greetingOf(message), ...paragraphs, ...factLines, ...closing]);
  return { heading: subject, fields: [...deliveryFields, ["Text", text]] };
}

export function formatNoteForExport({ text, createdAt }: NoteRow): ExportRecord {
  return { heading: `Note of ${formatPracticeTimeOrNull(createdAt)}`, fields: [["Text", text]] };
}

export function formatFollowUpForExport({ text, dueDay, doneAt }: ExportedFollowUp): ExportRecord {
  return {
    heading: text,
    fields: [
      ["To be done by", formatLongPlainDate(dueDay)],
      ["Done", formatPracticeTimeOrNull(doneAt)],
    ],
  };
}

export function formatConsentForExport({ title, version, paragraphs, ...row }: ConsentRow): ExportRecord {
  return {
    heading: title,
    fields: [
      ["Text of", formatLongPlainDate(version)],
      ["Text", joinLines(paragraphs)],
      ["Filled in", row.details],
      ["Signed by", row.signedName],
      ["Signed on", formatPracticeTimeOrNull(row.signedAt)],
      ["Ends on", formatPracticeTimeOrNull(row.endsAt)],
      ["Taken back or replaced on", formatPracticeTimeOrNull(row.withdrawnAt)],
    ],
  };
}

export function formatWaitingListEntryForExport({
  day,
  duration,
  joinedAt,
  endedAt,
  offers,
}: WaitingListRow): ExportRecord {
  return {
    heading: formatLongPlainDate(day),
    fields: [
      ["Minutes", String(duration)],
      ["Since", formatPracticeTimeOrNull(joinedAt)],
      ["Until", formatPracticeTimeOrNull(endedAt)],
      ["Offered", offers.map(({ appointmentDate }) => formatPracticeTimeOrNull(appointmentDate)).join("; ")],
    ],
  };
}

export function formatComplianceCaseForExport(row: ComplianceCaseRow): ExportRecord {
  const isIncident = row.kind === "incident";
  return {
    heading: `${KIND_LABELS[row.kind as CaseKind]} ${row.id}`,
    fields: [
      [isIncident ? "Found on" : "Came in on", formatLongPlainDate(row.receivedDay)],
      [isIncident ? "To be notified by" : "To be answered by", formatLongPlainDate(row.dueDay)],
      ["Name", row.name],
      ["Email", row.email],
      ["Phone", row.phone],
      ["Text", row.text],
      ["Closed", formatPracticeTimeOrNull(row.closedAt)],
      ["Outcome", row.outcome],
      ["What was done", row.resolution],
    ],
  };
}
