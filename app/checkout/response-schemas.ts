import { z } from "zod";
import { appointmentResponse } from "../booking/response-schemas.ts";
import { dollarsSchema } from "../http/response-schemas.ts";

export const cancellationResponse = z
  .object({
    message: z.string(),
    refund: dollarsSchema.optional().meta({ description: "What goes back to the card; absent when nothing was paid" }),
  })
  .meta({ id: "Cancelled" });

export const paymentConfigResponse = z
  .object({
    environment: z.enum(["production", "sandbox"]),
    applicationId: z.string(),
    locationId: z.string(),
    scriptUrl: z.string().meta({ description: "The provider's card form" }),
  })
  .meta({ id: "PaymentConfig" });

export const paymentResponse = z
  .object({
    success: z.literal(true),
    paymentId: z.string(),
    amount: dollarsSchema,
    appointment: appointmentResponse,
  })
  .meta({ id: "Payment" });
