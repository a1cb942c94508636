import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import {
  handleCall as answerCall,
  type FakeSquareLedger,
  type ApiCall,
  createLedger,
  type ApiReply,
} from "./fake-square-ledger.ts";

/** What goes wrong with one call: before Square has done what it was asked, or after. */
export type Fault =
  | { kind: "status"; status: number; when: "before" | "after" }
  | { kind: "cut"; when: "before" | "after" }
  | { kind: "silent"; when: "before" | "after" }
  | { kind: "slow"; milliseconds: number }
  | { kind: "held"; until: Promise<void> };

type FaultScript = (call: ApiCall) => Fault | null;

/**
 * A stand-in of Square's API on this machine, with books of its own: the same key is the same payment, a reserved one
 * can be charged or given up once, and nothing is refunded twice. `script` says which calls go wrong.
 */
export async function startFakeSquare({ now = () => new Date(), port = 0 }: { now?: () => Date; port?: number } = {}) {
  const ledger: FakeSquareLedger = createLedger();
  const calls: ApiCall[] = [];
  let script: FaultScript = () => null;
  let announceSilence = () => {};
  let cardForm: (response: ServerResponse) => void = (response) => response.end("openCardForm();");
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The stand-in has no port.");
  const url = `http://127.0.0.1:${address.port}`;

  async function serve(request: IncomingMessage, response: ServerResponse) {
    if (request.url === "/v1/square.js") return cardForm(response);
    const call = await readCall(request);
    calls.push(call);
    const fault = script(call);
    if (fault?.kind === "held") await fault.until;
    if (fault?.kind === "slow") await new Promise((resolve) => setTimeout(resolve, fault.milliseconds));
    const isAnswered = fault === null || fault.kind === "slow" || fault.kind === "held";
    const reply = !isAnswered && fault.when === "before" ? null : answerCall(ledger, call, { now: now(), url });
    if (isAnswered) return send(response, reply ?? { status: 500, body: {} });
    if (fault.kind === "cut") return void request.socket.destroy();
    if (fault.kind === "status") return send(response, errorReply(fault.status));
    announceSilence();
  }

  return {
    url,
    ledger,
    calls,
    /** Sets what goes wrong from now on; nothing, when there is no script. */
    fail(next: FaultScript = () => null) {
      script = next;
    },
    /** Sets how the script of the card form is served from now on. */
    serveCardForm(serveNext: (response: ServerResponse) => void) {
      cardForm = serveNext;
    },
    /** Calls `listener` whenever a call is left without an answer, once it is read and, if it was to be, done. */
    onSilence(listener: () => void = () => {}) {
      announceSilence = listener;
    },
    callsTo: (path: RegExp) => calls.filter((call) => path.test(`${call.method} ${call.path}`)),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type FakeSquare = Awaited<ReturnType<typeof startFakeSquare>>;

async function readCall(request: IncomingMessage): Promise<ApiCall> {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://square.invalid");
  const bytes = await buffer(request);
  const body = bytes.length > 0 ? JSON.parse(bytes.toString()) : {};
  const isAllowed = request.headers.authorization === "Bearer stand-in-token";
  return { id: randomUUID(), method: request.method ?? "GET", path: pathname, query: searchParams, body, isAllowed };
}

function errorReply(status: number): ApiReply {
  const category = status === 429 ? "RATE_LIMIT_ERROR" : status < 500 ? "INVALID_REQUEST_ERROR" : "API_ERROR";
  return { status, body: { errors: [{ category, code: "SCRIPTED", detail: "Scripted trouble." }] } };
}

function send(response: ServerResponse, { status, body, location }: ApiReply) {
  response.writeHead(status, { "Content-Type": "application/json", ...(location ? { Location: location } : {}) });
  response.end(JSON.stringify(body));
}
