import {
  type AuditEvent,
  recordAuditRead,
  recordReadOncePerSessionAndWindow,
} from "../../audit/record-audit.server.ts";
import { MINUTE_MS } from "../../time-units.ts";
import type { ServerResponse } from "node:http";
import type { RouterContextProvider } from "react-router";
import type { Person } from "../../accounts/person.ts";
import { db } from "../../db/database-client.server.ts";
import { nodeResponseContext } from "../../http/request-context.server.ts";
import { logError } from "../../http/errors.server.ts";
import { parseId } from "../../http/field-schemas.ts";
import { jsonResponse } from "../../http/json.server.ts";
import { accepted, type Outcome } from "../../http/outcome.ts";
import { contentDisposition } from "./content-disposition.ts";
import { canShowInline } from "../content-type.server.ts";
import {
  findIntakeDocument,
  visibleDocumentsCondition,
  DOCUMENT_SELECT,
  documentNotFoundRefusal,
} from "../documents.server.ts";
import { admitDownload } from "./download-limits.server.ts";
import type { ClosableStream } from "../../files/closable-stream.server.ts";
import { DOWNLOAD_SELECT, openDocumentFileUnlessInfected } from "./open-document-file.server.ts";
import { bindToSession, DownloadAbortedError, onceClosed } from "./session-bound-downloads.server.ts";
import { INTAKE_DOCUMENT_ID, INTAKE_FILE_NAME } from "../intake-document.ts";
import { markDocumentsOpened } from "../document-review.server.ts";

const RANGE_REQUEST_AUDIT_WINDOW_MS = 10 * MINUTE_MS;

/** Byte positions; both ends are included, as in the Range header. */
type ByteRange = { from: number; to: number };

// An uploaded file can't run scripts, submit forms or be framed, and has no origin (sandbox).
const DOCUMENT_CSP =
  "default-src 'none'; img-src 'self'; media-src 'self'; object-src 'self'; style-src 'unsafe-inline'; " +
  "frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox";

/**
 * Serves a document inline if its type is safe, otherwise as a download: the whole file or one range. Supports HEAD.
 */
export async function serveDocument(
  person: Person,
  idText: string | undefined,
  kind: "inline" | "attachment",
  request: Request,
  context: Readonly<RouterContextProvider>,
): Promise<Outcome<Response>> {
  if (isIntakeDocumentId(idText)) return serveIntakeDocument(person, kind, request);
  const id = parseId(idText);
  const select = { ...DOCUMENT_SELECT, ...DOWNLOAD_SELECT, sha256: true, reviewedAt: true, openedByFamilyAt: true };
  const document =
    id === null ? null : await db.document.findFirst({ where: { ...visibleDocumentsCondition(person), id }, select });
  if (!document) return documentNotFoundRefusal();

  const { fileName, fileType, fileSize, sha256 } = document;
  const disposition = kind === "inline" && canShowInline(fileType) ? "inline" : "attachment";
  const etag = `"${sha256}"`;
  const headers = fileHeaders(fileType, contentDisposition(disposition, fileName), {
    "Accept-Ranges": "bytes",
    ETag: etag,
  });
  const range = requestedRange(request, etag, fileSize);
  if (range === "unsatisfiable") return accepted(rangeNotSatisfiable(fileSize));
  const { from, to } = range === "full" ? { from: 0, to: fileSize - 1 } : range;
  const isHead = request.method === "HEAD";
  const downloadSlotRefusal = isHead ? null : await admitDownload(context);
  if (downloadSlotRefusal) return downloadSlotRefusal;
  const file = await openDocumentFileUnlessInfected(document, from, to + 1);
  if (!file.ok) return file;
  if (!isHead) {
    const action = disposition === "inline" ? "document-opened" : "document-downloaded";
    const event = { action, familyId: document.userId, objectId: document.id } as const;
    try {
      await recordRangeRead(event, from > 0);
      await markDocumentsOpened(person, [document]);
    } catch (error) {
      // Nobody will read the file.
      await file.value.close();
      throw error;
    }
  }
  headers.set("Content-Length", String(to - from + 1));
  if (range !== "full") headers.set("Content-Range", `bytes ${from}-${to}/${fileSize}`);
  if (isHead) await file.value.close();
  const body = isHead ? null : createResponseBody(file.value, `alert: document ${document.id} was cut off`, context);
  return accepted(new Response(body, { status: range === "full" ? 200 : 206, headers }));
}

/** Records that a document was read. A viewer reads one file in many parts; the later parts belong to the same read. */
function recordRangeRead(event: AuditEvent, isLaterPart: boolean): Promise<void> {
  return isLaterPart ? recordReadOncePerSessionAndWindow(RANGE_REQUEST_AUDIT_WINDOW_MS, event) : recordAuditRead(event);
}

function rangeNotSatisfiable(size: number): Response {
  const headers = { "Accept-Ranges": "bytes", "Content-Range": `bytes */${size}` };
  return jsonResponse({ message: `There is no such part of this document. It has ${size} bytes.` }, 416, headers);
}

export function isIntakeDocumentId(id: string | undefined): boolean {
  return id === String(INTAKE_DOCUMENT_ID);
}

/**
 * Creates a response body with backpressure. An error, or the end of the session, destroys the connection, so that a
 * partial file is not mistaken for a complete one. If there is a Node response, chunks are written directly to it, and
 * their buffers are reused once sent.
 */
export function createResponseBody(
  content: ClosableStream,
  logContext: string,
  context: Readonly<RouterContextProvider>,
): ReadableStream<Uint8Array> {
  const outgoing = context.get(nodeResponseContext);
  const stream = bindToSession(content, context);
  // A client may also disconnect while the storage delivers nothing, when no write could fail, or before anything is
  // read, when the framework neither reads nor cancels the body.
  if (outgoing) onceClosed(outgoing, () => void stream.close().catch((error: unknown) => logError(error, logContext)));
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { value, done } = await (outgoing ? pipeToResponse(stream, outgoing) : stream.next());
          if (done) controller.close();
          else controller.enqueue(new Uint8Array(value));
        } catch (error) {
          // The client disconnected or the session has ended, which closed the stream and made its next read fail.
          const hasReader = !(error instanceof DownloadAbortedError) && outgoing?.destroyed !== true;
          await stream.close();
          if (hasReader) logError(error, logContext);
          controller.error(error);
        }
      },
      async cancel() {
        await stream.close();
      },
    },
    { highWaterMark: 0 },
  );
}

async function pipeToResponse(stream: ClosableStream, outgoing: ServerResponse): Promise<IteratorReturnResult<void>> {
  for (;;) {
    const chunk = await stream.next();
    if (chunk.done) return chunk;
    await new Promise<void>((resolve, reject) => {
      outgoing.write(chunk.value, (error) => (error ? reject(new DownloadAbortedError(error.message)) : resolve()));
    });
  }
}

export function fileHeaders(type: string, disposition: string, extraHeaders: Record<string, string> = {}): Headers {
  return new Headers({
    "Content-Type": type === "text/plain" ? "text/plain; charset=utf-8" : type,
    "Content-Disposition": disposition,
    "Content-Security-Policy": DOCUMENT_CSP,
    "Cache-Control": "private, no-store",
    ...extraHeaders,
  });
}

async function serveIntakeDocument(
  person: Person,
  kind: "inline" | "attachment",
  request: Request,
): Promise<Outcome<Response>> {
  const found = await findIntakeDocument(person);
  if (!found.ok) return found;
  if (request.method !== "HEAD")
    await recordAuditRead({
      action: kind === "inline" ? "intake-opened" : "intake-downloaded",
      familyId: person.id,
    });
  const length = { "Content-Length": String(Buffer.byteLength(found.value.text)) };
  const headers = fileHeaders("text/plain", contentDisposition(kind, INTAKE_FILE_NAME), length);
  return accepted(new Response(request.method === "HEAD" ? null : found.value.text, { headers }));
}

/** Returns the requested range, or "full" if If-Range names another version (RFC 9110 §13.1.5). */
function requestedRange(request: Request, etag: string, size: number): ByteRange | "full" | "unsatisfiable" {
  const ifRange = request.headers.get("if-range");
  return ifRange !== null && ifRange !== etag ? "full" : parseRange(request.headers.get("range"), size);
}

/**
 * Returns the single range that a Range header names. Returns "full" for no range, several ranges or a header that
 * can't be parsed, which RFC 9110 §14.2 lets a server ignore, and "unsatisfiable" for a range beyond the end of the
 * file. Not `range-parser`: it treats a suffix longer than the file as unsatisfiable, but RFC 9110 requires the whole
 * file.
 */
function parseRange(header: string | null, size: number): ByteRange | "full" | "unsatisfiable" {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? "") ?? [];
  if (first === "" && last === "") return "full";
  if (first === "")
    return last === "0" || /^0+$/.test(last)
      ? "unsatisfiable"
      : { from: Math.max(0, size - Number(last)), to: size - 1 };
  const from = Number(first);
  const to = last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== "" && Number(last) < from) return "full";
  return from >= size ? "unsatisfiable" : { from, to };
}
