import type { Request, Response } from "express";
import type { Person } from "../accounts/person.ts";
import { touchSessionByCookie } from "../accounts/session.server.ts";
import { env } from "../env.server.ts";
import { apiError } from "../http/failure.server.ts";
import { NON_HTML_CSP } from "../http/headers.server.ts";
import { setLogRoute } from "../http/log.server.ts";
import { accepted, type Outcome, refused, HTTP_STATUS } from "../http/outcome.ts";
import { isFree } from "./availability.server.ts";
import { type AppointmentType, TYPES, type Wish } from "./rules.ts";
import { readWallTime } from "./start-time.ts";

const PATTERN = "/api/appointments/availability";
const HEADERS = { "Cache-Control": "private, no-store", "Content-Security-Policy": NON_HTML_CSP };

/**
 * Whether the time that `query` names can be booked by `person` (decisions §4). `date` and `time` are wall time of the
 * practice; malformed when one of the three is not there once, or names nothing.
 */
export async function askedTime(
  person: Person,
  query: URLSearchParams,
): Promise<Outcome<{ available: boolean; reason: string | null }>> {
  const wish = readWish(query);
  return wish.ok ? accepted(await isFree(wish.value, person.id)) : wish;
}

/** The same question asked of Express itself, in front of the framework: every step of the time picker asks it. */
export async function answerAvailability(request: Request, response: Response): Promise<void> {
  setLogRoute(request, PATTERN);
  response.set(HEADERS);
  try {
    const visit = await touchSessionByCookie(request.headers.cookie ?? null);
    const query = new URLSearchParams(request.url.slice(request.url.indexOf("?") + 1 || Infinity));
    const outcome = visit ? await askedTime(visit.person, query) : refused("unauthorized", "Unauthorized");
    if (outcome.ok) response.json(outcome.value);
    else response.status(HTTP_STATUS[outcome.reason]).json({ message: outcome.message });
  } catch (error) {
    const { status, headers, message } = apiError(error, `GET ${PATTERN}`, request);
    response.status(status).set(headers).json({ message });
  }
}

/** `date` and `time` are wall time of the practice; each of the three once, `type` at most once. */
function readWish(query: URLSearchParams): Outcome<Wish> {
  const names = ["date", "time", "duration"] as const;
  for (const name of names) {
    if (query.getAll(name).length !== 1)
      return refused("malformed", `Give ${name} once, as in ?date=2026-12-07&time=10:00&duration=60.`);
  }
  const [date = "", time = "", duration = ""] = names.map((name) => query.get(name) ?? "");
  const [type = "", ...more] = query.getAll("type");
  if (!/^\d{1,6}$/.test(duration)) return refused("malformed", "duration must be a whole number of minutes.");
  if (more.length > 0 || (type !== "" && !isType(type)))
    return refused("malformed", `type must be one of ${TYPES.join(", ")}, given once.`);
  const start = readWallTime(date, time, env.practice.timeZone);
  if (typeof start === "string") return refused("malformed", start);
  return accepted({ start, duration: Number(duration), type: isType(type) ? type : "consultation" });
}

function isType(text: string): text is AppointmentType {
  return TYPES.some((type) => type === text);
}
