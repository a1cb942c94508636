import { z } from "zod";
import { SETTABLE_STATUSES } from "../../booking/appointment-status.ts";
import { appointmentPlaceSchema } from "../../booking/booking-schemas.ts";
import { requiredMultiLineText } from "../../http/field-schemas.ts";

const MAX_REASON_LENGTH = 500;

/** The administrator's reason for canceling a visit. The family can read it. */
export const cancellationSchema = z.object({
  reason: requiredMultiLineText("The reason", MAX_REASON_LENGTH, "Write why you're canceling. The family will see it."),
});

/** The place of one visit in person. */
export const placeSchema = z.object({ place: appointmentPlaceSchema });

export const statusSchema = z.object({ status: z.enum(SETTABLE_STATUSES, "Choose a status from the list.") });
