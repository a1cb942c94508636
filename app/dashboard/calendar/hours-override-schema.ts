import { z } from "zod";
import { parseDay, parseTime } from "../../booking/wall-time.ts";
import { optionalSingleLine, optionalMultiLineText, requiredMultiLineText } from "../../http/field-schemas.ts";

const INVALID_DAY_MESSAGE = "Enter a day that exists, such as 12/25/2026.";
const INVALID_HOURS_MESSAGE = "Enter when you open and, after that, when you close.";
const MAX_NOTE_LENGTH = 200;

const isAbsentOrDay = (text: string | undefined) => text === undefined || parseDay(text) !== null;

/** Days that are closed or have special hours. Times are local to the practice. */
export const hoursOverrideSchema = z
  .object({
    from: requiredMultiLineText("The first day", undefined, "Choose the first day.").refine(
      isAbsentOrDay,
      INVALID_DAY_MESSAGE,
    ),
    to: optionalMultiLineText("The last day").refine(isAbsentOrDay, INVALID_DAY_MESSAGE),
    kind: z.enum(["closed", "open"], "Choose what happens on these days."),
    opens: optionalMultiLineText("The opening time"),
    closes: optionalMultiLineText("The closing time"),
    note: optionalSingleLine("The note", MAX_NOTE_LENGTH),
  })
  .transform(({ from, to, kind, opens, closes, note }, context) => {
    if (kind === "closed") return { from, to, note, hours: null };
    const hours = { opens: parseTime(opens ?? "") ?? -1, closes: parseTime(closes ?? "") ?? -1 };
    if (hours.opens >= 0 && hours.opens < hours.closes) return { from, to, note, hours };
    context.addIssue({ code: "custom", path: ["opens"], message: INVALID_HOURS_MESSAGE });
    return z.NEVER;
  });
