import { type FormEvent, useMemo, useState } from "react";
import { useSite } from "../../practice/site.ts";
import { formatDate, formatShortDateTime, formatTime } from "../../ui/format-date-time.ts";
import { formatCents } from "../../ui/format-currency.ts";
import { createPriceList } from "../prices/price-list.ts";
import {
  lateCancellationCostText,
  REFUND_RULE_TEXT,
  refundRuleTextWithDeadline,
} from "../prices/cancellation-policy.ts";
import type { BookingDialogFields } from "./booking-dialog.tsx";
import type { BookingDialogData } from "./booking-dialog-data.server.ts";

type FormChoices = { title: string; slot: string; appointmentDate: string; duration: string; paymentMethod: string };

export type BookingSummary = ReturnType<typeof useBookingSummary>["choices"];

/** Returns the choices made so far in words, for the later steps. Updated whenever the form changes. */
export function useBookingSummary(
  fields: BookingDialogFields,
  { services, freeDays, unavailableTime, asOf, acceptsCards }: BookingDialogData,
) {
  const { timeZone } = useSite().practice;
  const prices = useMemo(() => createPriceList(services), [services]);
  const initialText = (name: keyof FormChoices) => String(fields[name].initialValue ?? "");
  const [typed, setTyped] = useState<FormChoices>({
    title: initialText("title"),
    slot: initialText("slot"),
    appointmentDate: initialText("appointmentDate"),
    duration: initialText("duration"),
    paymentMethod: initialText("paymentMethod"),
  });
  function updateSummary({ currentTarget }: Pick<FormEvent<HTMLFormElement>, "currentTarget">) {
    const form = new FormData(currentTarget);
    const text = (name: string) => String(form.get(name) ?? "");
    const { title, slot, appointmentDate, duration, paymentMethod } = fields;
    setTyped({
      title: text(title.name) || text(fields.ownTitle.name),
      slot: text(slot.name),
      appointmentDate: text(appointmentDate.name),
      duration: text(duration.name),
      paymentMethod: text(paymentMethod.name),
    });
  }
  const { title, slot, appointmentDate, duration, paymentMethod } = typed;
  const start = parseSlot(slot);
  const typedTime: readonly [Date | string, string] | null = slot
    ? start && ([start, timeZone] as const)
    : parseTypedTime(appointmentDate);
  // A time that is no longer available does not count as chosen, although the draft still contains it.
  const time = typedTime && formatShortDateTime(...typedTime) !== unavailableTime?.when ? typedTime : null;
  const serviceMinutes = prices.find(title)?.minutes ?? prices.defaultMinutes;
  return {
    readChoices: updateSummary,
    choices: {
      service: title && `${title}, ${duration || serviceMinutes} minutes`,
      price: title && formatCents(prices.priceInCents(title)),
      covers: title && prices.covers(title),
      refundRule: start ? refundRuleTextWithDeadline(start, timeZone) : REFUND_RULE_TEXT,
      lateNote: start
        ? lateCancellationCostText(
            {
              start,
              priceCents: prices.priceInCents(title),
              isPaidOnline: acceptsCards && paymentMethod !== "in-person",
            },
            new Date(asOf),
          )
        : null,
      time: time && `${formatDate(...time)} at ${formatTime(...time)} ${freeDays.zone}`,
      /** An instant, or a typed wall time in the practice's time zone. */
      startText: slot || appointmentDate,
      /** Short form for small spaces. */
      shortTime: time && formatShortDateTime(...time),
      isLongerThanSold: Number(duration) > serviceMinutes,
    },
  };
}

/**
 * Returns the instant of a free time; null for any other text, because a visitor can submit values that the page never
 * offered.
 */
function parseSlot(slot: string): Date | null {
  const start = new Date(slot);
  return /^\d{4}-/.test(slot) && !Number.isNaN(start.getTime()) ? start : null;
}

/**
 * Returns a typed time with the zone to format it in. It is already wall time of the practice, so it is treated as UTC.
 */
function parseTypedTime(appointmentDate: string) {
  const instant = `${appointmentDate}Z`;
  return Number.isNaN(Date.parse(instant)) ? null : ([instant, "UTC"] as const);
}
