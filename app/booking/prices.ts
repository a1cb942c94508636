import { ADD_ONS, SERVICES } from "../practice/facts.ts";
import { type BookableService, createPriceList, DEFAULT_SERVICE_MINUTES, normalizeTitle } from "./price-list.ts";

/** A category of the public page; it can't be booked itself, only one of its services can. */
export const ADD_ON_CATEGORY = "Add-On Services";
export const CHOOSE_AN_ADD_ON = `Choose which of the ${ADD_ON_CATEGORY} you would like.`;

/** All services that can be booked by title, in the order of the public page. */
export const BOOKABLE_SERVICES: readonly BookableService[] = [
  ...SERVICES.flatMap(({ title, priceCents, minutes }) =>
    priceCents === undefined ? [] : [{ title, priceCents, minutes }],
  ),
  ...ADD_ONS.map((addOn) => ({ ...addOn, minutes: null })),
].map(({ title, priceCents, minutes }) => ({ title, priceCents, minutes: minutes ?? DEFAULT_SERVICE_MINUTES }));

const PRICE_LIST = createPriceList(BOOKABLE_SERVICES);

export function isAddOnCategory(title: string): boolean {
  return normalizeTitle(title) === normalizeTitle(ADD_ON_CATEGORY);
}

/** Whether the title is one of the add-ons, each of which is booked by itself. */
export function isAddOn(title: string): boolean {
  return ADD_ONS.some((addOn) => normalizeTitle(addOn.title) === normalizeTitle(title));
}

/** The price of one booking in US cents, whatever its duration. A title of no service has the default price. */
export function priceInCents(title: string): number {
  return PRICE_LIST.priceInCents(title);
}

/** True for a title that equals no service: the administrator sees it marked *Other*. */
export function isCustomTitle(title: string): boolean {
  return !PRICE_LIST.find(title);
}

/** The minutes that a service presets in the booking dialog. */
export function defaultMinutes(title: string): number {
  return PRICE_LIST.find(title)?.minutes ?? DEFAULT_SERVICE_MINUTES;
}
