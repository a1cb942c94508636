import { connect, type Socket } from "node:net";
import { SECOND_MS } from "../time-units.ts";
import type { ClamdAddress } from "../env-schema.server.ts";

/** The scanner was not reached, did not respond in time, or responded that it could not scan. */
export class ScannerError extends Error {
  override name = "ScannerError";
}

/** The file is larger than the scanner accepts: clamd's setting StreamMaxLength. */
export class TooLargeToScanError extends ScannerError {
  override name = "TooLargeToScanError";
}

/**
 * Time limit of each wait. Shorter than the time after which an upload without incoming data is aborted
 * (documents/upload/upload-middleware.server.ts).
 */
const CLAMD_TIMEOUT_MS = 30 * SECOND_MS;
const MAX_REPLY_BYTES = 1024;
const MAX_SIGNATURE_LENGTH = 100;

type Scan = {
  /**
   * Sends the next bytes of the file. Resolves once they have left this process, and the caller may then change or
   * detach them.
   */
  send: (bytes: Uint8Array) => Promise<void>;
  /** Ends the stream. Returns the name of the signature that was found; null for a clean file. */
  finish: () => Promise<string | null>;
  close: () => void;
};

/**
 * Starts a scan with clamd's command INSTREAM. `timeoutMs` limits each wait for the scanner. Every function throws
 * ScannerError, including when the scanner responds before the end of the file, as it does above its StreamMaxLength
 * (TooLargeToScanError).
 */
export async function openScan(address: ClamdAddress, timeoutMs = CLAMD_TIMEOUT_MS): Promise<Scan> {
  const { write, reply, close } = await openClamdConnection(address, timeoutMs);
  const earlyReply = reply.then((text) => {
    throw isSizeLimitReply(text)
      ? new TooLargeToScanError(`It takes no file of this size: ${text}`)
      : new ScannerError(`It answered before the end of the file: ${text}`);
  });
  earlyReply.catch(() => {});
  await write(Buffer.from("zINSTREAM\0"));
  return {
    async send(bytes) {
      // An empty chunk would end the stream.
      if (bytes.length === 0) return;
      // Received data must be read first: a write to a connection that clamd has closed would discard an unread
      // response.
      await yieldToEventLoop();
      await Promise.race([write(encodeChunkLength(bytes.length), bytes), earlyReply]);
    },
    async finish() {
      const text = await write(encodeChunkLength(0)).then(
        () => withTimeout(reply, timeoutMs, close),
        // The scanner may have responded before it closed the connection.
        (error: unknown) => reply.catch(() => Promise.reject(error)),
      );
      if (text === "stream: OK") return null;
      const signature = /^stream: (.+) FOUND$/.exec(text)?.[1];
      if (isSizeLimitReply(text)) throw new TooLargeToScanError(`It takes no file of this size: ${text}`);
      if (signature === undefined) throw new ScannerError(`It answered: ${text}`);
      return signature.slice(0, MAX_SIGNATURE_LENGTH);
    },
    close,
  };
}

/** Returns whether clamd responds. */
export async function pingClamd(address: ClamdAddress, timeoutMs = CLAMD_TIMEOUT_MS): Promise<boolean> {
  try {
    const { write, reply, close } = await openClamdConnection(address, timeoutMs);
    await write(Buffer.from("zPING\0"));
    return (await withTimeout(reply, timeoutMs, close).finally(close)) === "PONG";
  } catch (error) {
    if (error instanceof ScannerError) return false;
    throw error;
  }
}

function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function isSizeLimitReply(reply: string): boolean {
  return reply.startsWith("INSTREAM size limit exceeded");
}

function encodeChunkLength(bytes: number): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes);
  return length;
}

async function openClamdConnection(address: ClamdAddress, timeoutMs: number) {
  const socket = connect(address);
  const close = () => void socket.destroy();
  const reply = readReply(socket);
  reply.catch(() => {});
  await withTimeout(Promise.race([new Promise((resolve) => socket.once("connect", resolve)), reply]), timeoutMs, close);
  const write = (...parts: Uint8Array[]) => {
    const writePromise = new Promise<void>((resolve, reject) => {
      // Fail only after received data was read, because clamd responds and closes the connection in the middle of a
      // large file.
      const failAfterReply = (reason: Error) => {
        const fail = () => reject(new ScannerError(reason.message));
        void reply.finally(fail).catch(() => {});
      };
      socket.cork();
      for (const [index, part] of parts.entries())
        socket.write(part, (error) => {
          if (error) failAfterReply(error);
          else if (index === parts.length - 1) resolve();
        });
      socket.uncork();
    });
    return withTimeout(writePromise, timeoutMs, close);
  };
  return { write, reply, close };
}

/** Returns the reply up to its zero byte, with only printable characters because it is logged. */
function readReply(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = "";
    socket.setEncoding("latin1");
    socket.on("data", (text: string) => {
      received += text;
      const end = received.indexOf("\0");
      if (end !== -1) resolve(received.slice(0, end).replace(/[^ -~]/g, "?"));
      else if (received.length > MAX_REPLY_BYTES) socket.destroy(new Error("Its answer is too long."));
    });
    socket.on("error", (error) => reject(new ScannerError(error.message)));
    socket.on("close", () => reject(new ScannerError("It closed the connection.")));
  });
}

/** Throws ScannerError and closes the connection if `promise` takes longer than `timeoutMs`. */
async function withTimeout<T>(promise: Promise<T>, timeoutMs: number, close: () => void): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new ScannerError("It did not answer in time."));
      close();
    }, timeoutMs);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
