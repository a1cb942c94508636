import { createdResponse, endpoint, endpoints } from "../accounts/api-endpoints.server.ts";
import { accepted, type Outcome } from "../http/outcome.ts";
import { toAppointmentJson } from "./appointment-json.ts";
import { type Appointment, listAppointments } from "./appointments.server.ts";
import { queryAvailability } from "./availability-query.server.ts";
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
      handle: async ({ person, body, ip: address }) =>
        createdAppointment(await bookInPerson(person, body, { address }), person.isAdmin),
    }),
  },
  "api/appointments/in-person": {
    POST: endpoint({
      access: "client",
      body: apiBookingSchema,
      handle: async ({ person, body, ip: address }) =>
        createdAppointment(await bookInPerson(person, body, { address }), false),
    }),
  },
  "api/appointments/availability": {
    GET: endpoint({
      access: "signedIn",
      handle: ({ person, query }) => queryAvailability(person, query),
    }),
  },
});

function createdAppointment(outcome: Outcome<Appointment>, isAdmin: boolean) {
  return outcome.ok ? createdResponse(toAppointmentJson(outcome.value, isAdmin)) : outcome;
}

export const loader = api.loader;
export const action = api.action;
