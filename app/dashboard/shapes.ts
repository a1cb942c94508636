import { z } from "zod";
import { bookingDetailsShape, LONGEST_TITLE } from "../booking/shapes.ts";
import { readWallTime } from "../booking/start-time.ts";
import { HAND_STATUSES } from "../booking/statuses.ts";
import { optionalText, requiredLine } from "../http/fields.ts";

const LONGEST_DAY = 10;
const LONGEST_TIME = 5;
const YES = "on";

/** A chosen free time counts before a typed one. */
function withTime(fields: unknown) {
  const { slot, time, ...rest } = fields as Record<string, unknown>;
  return { ...rest, time: slot || time };
}

const dayAndTime = {
  date: requiredLine("The date", LONGEST_DAY, "Choose a date."),
  time: requiredLine("The time", LONGEST_TIME, "Choose a time."),
  slot: z.unknown().optional(),
  anyway: optionalText("The answer"),
};

function startIn(zone: string) {
  return <T extends { date: string; time: string }>(fields: T, context: z.RefinementCtx) => {
    const start = readWallTime(fields.date, fields.time, zone);
    if (typeof start !== "string") return { ...fields, start };
    context.addIssue({ code: "custom", path: ["time"], message: start });
    return z.NEVER;
  };
}

/** The dialog that makes an appointment of a request; wall times are the practice's. */
export function scheduleShape(zone: string) {
  const fields = z.object({
    title: requiredLine("The title", LONGEST_TITLE, "Enter a title."),
    ...dayAndTime,
    isLiveVideoCall: z.preprocess((value) => value === YES, z.boolean()),
    userId: optionalText("The account").transform((text) => text && Number(text)),
  });
  return z.preprocess(withTime, fields.transform(startIn(zone)));
}

/** The dialog with which the consultant books for a family. */
export function familyBookingShape(zone: string) {
  return z.preprocess(withTime, bookingDetailsShape.extend(dayAndTime).transform(startIn(zone)));
}

export function moveShape(zone: string) {
  return z.preprocess(withTime, z.object(dayAndTime).transform(startIn(zone)));
}

export const statusShape = z.object({ status: z.enum(HAND_STATUSES, "Choose a status of the list.") });
