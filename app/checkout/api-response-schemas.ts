import { z } from "zod";
import { appointmentResponseSchema } from "../booking/api-response-schemas.ts";
import { dollarsSchema } from "../http/api-response-schemas.ts";

export const cancellationResponseSchema = z
  .object({
    message: z.string(),
    refund: dollarsSchema.optional().meta({ description: "What goes back to the card; absent when nothing was paid" }),
  })
  .meta({ id: "Cancelled" });

export const paymentConfigResponseSchema = z
  .object({
    environment: z.enum(["production", "sandbox"]),
    applicationId: z.string(),
    locationId: z.string(),
    scriptUrl: z.string().meta({ description: "The provider's card form" }),
  })
  .meta({ id: "PaymentConfig" });

export const paymentResponseSchema = z
  .object({
    success: z.literal(true),
    paymentId: z.string(),
    amount: dollarsSchema,
    appointment: appointmentResponseSchema,
  })
  .meta({ id: "Payment" });
