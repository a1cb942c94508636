import { z } from "zod";
import { recordAuditRead } from "../audit/record-audit.server.ts";
import { createdOutcome, defineEndpoint, createEndpointHandlers } from "../accounts/define-endpoint.server.ts";
import { getPossiblyRestrictedSession } from "../accounts/sessions/session.server.ts";
import { accepted, type Outcome } from "../http/outcome.ts";
import { messageResponseSchema } from "../http/api-response-schemas.ts";
import { parseId } from "../http/field-schemas.ts";
import { toAppointmentJson } from "./appointment-json.ts";
import { type Appointment, findAppointment } from "./find-appointment.server.ts";
import { listAppointmentJson, MAX_LISTED_APPOINTMENTS } from "./appointment-list/list-appointments.server.ts";
import { queryAvailability } from "./availability/availability-query.server.ts";
import { bookToPayInPerson } from "./book-appointment.server.ts";
import { calendarFileText } from "./confirmation/calendar-file.server.ts";
import { createCalendarFeed, endCalendarFeed } from "./feed/calendar-feed.server.ts";
import {
  appointmentListCursorSchema,
  appointmentResponseSchema,
  availabilityQuerySchema,
  availabilityResponseSchema,
  calendarFeedResponseSchema,
} from "./api-response-schemas.ts";
import { apiBookingSchema } from "./booking-schemas.ts";

const apiRouteHandlers = createEndpointHandlers({
  "api/appointments": {
    GET: defineEndpoint({
      summary: `Your appointments by their start, the ${MAX_LISTED_APPOINTMENTS.family} with the latest; for the administrator the ${MAX_LISTED_APPOINTMENTS.administrator} nearest to now, of all families. Fewer where their texts are long`,
      query: appointmentListCursorSchema,
      responses: { 200: z.array(appointmentResponseSchema) },
      refusals: ["notFound"],
      access: "signedIn",
      handle: ({ person, query }) => listAppointmentJson(person, query),
    }),
    POST: defineEndpoint({
      summary: "Book a visit that is paid in person; the administrator names the family in userId",
      responses: { 201: appointmentResponseSchema },
      refusals: ["conflict"],
      access: "signedIn",
      body: apiBookingSchema,
      handle: async ({ person, body, ip }) =>
        toCreatedAppointmentOutcome(await bookToPayInPerson(person, body, { ip }), person.isAdmin),
    }),
  },
  "api/appointments/in-person": {
    POST: defineEndpoint({
      summary: "Book a visit that is paid in person",
      responses: { 201: appointmentResponseSchema },
      refusals: ["conflict"],
      access: "client",
      body: apiBookingSchema,
      handle: async ({ person, body, ip }) =>
        toCreatedAppointmentOutcome(await bookToPayInPerson(person, body, { ip }), false),
    }),
  },
  "api/appointments/:id/calendar.ics": {
    GET: defineEndpoint({
      summary: "The visit as a calendar file",
      responses: { 200: { contentType: "text/calendar" } },
      access: "signedIn",
      handle: async ({ person, params }) => {
        const found = await findAppointment(person, parseId(params.id));
        if (!found.ok) return found;
        const { id: objectId, userId: familyId } = found.value;
        await recordAuditRead({ action: "calendar-file-downloaded", familyId, objectId });
        return accepted(calendarResponse(found.value));
      },
    }),
  },
  "api/calendar-feed": {
    POST: defineEndpoint({
      summary: "Make a new link for calendar programs, which ends the one before",
      responses: { 201: calendarFeedResponseSchema },
      access: "signedIn",
      needsRecentAuthentication: true,
      handle: async ({ person, context }) => {
        const createdLink = await createCalendarFeed(person, getPossiblyRestrictedSession(context)?.sid ?? "");
        return createdLink.ok ? createdOutcome(createdLink.value) : createdLink;
      },
    }),
    DELETE: defineEndpoint({
      summary: "End the link for calendar programs",
      responses: { 200: messageResponseSchema },
      access: "signedIn",
      handle: async ({ person }) => {
        await endCalendarFeed(person);
        return accepted({ message: "Your calendar link is turned off." });
      },
    }),
  },
  "api/appointments/availability": {
    GET: defineEndpoint({
      summary: "Whether a time can be booked",
      query: availabilityQuerySchema,
      responses: { 200: availabilityResponseSchema },
      access: "signedIn",
      handle: ({ person, query }) => queryAvailability(person, query),
    }),
  },
});

/**
 * Returns the calendar file of a visit, which a calendar program adds or replaces. Neither browsers nor proxies may
 * store it.
 */
function calendarResponse(appointment: Appointment): Response {
  return new Response(calendarFileText(appointment), {
    headers: {
      "Content-Type": "text/calendar; charset=utf-8",
      "Content-Disposition": `attachment; filename="visit-${appointment.id}.ics"`,
      "Cache-Control": "private, no-store",
    },
  });
}

function toCreatedAppointmentOutcome(outcome: Outcome<Appointment>, isAdmin: boolean) {
  return outcome.ok ? createdOutcome(toAppointmentJson(outcome.value, isAdmin)) : outcome;
}

export const loader = apiRouteHandlers.loader;
export const action = apiRouteHandlers.action;
