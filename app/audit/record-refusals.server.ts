import { HTTP_STATUS } from "../http/outcome.ts";
import { MINUTE_SECONDS } from "../time-units.ts";
import { parseId } from "../http/field-schemas.ts";
import { createRateLimiter } from "../http/rate-limit.server.ts";
import type { ObjectType } from "./audit-actions.ts";
import { type AuditEvent, recordAuditNow } from "./record-audit.server.ts";

/** Object type of the id in a path, by the preceding path segment. */
const OBJECT_TYPE_BY_SEGMENT: Record<string, ObjectType> = {
  appointments: "appointment",
  "video-call": "appointment",
  documents: "document",
  families: "account",
  users: "account",
  notes: "note",
  receipts: "payment",
  requests: "request",
  compliance: "case",
  "consultation-requests": "request",
};
/** Matches the paths that identify a family by `?userId=`. */
const INTAKE_PATH_PATTERN = /(?:^|\/)intake-form(?:s|\.txt|\/changes)?$/;

/** Maximum recorded refusals of one person in ten minutes, so that someone who tries every id can't fill the disk. */
const recordedRefusalLimiter = createRateLimiter("audit-refusals", 60, 10 * MINUTE_SECONDS);

type HandledRequest = { pattern: string; params: Record<string, string | undefined>; url: URL; status: number };

/** Records that a signed-in person was refused access to a record by its id, or to a page that is not for them. */
export async function recordRequestIfRefused(
  person: { id: number } | null,
  handledRequest: HandledRequest,
): Promise<void> {
  const { status } = handledRequest;
  if (!person || (status !== HTTP_STATUS.forbidden && status !== HTTP_STATUS.notFound)) return;
  const object = refusedObject(handledRequest);
  if (!object && status === HTTP_STATUS.notFound) return;
  await recordRefusedAttempt(person.id, { action: "access-refused", ...object });
}

type RefusedAttempt = Pick<AuditEvent, "objectType" | "objectId"> & {
  action: "access-refused" | "upload-refused" | "infected-upload-refused" | "socket-refused";
};

/** Records a refusal outside of the pages: a visit's video room, a file or a connection. */
export async function recordRefusedAttempt(personId: number, attempt: RefusedAttempt): Promise<void> {
  if (await recordedRefusalLimiter.consume(String(personId))) return;
  await recordAuditNow({ actorId: personId, ...attempt });
}

/** Returns the last record in the path that is identified by an id, or null if there is none. */
function refusedObject({ pattern, params, url }: HandledRequest): { objectType: ObjectType; objectId: number } | null {
  const segments = pattern.split("/");
  for (const [index, segment] of [...segments.entries()].toReversed()) {
    const objectType = segment.startsWith(":") ? OBJECT_TYPE_BY_SEGMENT[segments[index - 1] ?? ""] : undefined;
    const objectId = objectType ? parseId(params[segment.slice(1)]) : null;
    if (objectType && objectId !== null) return { objectType, objectId };
  }
  const ownerId = INTAKE_PATH_PATTERN.test(pattern) ? parseId(url.searchParams.get("userId") ?? "") : null;
  return ownerId === null ? null : { objectType: "intake form", objectId: ownerId };
}
