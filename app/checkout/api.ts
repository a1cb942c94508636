import { validateFields, defineEndpoint, createEndpointHandlers } from "../accounts/define-endpoint.server.ts";
import { readBody } from "../http/request-body.server.ts";
import { accepted, invalidField, refused } from "../http/outcome.ts";
import { messageResponseSchema } from "../http/api-response-schemas.ts";
import { getPaymentGateway } from "../payments/payment-gateway.server.ts";
import { toAppointmentJson } from "../booking/appointment-json.ts";
import { appointmentResponseSchema } from "../booking/api-response-schemas.ts";
import { payByCard } from "./pay-by-card.server.ts";
import { processWebhookEvent } from "./payment-webhook.server.ts";
import { patchAppointment } from "../booking/move/patch-appointment.server.ts";
import { apiChangeSchema } from "../booking/move/move-schema.ts";
import { cancelAppointmentByFamily } from "./cancellation/cancel-appointment.server.ts";
import { deleteAppointment } from "./cancellation/delete-appointment.server.ts";
import { refundNoticeSuffix } from "./cancellation/cancellation-texts.ts";
import {
  cancellationResponseSchema,
  paymentConfigResponseSchema,
  paymentResponseSchema,
} from "./api-response-schemas.ts";
import {
  appointmentDataSchema,
  cardPaymentSchema,
  documentedPaymentSchema,
  providerEventSchema,
} from "./payment-schemas.ts";
import { findAppointmentWithAudit } from "../booking/find-appointment.server.ts";
import { runWithMailRequesterIp } from "../mail/mail-requester-ip.server.ts";
import { parseId } from "../http/field-schemas.ts";

const CARD_NOT_OFFERED_MESSAGE = "Card payment is not offered.";
/** Any status other than 200 makes the provider send the event again. */
const RETRY_LATER_REFUSAL = {
  ...refused("unavailable", "That can't be looked up just now. Please send it again."),
  retryAfterSeconds: 60,
};
const KEYS_DIFFER_MESSAGE = "Give the idempotency key once: the header and the body differ.";

const apiRouteHandlers = createEndpointHandlers({
  "api/appointments/:id": {
    GET: defineEndpoint({
      summary: "An appointment",
      responses: { 200: appointmentResponseSchema },
      access: "signedIn",
      handle: async ({ person, params }) => {
        const found = await findAppointmentWithAudit(person, parseId(params.id));
        if (!found.ok) return found;
        return accepted(toAppointmentJson(found.value, person.isAdmin));
      },
    }),
    PATCH: defineEndpoint({
      summary:
        "Move an appointment to another time; the administrator may also change its length and its place, or the place alone",
      responses: { 200: appointmentResponseSchema },
      refusals: ["conflict"],
      access: "signedIn",
      body: apiChangeSchema,
      handle: async ({ person, params, body, ip }) => {
        const changed = await patchAppointment(person, parseId(params.id), body, { ip });
        return changed.ok ? accepted(toAppointmentJson(changed.value, person.isAdmin)) : changed;
      },
    }),
    DELETE: defineEndpoint({
      summary: "Cancel your appointment; for the administrator, delete it",
      responses: { 200: cancellationResponseSchema },
      refusals: ["conflict"],
      access: "signedIn",
      handle: async ({ person, params }) => {
        const done = await (person.isAdmin ? deleteAppointment : cancelAppointmentByFamily)(person, parseId(params.id));
        if (!done.ok) return done;
        const { refundCents } = done.value;
        const message = `${person.isAdmin ? "Appointment Deleted" : "Appointment Cancelled"}${refundNoticeSuffix(done.value)}`;
        return accepted(refundCents === null ? { message } : { message, refund: refundCents / 100 });
      },
    }),
  },
  "api/payments/config": {
    GET: defineEndpoint({
      summary: "The public settings of the card form; 503 where card payment is not offered",
      responses: { 200: paymentConfigResponseSchema },
      access: "signedIn",
      handle: async () => {
        const gateway = await getPaymentGateway();
        return gateway ? accepted(gateway.config) : refused("unavailable", CARD_NOT_OFFERED_MESSAGE);
      },
    }),
  },
  "api/payments/process": {
    POST: defineEndpoint({
      summary: "Pay by card and book; the same key and data repeated get the first answer",
      documentedBodySchema: documentedPaymentSchema,
      responses: { 200: paymentResponseSchema },
      refusals: ["declined", "conflict", "providerFailed", "providerTimeout"],
      access: "client",
      body: cardPaymentSchema,
      handle: async ({ person, body, request, ip }) => {
        const { sourceId, amount, appointmentData, idempotencyKey } = body;
        const header = validateFields(cardPaymentSchema.pick({ idempotencyKey: true }), {
          idempotencyKey: request.headers.get("idempotency-key"),
        });
        if (!header.ok) return header;
        const key = idempotencyKey ?? header.value.idempotencyKey;
        if (header.value.idempotencyKey && header.value.idempotencyKey !== key)
          return invalidField("idempotencyKey", KEYS_DIFFER_MESSAGE);
        const booking = validateFields(appointmentDataSchema, appointmentData);
        if (!booking.ok) return booking;
        const order = { sourceId, amount, fields: booking.value, idempotencyKey: key };
        const paid = await payByCard(person, order, ip);
        if (!paid.ok) return paid;
        const { paymentId, amountCents, appointment } = paid.value;
        return accepted({
          success: true,
          paymentId,
          amount: amountCents / 100,
          appointment: toAppointmentJson(appointment, false),
        });
      },
    }),
  },
  "api/payments/webhook": {
    POST: defineEndpoint({
      summary: "For the card provider alone, judged by its signature",
      documentedBodySchema: providerEventSchema,
      responses: { 200: messageResponseSchema },
      refusals: ["unauthorized"],
      access: "anyone",
      handle: async ({ request }) => {
        const body = await readBody(request);
        if (!body) return refused("tooLarge", "That is more than this address takes.");
        const event = (await getPaymentGateway())?.parseWebhook(body, request.headers) ?? null;
        if (!event) return refused("unauthorized", "Unauthorized");
        return (await runWithMailRequesterIp(null, () => processWebhookEvent(event)))
          ? accepted({ message: "Received." })
          : RETRY_LATER_REFUSAL;
      },
    }),
  },
});

export const loader = apiRouteHandlers.loader;
export const action = apiRouteHandlers.action;
