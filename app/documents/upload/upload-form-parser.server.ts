import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import type { BusboyFileStream, BusboyInstance } from "@fastify/busboy";
import { MULTIPART_MEDIA_TYPE, parseMediaType } from "../../http/request-body.server.ts";
import { type Refusal, refused } from "../../http/outcome.ts";
import { UPLOAD_FIELD_NAMES } from "../document-schemas.ts";
import { createPartLimitTransform, TooManyPartsError } from "./multipart-part-limit.server.ts";

/** RFC 2046: up to 70 of these characters. */
const BOUNDARY_PATTERN =
  /;[ \t]*boundary=(?:"([\w'()+./:=? -]{0,69}[\w'()+./:=?-])"|([\w'()+./:=?-]{1,70}))[ \t]*(?:;|$)/i;
const ONE_FILE_ONLY_MESSAGE = "Please send one file at a time.";
const MAX_PARTS = 24;
const MULTIPART_LIMITS = {
  files: 1,
  fields: 20,
  parts: MAX_PARTS,
  fieldSize: 24 * 1024,
  headerPairs: 32,
  headerSize: 8 * 1024,
};

/** Stops reading a request; `refusal` is the response to its sender. */
export class UploadRejectedError extends Error {
  override name = "UploadRejectedError";
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** The connection was closed before the upload was recorded, so no response is possible. */
export class UploadAbortedError extends Error {
  override name = "UploadAbortedError";
}

export type RawUploadFields = Partial<Record<(typeof UPLOAD_FIELD_NAMES)[number], string>>;
export type IncomingFile = { name: string; bytes: Readable };

/**
 * Parses a multipart form with one file from the connection, and stores its text fields in `fields`. Passes the file to
 * `onFile` as a stream while it arrives. Returns the result of `onFile`, or null if the form has no file. Parsing stops
 * at the first problem: throws UploadRejectedError, UploadAbortedError or the error of `onFile`.
 */
export async function parseUploadForm<T>(
  request: IncomingMessage,
  fields: RawUploadFields,
  onFile: (file: IncomingFile) => Promise<T>,
): Promise<T | null> {
  const boundary = readBoundary(request);
  const parser = await createParser(request, boundary);
  const partLimit = createPartLimitTransform(boundary, MAX_PARTS);
  const pending: { file?: Promise<T> } = {};
  let currentFile: BusboyFileStream | undefined;
  let fail: (error: Error) => void = () => {};
  const onClose = () => {
    if (!request.complete) fail(new UploadAbortedError("The sender left."));
  };
  const parsed = new Promise<void>((resolve, reject) => {
    fail = reject;
    const rejectUpload = (refusal: Refusal) => reject(new UploadRejectedError(refusal));
    parser.on("field", (name: string, value: string, isNameTruncated: boolean, isValueTruncated: boolean) => {
      if (isNameTruncated || isValueTruncated)
        return rejectUpload(refused("tooLarge", "A field of the form is too long."));
      const fieldName = UPLOAD_FIELD_NAMES.find((each) => each === name);
      if (!fieldName) return;
      if (fields[fieldName] !== undefined) return rejectUpload(refused("malformed", `Send ${fieldName} once.`));
      fields[fieldName] = value;
    });
    parser.on("file", (field: string, bytes: BusboyFileStream, name: string | undefined) => {
      // `onFile` also gets the error; without this listener it would crash the process.
      bytes.on("error", () => {});
      if (!name) return void bytes.resume();
      if (field !== "file") return rejectUpload(refused("malformed", "Send the file in the field named file."));
      currentFile = bytes;
      pending.file = onFile({ name, bytes });
      pending.file.catch(reject);
    });
    parser.on("filesLimit", () =>
      rejectUpload(refused("malformed", ONE_FILE_ONLY_MESSAGE, { file: [ONE_FILE_ONLY_MESSAGE] })),
    );
    const rejectManyParts = () => rejectUpload(refused("tooLarge", "The form has too many parts."));
    for (const event of ["partsLimit", "fieldsLimit"] as const) parser.on(event, rejectManyParts);
    partLimit.on("error", (error) => (error instanceof TooManyPartsError ? rejectManyParts() : reject(error)));
    parser.on("error", () =>
      rejectUpload(refused("malformed", "The form ends too early, or is not written as a form.")),
    );
    parser.on("finish", resolve);
    request.on("close", onClose);
    // Node does not emit "close" again if the sender left before.
    if (request.socket.destroyed) onClose();
    request.pipe(partLimit).pipe(parser);
  });

  try {
    await parsed;
    return (await pending.file) ?? null;
  } catch (error) {
    request.unpipe(partLimit);
    partLimit.destroy();
    currentFile?.destroy(error as Error);
    // `onFile` deletes the partial file before the sender gets a response.
    await pending.file?.catch(() => {});
    throw error;
  } finally {
    request.off("close", onClose);
  }
}

function readBoundary(request: IncomingMessage): string {
  const mediaType = parseMediaType(request.headers["content-type"]);
  if (mediaType?.type !== MULTIPART_MEDIA_TYPE) {
    throw new UploadRejectedError(
      refused("unsupported", "Send the file as a form (Content-Type: multipart/form-data)."),
    );
  }
  const [, quoted, unquoted] = BOUNDARY_PATTERN.exec(`;${mediaType.parameters}`) ?? [];
  const boundary = quoted ?? unquoted;
  if (!boundary)
    throw new UploadRejectedError(refused("malformed", "The form does not say where its parts begin (boundary)."));
  return boundary;
}

/** Passes on the boundary that the parts are counted by, and no other parameter of the header. */
async function createParser(request: IncomingMessage, boundary: string): Promise<BusboyInstance> {
  const { Busboy } = await import("@fastify/busboy");
  const type = `${MULTIPART_MEDIA_TYPE}; boundary="${boundary}"`;
  return new Busboy({ headers: { ...request.headers, "content-type": type }, limits: MULTIPART_LIMITS });
}
