import { useMemo } from "react";
import { FieldError, FieldGroup } from "../../ui/field.tsx";
import { formatCents } from "../../ui/format-currency.ts";
import { SelectField } from "../../ui/choice-fields.tsx";
import { createPriceList } from "../prices/price-list.ts";
import { useDurationAutofill } from "../prices/use-duration-autofill.ts";
import type { BookingDialogFields } from "./booking-dialog.tsx";
import type { BookingDialogData } from "./booking-dialog-data.server.ts";
import type { IncompleteStepError } from "./use-booking-steps.ts";

type ServiceStepProps = { fields: BookingDialogFields; data: BookingDialogData; error: IncompleteStepError | null };
type Service = BookingDialogData["services"][number];

/** Shows the choice of what to book: a service with its price and usual length, an add-on, or a custom title. */
export function ServiceStep({ fields, data: { services, addOns }, error }: ServiceStepProps) {
  const onChange = useDurationAutofill(fields, services);
  const title = error?.step === 1 ? { ...fields.title, errors: [error.text] } : fields.title;
  if (addOns) {
    return (
      <div onChange={onChange}>
        <SelectField
          field={title}
          label="Service Type"
          hint="Choose one of the Add-On Services."
          options={[
            { value: "", label: "Choose an add-on" },
            ...services
              .filter(({ isAddOn }) => isAddOn)
              .map((addOn) => ({ value: addOn.title, label: `${addOn.title}, ${formatCents(addOn.priceCents)}` })),
          ]}
        />
      </div>
    );
  }
  return (
    <div onChange={onChange}>
      <ServiceRadioGroup fields={{ title, ownTitle: fields.ownTitle }} services={services} />
    </div>
  );
}

function ServiceRadioGroup({
  fields,
  services,
}: {
  fields: Pick<BookingDialogFields, "title" | "ownTitle">;
  services: Service[];
}) {
  const { title, ownTitle } = fields;
  const prices = useMemo(() => createPriceList(services), [services]);
  const initialTitle = String(title.initialValue ?? "");
  const chosen = prices.find(initialTitle);
  const ownWords = String(ownTitle.initialValue ?? "") || (chosen ? "" : initialTitle);
  const mainServices = services.filter(({ isAddOn }) => !isAddOn);
  const addOnServices = services.filter(({ isAddOn }) => isAddOn);
  const card = (service: Service, index: number) => (
    <ServiceRadioCard
      key={service.title}
      id={index === 0 && !service.isAddOn ? title.id : undefined}
      name={title.name}
      service={service}
      isChecked={service === chosen}
    />
  );
  return (
    <FieldGroup field={title} label="Service Type">
      <div className="service-list">
        {mainServices.map(card)}
        <div className="custom-service">
          <label className="choice service-card">
            <input type="radio" name={title.name} value="" defaultChecked={ownWords !== ""} />
            <span className="font-bold">In my own words</span>
            <span className="service-price">{formatCents(prices.defaultPriceCents)}</span>
            <span className="service-note hint">{prices.defaultMinutes} minutes · Anything else you need</span>
          </label>
          <div className="custom-service-field field mt-2">
            <label className="label" htmlFor={ownTitle.id}>
              What would you like help with?
            </label>
            <FieldError field={ownTitle} />
            <input
              id={ownTitle.id}
              name={ownTitle.name}
              className="input"
              defaultValue={ownWords}
              maxLength={255}
              autoComplete="off"
            />
          </div>
        </div>
        <details open={chosen?.isAddOn}>
          <summary className="text-summary">Add-on services, {priceRange(addOnServices)}</summary>
          <div className="service-list mt-2">{addOnServices.map(card)}</div>
        </details>
      </div>
    </FieldGroup>
  );
}

function ServiceRadioCard({
  id,
  name,
  service,
  isChecked,
}: {
  id?: string;
  name: string;
  service: Service;
  isChecked: boolean;
}) {
  const { title, priceCents, minutes, covers, isFirstChoice } = service;
  return (
    <label className="choice service-card">
      <input type="radio" id={id} name={name} value={title} defaultChecked={isChecked} />
      <span className="font-bold">{title}</span>
      <span className="service-price">{formatCents(priceCents)}</span>
      <span className="service-note hint">
        {minutes} minutes{isFirstChoice && " · Start here"}
        {covers && <span className="block">{covers}</span>}
      </span>
    </label>
  );
}

function priceRange(services: readonly Service[]): string {
  const cents = services.map(({ priceCents }) => priceCents);
  return `${formatCents(Math.min(...cents))}–${formatCents(Math.max(...cents)).slice(1)}`;
}
