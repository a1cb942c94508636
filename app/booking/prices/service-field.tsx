import { type ChangeEvent, useMemo, useState } from "react";
import { formatCents } from "../../ui/format-currency.ts";
import type { AnyField } from "../../ui/use-server-validated-form.ts";
import { TextField } from "../../ui/text-field.tsx";
import { type BookableService, createPriceList } from "./price-list.ts";
import { useDurationAutofill } from "./use-duration-autofill.ts";

type ServiceFieldProps = {
  field: AnyField;
  duration: AnyField;
  services: readonly BookableService[];
};

const DATALIST_ID = "services-to-book";

/**
 * Shows the field for the service, with all prices. Choosing a service with a usual length also sets the duration
 * field.
 */
export function ServiceField({ field, duration, services }: ServiceFieldProps) {
  const [title, setTitle] = useState(String(field.initialValue ?? ""));
  const prices = useMemo(() => createPriceList(services), [services]);
  const chosen = prices.find(title);
  const presetDuration = useDurationAutofill({ title: field, duration }, services);

  function onChange(event: ChangeEvent<HTMLDivElement>) {
    const { name, value } = event.target as unknown as HTMLInputElement;
    if (name === field.name) setTitle(value);
    presetDuration(event);
  }

  return (
    <div className="grid gap-1.5" onChange={onChange}>
      <TextField
        field={field}
        label="Service Type"
        hint="Choose from the list, or use your own words."
        list={DATALIST_ID}
        maxLength={255}
        autoComplete="off"
      />
      <datalist id={DATALIST_ID}>
        {services.map((service) => (
          <option key={service.title} value={service.title}>
            {formatCents(service.priceCents)}
          </option>
        ))}
      </datalist>
      <p role="status" className="hint empty:-mb-3">
        {title && `${chosen?.title ?? "This service"} costs ${formatCents(prices.priceInCents(title))}.`}
      </p>
      <details>
        <summary className="inline-flex min-h-11 cursor-pointer items-center text-primary underline underline-offset-4">
          All services and prices
        </summary>
        <ul className="mt-1">
          {services.map((service) => (
            <li key={service.title}>
              {service.title}: {formatCents(service.priceCents)}, usually {service.minutes} minutes
            </li>
          ))}
          <li>Anything else: {formatCents(prices.defaultPriceCents)}</li>
        </ul>
      </details>
    </div>
  );
}
