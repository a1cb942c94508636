import { createdResponse, endpoint, endpoints } from "../accounts/api-endpoints.server.ts";
import { parseId } from "../http/field-schemas.ts";
import { accepted, type Outcome } from "../http/outcome.ts";
import { toAppointmentJson } from "./appointment-json.ts";
import { type Appointment, findAppointment, listAppointments } from "./appointments.server.ts";
import { queryAvailability } from "./availability-query.server.ts";
import { cancelAppointment, deleteAppointment } from "../checkout/cancel.server.ts";
import { refundMessage } from "../checkout/cancellation-terms.ts";
import { bookInPerson } from "./book.server.ts";
import { apiBookingSchema } from "./schemas.ts";

const api = endpoints({
  "api/appointments": {
    GET: endpoint({
      access: "signedIn",
      handle: async ({ person }) =>
        accepted((await listAppointments(person)).map((each) => toAppointmentJson(each, person.isAdmin))),
    }),
    POST: endpoint({
      access: "signedIn",
      body: apiBookingSchema,
      handle: async ({ person, body }) => createdAppointment(await bookInPerson(person, body), person.isAdmin),
    }),
  },
  "api/appointments/in-person": {
    POST: endpoint({
      access: "client",
      body: apiBookingSchema,
      handle: async ({ person, body }) => createdAppointment(await bookInPerson(person, body), false),
    }),
  },
  "api/appointments/availability": {
    GET: endpoint({
      access: "signedIn",
      handle: ({ person, query }) => queryAvailability(person, query),
    }),
  },
  "api/appointments/:id": {
    GET: endpoint({
      access: "signedIn",
      handle: async ({ person, params }) => {
        const found = await findAppointment(person, parseId(params.id));
        return found.ok ? accepted(toAppointmentJson(found.value, person.isAdmin)) : found;
      },
    }),
    DELETE: endpoint({
      access: "signedIn",
      handle: async ({ person, params }) => {
        const done = await (person.isAdmin ? deleteAppointment : cancelAppointment)(person, parseId(params.id));
        if (!done.ok) return done;
        const { refundCents } = done.value;
        const message = `${person.isAdmin ? "Appointment Deleted" : "Appointment Cancelled"}${refundMessage(done.value)}`;
        return accepted(refundCents === null ? { message } : { message, refund: refundCents / 100 });
      },
    }),
  },
});

function createdAppointment(outcome: Outcome<Appointment>, isAdmin: boolean) {
  return outcome.ok ? createdResponse(toAppointmentJson(outcome.value, isAdmin)) : outcome;
}

export const loader = api.loader;
export const action = api.action;
