import { type ChangeEvent, useRef, useState } from "react";
import type { AnyField } from "../ui/page-form.ts";
import { SelectField, TextField } from "../ui/form.tsx";
import type { ScheduleDialogData } from "./schedule-data.server.ts";

type ServiceFieldProps = {
  field: AnyField;
  duration: AnyField;
  services: ScheduleDialogData["services"];
  addOns: ScheduleDialogData["addOns"];
};

const DATALIST_ID = "services-to-book";

/** What is booked, with what it costs said before it is chosen. A service has its own length, which is then set too. */
export function ServiceField({ field, duration, services, addOns }: ServiceFieldProps) {
  const [title, setTitle] = useState(String(field.initialValue ?? ""));
  const presetMinutes = useRef(findService(title, services)?.minutes);
  const chosen = findService(title, services);

  function onChange({ target }: ChangeEvent<HTMLDivElement>) {
    const { name, value, form } = target as unknown as HTMLInputElement;
    if (name !== field.name) return;
    setTitle(value);
    const minutes = findService(value, services)?.minutes;
    const durationInput = form?.elements.namedItem(duration.name);
    if (!minutes || minutes === presetMinutes.current || !(durationInput instanceof HTMLInputElement)) return;
    durationInput.value = String(minutes);
    durationInput.dispatchEvent(new Event("change", { bubbles: true }));
    presetMinutes.current = minutes;
  }

  return (
    <div className="grid gap-1.5" onChange={onChange}>
      {addOns ? (
        <SelectField
          field={field}
          label="Service Type"
          hint="Choose one of the Add-On Services."
          options={[{ value: "", label: "Choose an add-on" }, ...addOns.map((value) => ({ value, label: value }))]}
        />
      ) : (
        <TextField
          field={field}
          label="Service Type"
          hint="Choose from the list, or use your own words."
          list={DATALIST_ID}
          maxLength={255}
          autoComplete="off"
        />
      )}
      <datalist id={DATALIST_ID}>
        {services.map((service) => (
          <option key={service.title} value={service.title}>
            {formatPrice(service.priceCents)}
          </option>
        ))}
      </datalist>
      <p role="status" className="hint empty:-mb-3">
        {title && `${chosen?.title ?? "This service"} costs ${formatPrice(chosen?.priceCents ?? DEFAULT_PRICE_CENTS)}.`}
      </p>
      <details>
        <summary className="inline-flex min-h-11 cursor-pointer items-center text-pine underline underline-offset-4">
          All services and prices
        </summary>
        <ul className="mt-1">
          {services.map((service) => (
            <li key={service.title}>
              {service.title}: {formatPrice(service.priceCents)}, usually {service.minutes} minutes
            </li>
          ))}
          <li>Anything else: {formatPrice(DEFAULT_PRICE_CENTS)}</li>
        </ul>
      </details>
    </div>
  );
}

const DEFAULT_PRICE_CENTS = 7500;

function findService(title: string, services: ScheduleDialogData["services"]) {
  return services.find((service) => service.title.toLowerCase() === title.trim().toLowerCase());
}

function formatPrice(cents: number) {
  return `$${cents / 100}`;
}
