import { validate, endpoint, endpoints } from "../accounts/api-endpoints.server.ts";
import { readBody } from "../http/json.server.ts";
import { accepted, invalid, refused } from "../http/outcome.ts";
import { getGateway } from "../payments/gateway.server.ts";
import { toAppointmentJson } from "../booking/appointment-json.ts";
import { payByCard } from "./card-checkout.server.ts";
import { handleProviderEvent } from "./webhook.server.ts";
import { apiBookingSchema, cardPaymentSchema } from "../booking/schemas.ts";

const CARD_NOT_OFFERED = "Card payment is not offered.";
/** The provider sends its event again when it is not answered with 200. */
const RETRY_LATER = {
  ...refused("unavailable", "That can't be looked up just now. Please send it again."),
  retryAfterSeconds: 60,
};
const KEYS_DIFFER = "Give the idempotency key once: the header and the body differ.";

const api = endpoints({
  "api/payments/config": {
    GET: endpoint({
      access: "signedIn",
      handle: async () => {
        const gateway = await getGateway();
        return gateway ? accepted(gateway.config) : refused("unavailable", CARD_NOT_OFFERED);
      },
    }),
  },
  "api/payments/process": {
    POST: endpoint({
      access: "client",
      body: cardPaymentSchema,
      handle: async ({ person, body, request, ip: address }) => {
        const { sourceId, amount, appointmentData, idempotencyKey } = body;
        const header = validate(cardPaymentSchema.pick({ idempotencyKey: true }), {
          idempotencyKey: request.headers.get("idempotency-key"),
        });
        if (!header.ok) return header;
        const key = idempotencyKey ?? header.value.idempotencyKey;
        if (header.value.idempotencyKey && header.value.idempotencyKey !== key)
          return invalid("idempotencyKey", KEYS_DIFFER);
        const booking = validate(apiBookingSchema.omit({ userId: true }), appointmentData);
        if (!booking.ok) return booking;
        const order = { sourceId, amount, fields: booking.value, idempotencyKey: key };
        const paid = await payByCard(person, order, address);
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
    POST: endpoint({
      access: "anyone",
      handle: async ({ request }) => {
        const body = await readBody(request);
        if (!body) return refused("tooLarge", "That is more than this address takes.");
        const event = (await getGateway())?.parseWebhook(body, request.headers) ?? null;
        if (!event) return refused("unauthorized", "Unauthorized");
        return (await handleProviderEvent(event)) ? accepted({ message: "Heard." }) : RETRY_LATER;
      },
    }),
  },
});

export const loader = api.loader;
export const action = api.action;
