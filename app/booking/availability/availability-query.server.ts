import { notSignedInRefusal } from "../../accounts/authorization.server.ts";
import type { Request, Response } from "express";
import type { Person } from "../../accounts/person.ts";
import { touchSessionByCookie } from "../../accounts/sessions/session.server.ts";
import { env } from "../../env.server.ts";
import { logErrorAndBuildReply } from "../../http/errors.server.ts";
import { NON_HTML_CSP } from "../../http/security-headers.server.ts";
import { setLogRoute } from "../../http/log.server.ts";
import { accepted, type Outcome, refused, HTTP_STATUS } from "../../http/outcome.ts";
import { checkAvailability } from "./availability.server.ts";
import { type AppointmentType, APPOINTMENT_TYPES, type SlotRequest } from "../booking-rules.ts";
import { parseWallTimeToInstant } from "../start-time.ts";

const AVAILABILITY_PATH = "/api/appointments/availability";
const RESPONSE_HEADERS = { "Cache-Control": "private, no-store", "Content-Security-Policy": NON_HTML_CSP };

/**
 * Returns whether `person` can book the slot in `query`. `date` and `time` are wall time in the practice's time zone.
 * Refusal: malformed when a parameter is missing, repeated or invalid. Source: docs/product.md, HTTP API.
 */
export async function queryAvailability(
  person: Person,
  query: URLSearchParams,
): Promise<Outcome<{ available: boolean; reason: string | null }>> {
  const slot = parseSlotQuery(query);
  return slot.ok ? accepted(await checkAvailability(slot.value, person.id)) : slot;
}

/**
 * Express handler of the availability endpoint. It runs before the framework, because the time picker calls it often.
 */
export async function availabilityHandler(request: Request, response: Response): Promise<void> {
  setLogRoute(request, AVAILABILITY_PATH);
  response.set(RESPONSE_HEADERS);
  try {
    const session = await touchSessionByCookie(request.headers.cookie ?? null);
    const query = new URLSearchParams(request.url.slice(request.url.indexOf("?") + 1 || Infinity));
    const outcome = session ? await queryAvailability(session.person, query) : notSignedInRefusal();
    if (outcome.ok) response.json(outcome.value);
    else response.status(HTTP_STATUS[outcome.reason]).json({ message: outcome.message });
  } catch (error) {
    const { status, headers, message } = logErrorAndBuildReply(error, `GET ${AVAILABILITY_PATH}`, request);
    response.status(status).set(headers).json({ message });
  }
}

/** Parses the slot. Each parameter must be given exactly once; `type` may be omitted. */
function parseSlotQuery(query: URLSearchParams): Outcome<SlotRequest> {
  const names = ["date", "time", "duration"] as const;
  for (const name of names) {
    if (query.getAll(name).length !== 1)
      return refused("malformed", `Give ${name} once, as in ?date=2026-12-07&time=10:00&duration=60.`);
  }
  const [date = "", time = "", duration = ""] = names.map((name) => query.get(name) ?? "");
  const [type = "", ...extraTypes] = query.getAll("type");
  if (!/^\d{1,6}$/.test(duration)) return refused("malformed", "duration must be a whole number of minutes.");
  if (extraTypes.length > 0 || (type !== "" && !isAppointmentType(type)))
    return refused("malformed", `type must be one of ${APPOINTMENT_TYPES.join(", ")}, given once.`);
  const start = parseWallTimeToInstant(date, time, env.practice.timeZone);
  if (typeof start === "string") return refused("malformed", start);
  return accepted({ start, duration: Number(duration), type: isAppointmentType(type) ? type : "consultation" });
}

function isAppointmentType(text: string): text is AppointmentType {
  return APPOINTMENT_TYPES.some((known) => known === text);
}
