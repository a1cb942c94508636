import type { Person } from "../../accounts/person.ts";
import { findAppointment, findAppointmentWithAudit } from "../../booking/find-appointment.server.ts";
import { createClaimLink, findClaimLinkExpiry } from "../../booking/claims/claims.server.ts";
import { inviteFamily } from "../../booking/invitations/invitations.server.ts";
import { pendingNotificationText } from "../../booking/manual-notification/manual-notification.ts";
import { SHORT_VISIT_KIND_LABELS, visitKind } from "../../booking/visit-kind.ts";
import { now } from "../../clock.ts";
import { toRequestRow } from "../../consultation-requests/request-rows.ts";
import {
  findConsultationRequest,
  findConsultationRequestWithAudit,
} from "../../consultation-requests/consultation-requests.server.ts";
import { manualNotificationContact } from "../../consultation-requests/manual-notification-contacts.server.ts";
import { env } from "../../env.server.ts";
import { accepted, type Outcome, refused } from "../../http/outcome.ts";

/**
 * Returns the person of a visit without an account: contact details, time and kind of the visit, and when her claim
 * link expires. `contact` is null if no consultation request identifies her. Refusals: those of `findClaimLinkExpiry`.
 */
export async function loadClaimLinkPage(person: Person, id: number | null) {
  const link = await findClaimLinkExpiry(person, id);
  if (!link.ok) return link;
  const found = await findAppointmentWithAudit(person, id);
  if (!found.ok) return found;
  const visit = found.value;
  const request = await findConsultationRequestWithAudit(person, visit.consultationRequestId);
  const row = request && toRequestRow(request, env.practice);
  return accepted({
    id: visit.id,
    start: visit.appointmentDate.toISOString(),
    kind: SHORT_VISIT_KIND_LABELS[visitKind(visit)],
    linkEndsAt: link.value.linkEndsAt?.toISOString() ?? null,
    isVideo: visit.isLiveVideoCall,
    isNotificationPending: pendingNotificationText(visit, now()) !== null,
    contact: request && row && { name: row.name, ...manualNotificationContact(request, visit) },
  });
}

/**
 * Creates the claim link, and a mailto URL for an email message with the link that the consultant sends herself.
 * Refusals: those of `createClaimLink`.
 */
export async function createClaimLinkWithMailto(person: Person, id: number | null) {
  const createdLink = await createClaimLink(person, id);
  if (!createdLink.ok) return createdLink;
  const found = await findVisitWithConsultationRequest(person, id);
  if (!found.ok) return found;
  const { visit, request } = found.value;
  const { url, expiresAt } = createdLink.value;
  const mailtoUrl = request ? manualNotificationContact(request, visit, url).mailtoUrl : null;
  return accepted({ url, expiresAt: expiresAt.toISOString(), mailtoUrl });
}

/**
 * Invites the person of a visit, with the address and name from her request. Refusals: invalid; those of
 * `inviteFamily`.
 */
export async function inviteVisitContact(person: Person, id: number | null) {
  const found = await findVisitWithConsultationRequest(person, id);
  if (!found.ok) return found;
  const { visit, request } = found.value;
  if (!request?.email) return refused("invalid", "No email address is known of this visit's family.");
  const { email, firstName, lastName } = request;
  return inviteFamily(person, { email, firstName, lastName, appointmentId: visit.id });
}

async function findVisitWithConsultationRequest(person: Person, id: number | null): Promise<Outcome<VisitContact>> {
  const visit = await findAppointment(person, id);
  if (!visit.ok) return visit;
  return accepted({
    visit: visit.value,
    request: await findConsultationRequest(person, visit.value.consultationRequestId),
  });
}

type VisitContact = {
  visit: Extract<Awaited<ReturnType<typeof findAppointment>>, { ok: true }>["value"];
  request: Awaited<ReturnType<typeof findConsultationRequest>>;
};
