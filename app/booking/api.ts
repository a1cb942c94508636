import { created, door, doors } from "../accounts/doors.server.ts";
import { env } from "../env.server.ts";
import { readId } from "../http/fields.ts";
import { accepted, type Outcome, refused } from "../http/outcome.ts";
import { appointmentJson } from "./appointment-json.ts";
import { type Appointment, findAppointment, listAppointments } from "./appointments.server.ts";
import { isFree } from "./availability.server.ts";
import { cancel, remove } from "./cancel.server.ts";
import { refundMessage } from "./cancellation.ts";
import { book } from "./book.server.ts";
import { type AppointmentType, TYPES, type Wish } from "./rules.ts";
import { apiBookingShape } from "./shapes.ts";
import { readWallTime } from "./start-time.ts";

const api = doors({
  "api/appointments": {
    GET: door({
      who: "signedIn",
      run: async ({ person }) =>
        accepted((await listAppointments(person)).map((each) => appointmentJson(each, person.isAdmin))),
    }),
    POST: door({
      who: "signedIn",
      body: apiBookingShape,
      run: async ({ person, body }) => asCreated(await book(person, body), person.isAdmin),
    }),
  },
  "api/appointments/in-person": {
    POST: door({
      who: "client",
      body: apiBookingShape,
      run: async ({ person, body }) => asCreated(await book(person, body), false),
    }),
  },
  "api/appointments/availability": {
    GET: door({
      who: "signedIn",
      run: async ({ person, query }) => {
        const wish = readWish(query);
        return wish.ok ? accepted(await isFree(wish.value, person.id)) : wish;
      },
    }),
  },
  "api/appointments/:id": {
    GET: door({
      who: "signedIn",
      run: async ({ person, params }) => {
        const found = await findAppointment(person, readId(params.id));
        return found.ok ? accepted(appointmentJson(found.value, person.isAdmin)) : found;
      },
    }),
    DELETE: door({
      who: "signedIn",
      run: async ({ person, params }) => {
        const done = await (person.isAdmin ? remove : cancel)(person, readId(params.id));
        if (!done.ok) return done;
        const { refundCents } = done.value;
        const message = `${person.isAdmin ? "Appointment Deleted" : "Appointment Cancelled"}${refundMessage(done.value)}`;
        return accepted(refundCents === null ? { message } : { message, refund: refundCents / 100 });
      },
    }),
  },
});

function asCreated(outcome: Outcome<Appointment>, forAdmin: boolean) {
  return outcome.ok ? created(appointmentJson(outcome.value, forAdmin)) : outcome;
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

export const loader = api.loader;
export const action = api.action;
