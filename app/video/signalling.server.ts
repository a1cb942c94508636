import type { EventEmitter } from "node:events";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import type { Session } from "../accounts/visit.server.ts";
import { logError } from "../http/failure.server.ts";
import { refuseSocket } from "../http/socket-refusal.server.ts";
import { Allowance, ALLOWANCES } from "./allowance.server.ts";
import { readFrame } from "./frames.server.ts";
import { exchange } from "./exchange.server.ts";
import { Line, lines } from "./line.server.ts";
import { hearNeighbours } from "./neighbours.server.ts";
import { dismiss, endCall, join, leave, relay } from "./rooms.server.ts";
import { CLOSED, type ClientSignal, MOST_FRAME_BYTES } from "./signals.ts";
import { keepWatch } from "./watch.server.ts";

/** Far more than browsers make of one frame; more is somebody wearing us down. */
const MOST_FRAGMENTS = 64;
const MOST_CHUNKS = 2_048;
const FAREWELL_MS = 1_000;
/** A person's tabs and devices together. One more closes an idle one of them. */
const MOST_LINES_EACH = 10;
const JOIN_COSTS_BYTES = 16 * 1024;

/** Whose sockets they are, and what all of a person's may send together. */
const people = new Map<number, { lines: Set<Line>; allowance: Allowance }>();

const MOST_LINES = 5_000;
let isClosing = false;
hearNeighbours();

const sockets = new WebSocketServer({
  noServer: true,
  WebSocket: Line,
  clientTracking: false,
  perMessageDeflate: false,
  maxPayload: MOST_FRAME_BYTES,
  maxFragments: MOST_FRAGMENTS,
  maxBufferedChunks: MOST_CHUNKS,
  closeTimeout: FAREWELL_MS,
} as ConstructorParameters<typeof WebSocketServer<typeof Line>>[0]);

sockets.on("wsClientError", (_error, socket) =>
  refuseSocket(socket, 400, "That is no WebSocket handshake.", { "Sec-WebSocket-Version": "13, 8" }),
);

/** Makes an upgrade whose Host, Origin and session were judged a socket of that person's. */
export function open(request: IncomingMessage, socket: Duplex, head: Buffer, { sid, person }: Session): void {
  sockets.handleUpgrade(request, socket, head, (line) => {
    line.sid = sid;
    line.person = person;
    const events: EventEmitter = line; // each listener is told the socket as `this`: none is made anew for each of them
    events.on("message", onMessage).on("ping", onBeat).on("pong", onBeat).on("close", onClose).on("error", onError);
    lines.add(line);
    const own = people.get(person.id) ?? { lines: new Set(), allowance: new Allowance(ALLOWANCES.person) };
    people.set(person.id, own);
    own.lines.add(line);
    line.common = own.allowance;
    keepWatch(forgetGone);
    if (own.lines.size > MOST_LINES_EACH) {
      const [first] = own.lines;
      const surplus = [...own.lines].find(({ room }) => !room) ?? first;
      surplus?.end(CLOSED.policy, "Too many tabs with this visit.");
    }
  });
}

function onMessage(this: Line, data: Buffer, isBinary: boolean): void {
  this.isAlive = true;
  if (this.isOver || !affords(this, data.length)) return;
  const frame = isBinary ? null : readFrame(data.toString());
  if (!frame) return this.misstep("bad-frame", null);
  const isSlow = frame.type === "join-room" || frame.type === "end-call";
  if (frame.type === "join-room" && !affords(this, JOIN_COSTS_BYTES)) return;
  if (isSlow || this.pending > 0) takeInTurn(this, frame, data);
  else void take(this, frame, data);
}

function takeInTurn(line: Line, frame: ClientSignal, data: Buffer): void {
  line.pending += 1;
  line.turn = (line.turn ?? Promise.resolve())
    .then(() => (line.isOver ? undefined : take(line, frame, data)))
    .catch((error: unknown) => giveUp(line, error))
    .finally(() => (line.pending -= 1));
}

function take(line: Line, frame: ClientSignal, data: Buffer): Promise<void> | void {
  switch (frame.type) {
    case "join-room":
      return join(line, frame);
    case "end-call":
      return endCall(line, frame.appointmentId);
    case "leave-room":
      return line.room?.id === frame.appointmentId ? leave(line) : line.misstep("not-joined", frame.appointmentId);
    default:
      return relay(line, frame, data);
  }
}

/** Both the socket and its person must still have something left to spend. */
function affords(line: Line, bytes: number): boolean {
  const time = performance.now();
  if (line.allowance.takes(bytes, time) && line.common.takes(bytes, time)) return true;
  line.refuse("too-fast", null);
  line.pause(); // what is still on its way is not even read
  setTimeout(() => line.terminate(), FAREWELL_MS).unref();
  return false;
}

/** Forgets who has no socket any more, a while after it went: a new one is no new allowance. */
function forgetGone(): void {
  for (const [id, own] of people) if (own.lines.size === 0) people.delete(id);
}

/** Our fault, not theirs: the browser comes back. */
function giveUp(line: Line, error: unknown): void {
  logError(error, "/ws");
  line.end(CLOSED.tryAgain, "Please try again in a moment.");
}

function onBeat(this: Line): void {
  this.isAlive = true;
  if (!this.isOver) affords(this, 0);
}

function onClose(this: Line): void {
  this.isOver = true;
  lines.delete(this);
  const own = people.get(this.person.id);
  own?.lines.delete(this);
  leave(this);
}

/** What breaks the protocol closes its own socket, with the code that names it; there is nothing to repair. */
function onError(this: Line): void {
  this.isOver = true;
}

/** The process ends: everybody hears that it starts anew, and is gone when this returns; who comes now is turned away. */
export async function closeSockets(): Promise<void> {
  isClosing = true;
  for (const line of lines) dismiss(line, CLOSED.restarting, "The server restarts. Please come back in a moment.");
  const patience = performance.now() + 2 * FAREWELL_MS;
  while (lines.size > 0 && performance.now() < patience) await new Promise((resolve) => setTimeout(resolve, 20));
  for (const line of lines) line.terminate();
  await exchange?.stop();
}

export function isOpen(): boolean {
  return !isClosing && lines.size < MOST_LINES;
}
