import { type ChangeEvent, useMemo, useRef } from "react";
import type { AnyField } from "../../ui/use-server-validated-form.ts";
import { type BookableService, createPriceList } from "./price-list.ts";

type AutofillFields = Record<"title" | "duration", AnyField>;

/**
 * Returns a change handler that sets the duration to the chosen service's usual length, unless another duration was
 * entered. Attach it to an element that contains the title field.
 */
export function useDurationAutofill({ title, duration }: AutofillFields, services: readonly BookableService[]) {
  const prices = useMemo(() => createPriceList(services), [services]);
  const preset = useRef(String(duration.initialValue ?? ""));
  return ({ target }: ChangeEvent<HTMLElement>) => {
    const { name, value, form } = target as unknown as HTMLInputElement;
    const durationInput = form?.elements.namedItem(duration.name);
    if (name !== title.name || !(durationInput instanceof HTMLInputElement)) return;
    const minutes = String(prices.find(value)?.minutes ?? prices.defaultMinutes);
    if (minutes === durationInput.value || durationInput.value !== preset.current) return;
    durationInput.value = minutes;
    preset.current = minutes;
    const presetInput = form?.elements.namedItem("presetDuration");
    if (presetInput instanceof HTMLInputElement) presetInput.value = minutes;
    durationInput.dispatchEvent(new Event("change", { bubbles: true }));
  };
}
