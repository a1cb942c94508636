import { type ChangeEvent, useRef, useState } from "react";
import type { AnyField } from "../ui/page-form.ts";
import { SelectField, TextField } from "../ui/form.tsx";
import type { ScheduleData } from "./schedule.server.ts";

type ServiceFieldProps = {
  field: AnyField;
  duration: AnyField;
  services: ScheduleData["services"];
  addOns: ScheduleData["addOns"];
};

const LIST = "services-to-book";

/** What is booked, with what it costs said before it is chosen. A service has its own length, which is then set too. */
export function ServiceField({ field, duration, services, addOns }: ServiceFieldProps) {
  const [title, setTitle] = useState(String(field.initialValue ?? ""));
  const preset = useRef(offerOf(title, services)?.minutes);
  const chosen = offerOf(title, services);

  function onChange({ target }: ChangeEvent<HTMLDivElement>) {
    const { name, value, form } = target as unknown as HTMLInputElement;
    if (name !== field.name) return;
    setTitle(value);
    const minutes = offerOf(value, services)?.minutes;
    const length = form?.elements.namedItem(duration.name);
    if (!minutes || minutes === preset.current || !(length instanceof HTMLInputElement)) return;
    length.value = String(minutes);
    length.dispatchEvent(new Event("change", { bubbles: true }));
    preset.current = minutes;
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
          list={LIST}
          maxLength={255}
          autoComplete="off"
        />
      )}
      <datalist id={LIST}>
        {services.map((service) => (
          <option key={service.title} value={service.title}>
            {price(service.priceCents)}
          </option>
        ))}
      </datalist>
      <p role="status" className="hint empty:-mb-3">
        {title && `${chosen?.title ?? "This service"} costs ${price(chosen?.priceCents ?? USUAL_CENTS)}.`}
      </p>
      <details>
        <summary className="inline-flex min-h-11 cursor-pointer items-center text-pine underline underline-offset-4">
          All services and prices
        </summary>
        <ul className="mt-1">
          {services.map((service) => (
            <li key={service.title}>
              {service.title}: {price(service.priceCents)}, usually {service.minutes} minutes
            </li>
          ))}
          <li>Anything else: {price(USUAL_CENTS)}</li>
        </ul>
      </details>
    </div>
  );
}

const USUAL_CENTS = 7500;

function offerOf(title: string, services: ScheduleData["services"]) {
  return services.find((service) => service.title.toLowerCase() === title.trim().toLowerCase());
}

function price(cents: number) {
  return `$${cents / 100}`;
}
