import { z } from "zod";
import { recordListRead } from "../audit/record-list-reads.server.ts";
import { getSubmissionSource } from "../accounts/form-rate-limits.server.ts";
import { createdOutcome, defineEndpoint, createEndpointHandlers } from "../accounts/define-endpoint.server.ts";
import { toAppointmentJson } from "../booking/appointment-json.ts";
import { appointmentResponseSchema } from "../booking/api-response-schemas.ts";
import { accepted } from "../http/outcome.ts";
import { messageResponseSchema } from "../http/api-response-schemas.ts";
import { listConsultationRequests, MAX_API_LISTED_REQUESTS } from "./consultation-request-api-list.server.ts";
import { createConsultationRequest, deleteConsultationRequest } from "./consultation-requests.server.ts";
import { scheduleConsultationRequest } from "./schedule-consultation-request.server.ts";
import { consultationRequestResponseSchema, requestListQuerySchema } from "./api-response-schemas.ts";
import { consultationRequestSchema, schedulingSchema } from "./consultation-request-schemas.ts";

const apiRouteHandlers = createEndpointHandlers({
  "api/appointments/from-consultation": {
    POST: defineEndpoint({
      summary: "Make an appointment from a consultation request, which closes the request",
      responses: { 201: appointmentResponseSchema },
      refusals: ["notFound", "conflict"],
      access: "admin",
      body: schedulingSchema,
      handle: async ({ person, body }) => {
        const outcome = await scheduleConsultationRequest(person, body);
        return outcome.ok ? createdOutcome(toAppointmentJson(outcome.value, true)) : outcome;
      },
    }),
  },
  "api/consultation-requests": {
    GET: defineEndpoint({
      summary: `The open consultation requests in the order of the dashboard: ${MAX_API_LISTED_REQUESTS}, or fewer where their texts are long`,
      query: requestListQuerySchema,
      responses: { 200: z.array(consultationRequestResponseSchema) },
      refusals: ["notFound"],
      access: "admin",
      handle: async ({ person, query }) => {
        await recordListRead();
        return listConsultationRequests(person, query);
      },
    }),
    POST: defineEndpoint({
      summary: "Ask for a consultation",
      responses: { 201: consultationRequestResponseSchema },
      access: "anyone",
      body: consultationRequestSchema,
      handle: async ({ body, context, request }) => {
        const outcome = await createConsultationRequest(body, getSubmissionSource(context, request));
        return outcome.ok ? createdOutcome(outcome.value) : outcome;
      },
    }),
  },
  "api/consultation-requests/:id": {
    DELETE: defineEndpoint({
      summary: "Delete an open consultation request",
      responses: { 200: messageResponseSchema },
      access: "admin",
      handle: async ({ person, params }) => {
        const outcome = await deleteConsultationRequest(person, params.id);
        return outcome.ok ? accepted({ message: "Consultation Request Deleted" }) : outcome;
      },
    }),
  },
});

export const loader = apiRouteHandlers.loader;
export const action = apiRouteHandlers.action;
