import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import type { BusboyFileStream, BusboyInstance } from "@fastify/busboy";
import { type Refusal, refused } from "../http/outcome.ts";
import { UPLOAD_FIELDS } from "./shapes.ts";

const ONE_FILE = "Please send one file at a time.";
const LIMITS = { files: 1, fields: 20, parts: 24, fieldSize: 24 * 1024, headerPairs: 32, headerSize: 8 * 1024 };

/** Ends a request that is still coming in; carries what its sender is told. */
export class UploadRefused extends Error {
  override name = "UploadRefused";
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** The sender left, or was too slow: nobody is there to be told anything. */
export class UploadAborted extends Error {
  override name = "UploadAborted";
}

export type Fields = Partial<Record<(typeof UPLOAD_FIELDS)[number], string>>;
export type IncomingFile = { name: string; bytes: Readable };

/**
 * Reads a form with one file as it comes in, straight from the connection, into `fields`. `take` gets the file while it
 * is still arriving, and what it makes of it is returned; null where the form has none. The first thing wrong ends it
 * all: UploadRefused, or what `take` threw.
 */
export async function readMultipart<T>(
  request: IncomingMessage,
  fields: Fields,
  take: (file: IncomingFile) => Promise<T>,
): Promise<T | null> {
  const parser = await makeParser(request);
  const held: { taking?: Promise<T> } = {};
  let current: BusboyFileStream | undefined;
  let fail: (error: Error) => void = () => {};
  const onClose = () => {
    if (!request.complete) fail(new UploadAborted("The sender left."));
  };
  const reading = new Promise<void>((resolve, reject) => {
    fail = reject;
    const refuse = (refusal: Refusal) => reject(new UploadRefused(refusal));
    parser.on("field", (name: string, value: string, nameCut: boolean, valueCut: boolean) => {
      if (nameCut || valueCut) return refuse(refused("tooLarge", "A field of the form is too long."));
      const known = UPLOAD_FIELDS.find((each) => each === name);
      if (!known) return;
      if (fields[known] !== undefined) return refuse(refused("malformed", `Send ${known} once.`));
      fields[known] = value;
    });
    parser.on("file", (field: string, bytes: BusboyFileStream, name: string | undefined) => {
      // Whoever takes it hears of it; where nobody does, the parser's own error says the same.
      bytes.on("error", () => {});
      if (!name) return void bytes.resume();
      if (field !== "file") return refuse(refused("malformed", "Send the file in the field named file."));
      current = bytes;
      held.taking = take({ name, bytes });
      held.taking.catch(reject);
    });
    parser.on("filesLimit", () => refuse(refused("malformed", ONE_FILE, { file: [ONE_FILE] })));
    for (const event of ["partsLimit", "fieldsLimit"] as const) {
      parser.on(event, () => refuse(refused("tooLarge", "The form has too many parts.")));
    }
    parser.on("error", () => refuse(refused("malformed", "The form ends too early, or is not written as a form.")));
    parser.on("finish", resolve);
    request.on("close", onClose);
    request.pipe(parser);
  });

  try {
    await reading;
    return (await held.taking) ?? null;
  } catch (error) {
    request.unpipe(parser);
    current?.destroy(error as Error);
    // What was taken is put away before the sender hears of it.
    await held.taking?.catch(() => {});
    throw error;
  } finally {
    request.off("close", onClose);
  }
}

async function makeParser(request: IncomingMessage): Promise<BusboyInstance> {
  const type = request.headers["content-type"] ?? "";
  if (!/^multipart\/form-data\s*(;|$)/i.test(type)) {
    throw new UploadRefused(refused("unsupported", "Send the file as a form (Content-Type: multipart/form-data)."));
  }
  const { Busboy } = await import("@fastify/busboy");
  try {
    return new Busboy({ headers: { ...request.headers, "content-type": type }, limits: LIMITS });
  } catch {
    throw new UploadRefused(refused("malformed", "The form does not say where its parts begin (boundary)."));
  }
}
