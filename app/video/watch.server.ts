import { touchSessionById } from "../accounts/session.server.ts";
import { findValidSessions } from "../accounts/standing.server.ts";
import { logError } from "../http/failure.server.ts";
import { readVisits, type VideoVisit, verdictOn } from "./calls.server.ts";
import { type Line, lines } from "./line.server.ts";
import { meetNeighbours } from "./neighbours.server.ts";
import { dismiss, dismissEnded, leave, troubleOf } from "./rooms.server.ts";
import { otherRole } from "./seats.server.ts";
import { CLOSED } from "./signals.ts";

/** A right that ended closes the socket within 5 s, in whichever process it ended. */
const CHECK_MS = 2_000;
/** A peer that vanished without a word is noticed after one to two beats, well within 40 s. */
const CHECKS_PER_BEAT = 6;
/** Other processes take this one for dead when they haven't seen it for 20 s. */
const CHECKS_PER_VISIT = 2;
/** An idle administrator is signed out after 15 minutes; a running call is noted much oftener. */
const CHECKS_PER_NOTE = 30;
/** So long the sockets stay open while the database can't be asked whether they may. */
const LONGEST_UNCHECKED_MS = 30_000;

let timer: NodeJS.Timeout | undefined;
let isChecking = false;
let checkedAt = 0;
let round = 0;

/** Looks after the sockets for as long as there are any; `alsoDo` is done each time. */
export function keepWatch(alsoDo: () => void): void {
  if (timer) return;
  checkedAt = performance.now();
  timer = setInterval(() => {
    round += 1;
    alsoDo();
    if (lines.size === 0) {
      clearInterval(timer);
      timer = undefined;
      return;
    }
    if (round % CHECKS_PER_BEAT === 0) beat();
    if (round % CHECKS_PER_NOTE === 0) void noteRunningCalls().catch(note);
    if (round % CHECKS_PER_VISIT === 0) void meetNeighbours().catch(note);
    void check();
  }, CHECK_MS).unref();
}

/** Cuts whoever has not answered since the last beat, and asks the others whether they live. */
export function beat(): void {
  for (const line of lines) {
    if (line.isAlive) {
      line.isAlive = false;
      line.ping();
    } else line.terminate();
  }
}

/** Asks once for all sockets whether their sign-in, right and visit still stand; those whose don't are closed. */
export async function check(): Promise<void> {
  if (isChecking) return;
  isChecking = true;
  const all = [...lines].filter(({ isOver }) => !isOver);
  const sids = [...new Set(all.map(({ sid }) => sid))];
  const asked = new Set(all.flatMap(({ room }) => room?.id ?? []));
  try {
    const [standing, visits] = await Promise.all([findValidSessions(sids), readVisits([...asked])]);
    checkedAt = performance.now();
    for (const line of all) {
      const user = standing.get(line.sid);
      if (!user) dismiss(line, CLOSED.policy, "You are signed out. Press Try again to sign in and come back.");
      else if (user.isAdmin !== line.person.isAdmin) dismiss(line, CLOSED.policy, "Your access has changed.");
      else if (line.room && asked.has(line.room.id)) checkRoom(line, line.room.id, visits);
    }
  } catch (error) {
    logError(error, "/ws");
    if (performance.now() - checkedAt < LONGEST_UNCHECKED_MS) return;
    for (const line of all) dismiss(line, CLOSED.tryAgain, "Please try again in a moment.");
  } finally {
    isChecking = false;
  }
}

/** A running call is activity of the two people in it; waiting alone is none. */
export async function noteRunningCalls(): Promise<void> {
  const talking = [...lines].filter(({ room, seat }) => room && seat && room.seats[seat.role] === seat);
  const running = talking.filter(({ room, seat }) => room && seat && room.seats[otherRole(seat.role)]);
  for (const sid of new Set(running.map((line) => line.sid))) await touchSessionById(sid);
}

function note(error: unknown): void {
  logError(error, "/ws");
}

function checkRoom(line: Line, id: number, visits: Map<number, VideoVisit>): void {
  const verdict = verdictOn(line.person, visits.get(id));
  if (verdict.ok) return;
  if (verdict.reason === "too-late" || verdict.reason === "ended") return dismissEnded(line, id);
  line.refuse(troubleOf(verdict), id);
  leave(line);
}
