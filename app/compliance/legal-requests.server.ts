import { familyIdOf, type Person } from "../accounts/person.ts";
import { notifyConsultant } from "../accounts/email/queue-account-message.server.ts";
import {
  resolveRateLimitSubject,
  hashRateLimitSubject,
  checkOpenRequestLimit,
  type SubmissionSource,
  createFormRateLimiter,
} from "../accounts/form-rate-limits.server.ts";
import { practiceToday } from "../booking/practice-today.server.ts";
import { db, inTransaction } from "../db/database-client.server.ts";
import { DAY_SECONDS, HOUR_SECONDS } from "../time-units.ts";
import { env } from "../env.server.ts";
import type { NetworkHashes } from "../http/network-hash.server.ts";
import { accepted, type Outcome, type Refusal, refused } from "../http/outcome.ts";
import { newLegalRequestContent } from "../mail/messages/legal-request-messages.ts";
import { SerialQueue } from "../serial-queue.ts";
import { OPEN_VISITOR_CASES_CONDITION } from "./compliance-case-list.server.ts";
import { insertCase, recordComplianceCaseAudit } from "./compliance-cases.server.ts";
import { KIND_LABELS } from "./case-kinds.ts";
import { calculateDueDay } from "./case-due-dates.ts";
import type { ComplianceRequestValues } from "./legal-request-schemas.ts";

/**
 * Maximum number of open requests of visitors without an account. Requests of families are not counted. Source:
 * docs/product.md, Limits.
 */
const MAX_OPEN_VISITOR_REQUESTS = 1_000;
const NETWORK_PURPOSE = "network of a legal request";

const creationQueue = new SerialQueue();
const formLimiter = createFormRateLimiter("legal-request", 5, HOUR_SECONDS);

/**
 * Stores a request sent with the form of the legal pages, and mails the consultant. The request belongs to the
 * signed-in account, if there is one. Returns the day by which it must be answered. Refusal: tooMany, after 5 requests
 * in an hour from one known family or network, while 10 of its requests (30 for an IPv6 /48) are open, and for a
 * visitor also while 1,000 requests of visitors are open.
 */
export async function submitComplianceRequest(
  fields: ComplianceRequestValues,
  source: SubmissionSource,
): Promise<Outcome<{ dueDay: string }>> {
  const { person } = source;
  const sender = await resolveRateLimitSubject(source, fields.email);
  const rateLimitOutcome = await formLimiter.consume(sender);
  if (!rateLimitOutcome.ok) return rateLimitOutcome;
  const receivedDay = practiceToday();
  const dueDay = calculateDueDay(fields.kind, receivedDay);
  const userId = person && familyIdOf(person);
  const networks = hashRateLimitSubject(NETWORK_PURPOSE, sender);
  const row = { ...fields, ...networks, phone: fields.phone ?? null, receivedDay, dueDay, userId };
  return creationQueue.run(
    async () =>
      (rateLimitOutcome.value.isExemptFromNetworkLimit ? null : await checkOpenRequestLimits(person, networks)) ??
      inTransaction(async (transaction) => {
        const id = await insertCase(transaction, row);
        await notifyConsultant(transaction, userId, ({ firstName }) => ({
          event: "new-legal-request",
          subjectKey: `case ${id}`,
          content: newLegalRequestContent(firstName, { id, kind: KIND_LABELS[fields.kind], dueDay }),
        }));
        recordComplianceCaseAudit(transaction, "legal-request-added", { id, userId }, person?.id ?? null);
        return accepted({ dueDay });
      }),
  );
}

async function checkOpenRequestLimits(person: Person | null, networks: NetworkHashes): Promise<Refusal | null> {
  if (!env.isRateLimitingEnabled || person?.isAdmin) return null;
  if (
    person === null &&
    (await db.complianceCase.count({ where: OPEN_VISITOR_CASES_CONDITION })) >= MAX_OPEN_VISITOR_REQUESTS
  )
    return {
      ...refused(
        "tooMany",
        `Many messages are waiting for an answer. Please call us at ${env.practice.phone} instead.`,
      ),
      retryAfterSeconds: DAY_SECONDS,
    };
  return checkOpenRequestLimit(networks, (condition) =>
    db.complianceCase.count({ where: { ...condition, closedAt: null } }),
  );
}
