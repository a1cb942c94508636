import { assertAdministrator } from "../accounts/authorization.server.ts";
import { recordTextsListed } from "../audit/record-list-reads.server.ts";
import type { Person } from "../accounts/person.ts";
import { db } from "../db/database-client.server.ts";
import { readRowsWithinByteLimit } from "../db/byte-limited-list.server.ts";
import { readOptionalIdParameter } from "../http/field-schemas.ts";
import { accepted, type Outcome } from "../http/outcome.ts";
import { KeyedSerialQueue } from "../serial-queue.ts";
import { findRankedRequestIds } from "./request-ranking.server.ts";
import {
  type ConsultationRequest,
  CONSULTATION_REQUEST_SELECT,
  consultationRequestNotFoundRefusal,
} from "./consultation-requests.server.ts";

/** Maximum number of requests in one list. Source: docs/product.md, Limits. */
export const MAX_API_LISTED_REQUESTS = 500;
/** Maximum number of ranked requests, across all consecutive lists. */
const MAX_RANKED_REQUESTS = 10_000;

/** Decrypting and writing long texts takes a while, so each person's lists are read one at a time. */
const listQueue = new KeyedSerialQueue<number>();

/**
 * Returns the open requests in ranked order: 500, or fewer if their texts are long (see `readRowsWithinByteLimit`). With
 * `after`, the list begins after the request with that id. For the administrator; throws for anyone else. Refusals:
 * malformed, notFound (no open request has that id).
 */
export function listConsultationRequests(
  person: Person,
  query: URLSearchParams,
): Promise<Outcome<ConsultationRequest[]>> {
  assertAdministrator(person);
  return listQueue.run(person.id, async () => {
    const after = readOptionalIdParameter(query, "after", "an open request");
    if (!after.ok) return after;
    const ranked = await findRankedRequestIds(MAX_RANKED_REQUESTS);
    const index = after.value === null ? -1 : ranked.indexOf(after.value);
    if (after.value !== null && index === -1) return consultationRequestNotFoundRefusal();
    const ids = ranked.slice(index + 1, index + 1 + MAX_API_LISTED_REQUESTS);
    const readRows = (batch: number[]) =>
      db.consultationRequest.findMany({
        where: { status: "pending", id: { in: batch } },
        select: CONSULTATION_REQUEST_SELECT,
      });
    const listed = await readRowsWithinByteLimit(ids, readRows, (request) => request);
    await recordTextsListed(listed.map(({ userId }) => userId));
    return accepted(listed);
  });
}
