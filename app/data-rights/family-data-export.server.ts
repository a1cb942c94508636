import { familyNotFoundRefusal } from "../accounts/authorization.server.ts";
import type { RouterContextProvider } from "react-router";
import { fullName, type Person, PERSON_SELECT } from "../accounts/person.ts";
import { recordAuditNow } from "../audit/record-audit.server.ts";
import { now } from "../clock.ts";
import { db } from "../db/database-client.server.ts";
import { type ArchiveEntry, streamArchive } from "../documents/download/stream-archive.server.ts";
import { contentDisposition } from "../documents/download/content-disposition.ts";
import { admitDownload } from "../documents/download/download-limits.server.ts";
import { fileHeaders, createResponseBody } from "../documents/download/serve-document.server.ts";
import { HOUR_SECONDS } from "../time-units.ts";
import { env } from "../env.server.ts";
import type { ClosableStream } from "../files/closable-stream.server.ts";
import { accepted, type Outcome } from "../http/outcome.ts";
import { createRateLimiter } from "../http/rate-limit.server.ts";
import { listExportedDocuments } from "./exported-documents.server.ts";
import { type ExportHeader, streamIndexHtml, streamDataJson } from "./export-json-and-html.server.ts";
import { describeExcludedRecords } from "./export-preview.server.ts";
import { buildExportSections } from "./export-sections.server.ts";
import { findUnconfirmedEmail } from "./unconfirmed-email.server.ts";

/** Limits exports per hour, because an export reads all data of a family. */
const exportLimiter = createRateLimiter("export", 10, HOUR_SECONDS);

type Context = Readonly<RouterContextProvider>;

/**
 * Responds with everything that is held about the person's own family, as a ZIP archive: index.html, data.json and
 * documents/. The consultant's private records are left out, but their numbers are stated. Refusals: tooMany (10 an
 * hour, and the limits of downloads), unavailable.
 */
export function ownExportResponse(person: Person, request: Request, context: Context): Promise<Outcome<Response>> {
  return respondWithExport(person, person, request, context);
}

/**
 * Responds with the export of the family `familyId` for the administrator, including her notes and unshared documents.
 * Refusals: notFound, also for anyone else; tooMany; unavailable.
 */
export async function familyExportResponse(
  admin: Person,
  familyId: number | null,
  request: Request,
  context: Context,
): Promise<Outcome<Response>> {
  const family =
    admin.isAdmin && familyId !== null
      ? await db.user.findFirst({ where: { id: familyId, isAdmin: false }, select: PERSON_SELECT })
      : null;
  return family ? respondWithExport(admin, family, request, context) : familyNotFoundRefusal();
}

async function respondWithExport(
  requester: Person,
  family: Person,
  request: Request,
  context: Context,
): Promise<Outcome<Response>> {
  const fileName = requester.isAdmin ? `${fullName(family)}, everything.zip` : "everything-about-us.zip";
  const headers = fileHeaders("application/zip", contentDisposition("attachment", fileName));
  if (request.method === "HEAD") return accepted(new Response(null, { headers }));
  const rateLimitRefusal = (await admitDownload(context)) ?? (await exportLimiter.consume(String(requester.id)));
  if (rateLimitRefusal) return rateLimitRefusal;
  await recordAuditNow({
    action: "account-exported",
    actorId: requester.id,
    familyId: family.id,
    objectId: family.id,
  });
  const archive = await createExportArchive(family, { isForConsultant: requester.isAdmin });
  const body = createResponseBody(archive, "alert: an export was cut off", context);
  return accepted(new Response(body, { headers }));
}

async function createExportArchive(
  family: Person,
  { isForConsultant }: { isForConsultant: boolean },
): Promise<ClosableStream> {
  const { documents, entries } = await listExportedDocuments(family, { withUnshared: isForConsultant });
  const exportedAt = now();
  const leftOut = [
    ...(isForConsultant ? [] : await excludedSentences(family)),
    ...(await unconfirmedSentences(family)),
  ];
  const header: ExportHeader = { name: fullName(family), exportedAt, leftOut };
  const sections = buildExportSections(family, { documents, withNotes: isForConsultant });
  const unreadableCounts = new Map<string, number>();
  async function* files(): AsyncGenerator<ArchiveEntry> {
    // Documents come first, because the two other files list what could not be read.
    yield* entries();
    const file = { modifiedAt: exportedAt, isText: true } as const;
    yield { ...file, name: "data.json", content: streamDataJson(header, sections, unreadableCounts) };
    yield { ...file, name: "index.html", content: streamIndexHtml(header, sections, unreadableCounts) };
  }
  return streamArchive(files());
}

/** Returns sentences about what a family's own export leaves out, and how to get it. */
async function excludedSentences(family: Person): Promise<string[]> {
  const excluded = await describeExcludedRecords(family);
  if (excluded === null) return [];
  return [
    `Not in this copy: ${excluded}. They are about your family too. Ask for them at ${env.practice.phone} or ${env.practice.email}, and you get your copy within 30 days.`,
  ];
}

/** Returns sentences about records that an export leaves out because they may belong to another person. */
async function unconfirmedSentences(family: Person): Promise<string[]> {
  const unconfirmed = await findUnconfirmedEmail(family);
  if (unconfirmed === null) return [];
  return [
    `Not in this copy: what was sent with ${unconfirmed.email} while nobody was signed in, the visits and payments that came of it, and an invitation of ours to that address, if there is one. The address is not confirmed, so they may be somebody else’s.`,
  ];
}
