import type { Person } from "../accounts/person.ts";
import { recordAuditRead } from "../audit/record-audit.server.ts";
import { now } from "../clock.ts";
import { db } from "../db/database-client.server.ts";
import { accepted, type Outcome } from "../http/outcome.ts";
import { readAppointments, readConsultationRequests, readMessages, readPayments } from "./record-readers.server.ts";
import { findRecordsWithoutAccount, requestRecordsConditions } from "./request-records.server.ts";

/** More than one person's invitations can be: an address gets at most three a day. */
const MAX_INVITATIONS = 1000;
/** More than the requests about privacy of one address. */
const MAX_CASES = 1000;

/**
 * Returns everything that is held about a person without an account, for the administrator: the request, its visit,
 * payments, messages and invitations. Instants are UTC, amounts US cents. Refusals: notFound, also for anyone else;
 * conflict, if the request or its visit belongs to an account.
 */
export async function exportConsultationRequest(
  person: Person,
  id: number | null,
  { isRead }: { isRead: boolean },
): Promise<Outcome<object>> {
  const found = await findRecordsWithoutAccount(person, id);
  if (!found.ok) return found;
  const request = found.value;
  if (isRead) await recordAuditRead({ action: "request-exported", familyId: null, objectId: request.id });
  const { messages, invitations, payments, cases } = await requestRecordsConditions(request);
  const [consultationRequest] = await collectRows(readConsultationRequests({ id: request.id }));
  return accepted({
    exportedAt: now(),
    consultationRequest,
    appointments: await collectRows(readAppointments({ consultationRequestId: request.id })),
    payments: await collectRows(readPayments(payments, { withNotes: true })),
    messages: await collectRows(readMessages(messages)),
    legalRequests: await db.complianceCase.findMany({
      where: cases,
      orderBy: { id: "asc" },
      take: MAX_CASES,
      omit: { network: true, wideNetwork: true },
    }),
    invitations: await db.invitation.findMany({
      where: invitations,
      orderBy: { id: "asc" },
      take: MAX_INVITATIONS,
      omit: { tokenHash: true },
    }),
  });
}

async function collectRows<Row>(source: AsyncIterable<Row>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const row of source) rows.push(row);
  return rows;
}
