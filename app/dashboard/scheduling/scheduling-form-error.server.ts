import { data, type RouterContextProvider } from "react-router";
import type { z } from "zod";
import { createFormErrorResponse, type FormErrorOptions } from "../../accounts/form-error-response.server.ts";
import { findNearestTimes } from "../../booking/availability/nearest-times.server.ts";
import type { FormSubmission } from "../../http/form.server.ts";
import type { Refusal } from "../../http/outcome.ts";
import { toTimeFieldRefusal } from "./scheduling-error-options.ts";

type RefusedSlot = { start: Date; duration: number };

/**
 * Returns the response to a refused scheduling form: the error at its time field and, if the time was refused, the
 * nearest free starts for a visit of that length (minutes). `visitToMove` is the visit that is being moved.
 */
export async function schedulingErrorResponse<S extends z.ZodType>(
  context: Readonly<RouterContextProvider>,
  submission: FormSubmission<S>,
  refusal: Refusal,
  { failureText, ...options }: FormErrorOptions & { failureText: string },
  { start, duration }: RefusedSlot,
  visitToMove?: { id: number; appointmentDate: Date },
) {
  const fieldRefusal = toTimeFieldRefusal(refusal, failureText);
  const answer = createFormErrorResponse(context, submission, fieldRefusal, options);
  const nearest = fieldRefusal.errors?.time
    ? await findNearestTimes(start, {
        duration,
        type: "consultation",
        ignoresNotice: true,
        excludedAppointmentId: visitToMove?.id,
      })
    : [];
  const currentStart = visitToMove?.appointmentDate.toISOString();
  return data({ ...answer.data, nearest: nearest.filter(({ value }) => value !== currentStart) }, answer.init ?? {});
}
