import type { ServerResponse } from "node:http";
import type { RouterContextProvider } from "react-router";
import type { Person } from "../accounts/person.ts";
import { db } from "../db.server.ts";
import { nodeResponseContext } from "../http/context.server.ts";
import { logError } from "../http/failure.server.ts";
import { parseId } from "../http/fields.ts";
import { jsonResponse } from "../http/json.server.ts";
import { accepted, type Outcome } from "../http/outcome.ts";
import { contentDisposition } from "./content-disposition.ts";
import { isShownInline } from "./content-type.server.ts";
import { findIntakeDocument, seenBy, SHOWN, unknownDocument } from "./documents.server.ts";
import { openDownload } from "./downloads.server.ts";
import type { HandedOn } from "./handed-on.server.ts";
import { type ByteRange, readRange } from "./range.ts";
import { FILE, openDocument } from "./read.server.ts";
import { INTAKE_DOCUMENT_ID, INTAKE_FILE_NAME } from "./intake-document.ts";

// A document opens as what it is, alone: no script, no form, no origin of its own, in nobody's frame.
const SANDBOX =
  "default-src 'none'; img-src 'self'; media-src 'self'; object-src 'self'; style-src 'unsafe-inline'; " +
  "frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox";

/** A document as a browser shows it (where that is safe) or saves it, whole or the one range asked for; HEAD too. */
export async function sendDocument(
  person: Person,
  idText: string | undefined,
  kind: "inline" | "attachment",
  request: Request,
  context: Readonly<RouterContextProvider>,
): Promise<Outcome<Response>> {
  if (isIntake(idText)) return sendIntake(person, kind, request);
  const id = parseId(idText);
  const select = { ...SHOWN, ...FILE, sha256: true };
  const document = id === null ? null : await db.document.findFirst({ where: { ...seenBy(person), id }, select });
  if (!document) return unknownDocument();

  const { fileName, fileType, fileSize, sha256 } = document;
  const disposition = kind === "inline" && isShownInline(fileType) ? "inline" : "attachment";
  const etag = `"${sha256}"`;
  const headers = fileHeaders(fileType, contentDisposition(disposition, fileName), {
    "Accept-Ranges": "bytes",
    ETag: etag,
  });
  const range = askedRange(request, etag, fileSize);
  if (range === "none") return accepted(beyondTheEnd(fileSize));
  const { from, to } = range === "whole" ? { from: 0, to: fileSize - 1 } : range;
  const isHead = request.method === "HEAD";
  const tooMany = isHead ? null : openDownload(context);
  if (tooMany) return tooMany;
  const opened = await openDocument(document, from, to + 1);
  if (!opened.ok) return opened;
  headers.set("Content-Length", String(to - from + 1));
  if (range !== "whole") headers.set("Content-Range", `bytes ${from}-${to}/${fileSize}`);
  if (isHead) await opened.value.end();
  const body = isHead
    ? null
    : asStream(opened.value, `alert: document ${document.id} was cut off`, context.get(nodeResponseContext));
  return accepted(new Response(body, { status: range === "whole" ? 200 : 206, headers }));
}

function beyondTheEnd(size: number): Response {
  const headers = { "Accept-Ranges": "bytes", "Content-Range": `bytes */${size}` };
  return jsonResponse({ message: `There is no such part of this document. It has ${size} bytes.` }, 416, headers);
}

export function isIntake(id: string | undefined): boolean {
  return id === String(INTAKE_DOCUMENT_ID);
}

/**
 * Hands bytes on as fast as they are taken and no faster; an error cuts the connection, so that half is not taken for
 * whole. They are written straight to the connection that waits: nobody holds a part longer than it takes to leave.
 */
export function asStream(bytes: HandedOn, where: string, outgoing: ServerResponse | null): ReadableStream<Uint8Array> {
  // Also while nothing comes from the store, and so nothing is written that could fail.
  outgoing?.once("close", () => void bytes.end().catch((error: unknown) => logError(error, where)));
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { value, done } = await (outgoing ? writeAll(bytes, outgoing) : bytes.next());
          if (done) controller.close();
          else controller.enqueue(new Uint8Array(value));
        } catch (error) {
          await bytes.end();
          if (!(error instanceof ReaderLeft)) logError(error, where);
          controller.error(error);
        }
      },
      async cancel() {
        await bytes.end();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Nobody's fault: there is nothing to log. */
class ReaderLeft extends Error {
  override name = "ReaderLeft";
}

async function writeAll(bytes: HandedOn, outgoing: ServerResponse): Promise<IteratorReturnResult<void>> {
  for (;;) {
    const part = await bytes.next();
    if (part.done) return part;
    await new Promise<void>((resolve, reject) => {
      outgoing.write(part.value, (error) => (error ? reject(new ReaderLeft(error.message)) : resolve()));
    });
  }
}

export function fileHeaders(type: string, disposition: string, more: Record<string, string> = {}): Headers {
  return new Headers({
    "Content-Type": type === "text/plain" ? "text/plain; charset=utf-8" : type,
    "Content-Disposition": disposition,
    "Content-Security-Policy": SANDBOX,
    "Cache-Control": "private, no-store",
    ...more,
  });
}

async function sendIntake(person: Person, kind: "inline" | "attachment", request: Request): Promise<Outcome<Response>> {
  const found = await findIntakeDocument(person);
  if (!found.ok) return found;
  const length = { "Content-Length": String(Buffer.byteLength(found.value.text)) };
  const headers = fileHeaders("text/plain", contentDisposition(kind, INTAKE_FILE_NAME), length);
  return accepted(new Response(request.method === "HEAD" ? null : found.value.text, { headers }));
}

/** A range is asked of one certain version; of another the whole is sent. */
function askedRange(request: Request, etag: string, size: number): ByteRange | "whole" | "none" {
  const version = request.headers.get("if-range");
  return version !== null && version !== etag ? "whole" : readRange(request.headers.get("range"), size);
}
