import { createdResponse, endpoint, endpoints } from "../accounts/doors.server.ts";
import { parseId } from "../http/fields.ts";
import { accepted, type Outcome } from "../http/outcome.ts";
import { appointmentJson } from "./appointment-json.ts";
import { type Appointment, findAppointment, listAppointments } from "./appointments.server.ts";
import { askedTime } from "./availability-door.server.ts";
import { cancel, remove } from "./cancel.server.ts";
import { refundMessage } from "./cancellation.ts";
import { book } from "./book.server.ts";
import { apiBookingShape } from "./shapes.ts";

const api = endpoints({
  "api/appointments": {
    GET: endpoint({
      access: "signedIn",
      handle: async ({ person }) =>
        accepted((await listAppointments(person)).map((each) => appointmentJson(each, person.isAdmin))),
    }),
    POST: endpoint({
      access: "signedIn",
      body: apiBookingShape,
      handle: async ({ person, body }) => asCreated(await book(person, body), person.isAdmin),
    }),
  },
  "api/appointments/in-person": {
    POST: endpoint({
      access: "client",
      body: apiBookingShape,
      handle: async ({ person, body }) => asCreated(await book(person, body), false),
    }),
  },
  "api/appointments/availability": {
    GET: endpoint({
      access: "signedIn",
      handle: ({ person, query }) => askedTime(person, query),
    }),
  },
  "api/appointments/:id": {
    GET: endpoint({
      access: "signedIn",
      handle: async ({ person, params }) => {
        const found = await findAppointment(person, parseId(params.id));
        return found.ok ? accepted(appointmentJson(found.value, person.isAdmin)) : found;
      },
    }),
    DELETE: endpoint({
      access: "signedIn",
      handle: async ({ person, params }) => {
        const done = await (person.isAdmin ? remove : cancel)(person, parseId(params.id));
        if (!done.ok) return done;
        const { refundCents } = done.value;
        const message = `${person.isAdmin ? "Appointment Deleted" : "Appointment Cancelled"}${refundMessage(done.value)}`;
        return accepted(refundCents === null ? { message } : { message, refund: refundCents / 100 });
      },
    }),
  },
});

function asCreated(outcome: Outcome<Appointment>, forAdmin: boolean) {
  return outcome.ok ? createdResponse(appointmentJson(outcome.value, forAdmin)) : outcome;
}

export const loader = api.loader;
export const action = api.action;
