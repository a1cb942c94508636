import { ADD_ON_COVERS, ADD_ONS, SERVICES } from "../../practice/site-content.ts";
import { LENGTH_TO_CONFIRM_NOTE } from "../booking-rules.ts";
import { type BookableService, createPriceList, DEFAULT_SERVICE_MINUTES, normalizeTitle } from "./price-list.ts";

/** Category of the public page. It can't be booked itself, only its services can. */
export const ADD_ON_CATEGORY = "Add-On Services";
export const CHOOSE_ADD_ON_MESSAGE = `Choose which of the ${ADD_ON_CATEGORY} you would like.`;

/** All services that can be booked by title, in the order of the public page. */
export const BOOKABLE_SERVICES: readonly BookableService[] = [
  ...SERVICES.flatMap(({ title, priceCents, minutes, covers }) =>
    priceCents === undefined ? [] : [{ title, priceCents, minutes, covers }],
  ),
  ...ADD_ONS.map((addOn) => ({ ...addOn, minutes: null, covers: ADD_ON_COVERS })),
].map(({ minutes, ...service }) => ({ ...service, minutes: minutes ?? DEFAULT_SERVICE_MINUTES }));

const PRICE_LIST = createPriceList(BOOKABLE_SERVICES);

export function isAddOnCategoryTitle(title: string): boolean {
  return normalizeTitle(title) === normalizeTitle(ADD_ON_CATEGORY);
}

/** Checks whether the title is one of the add-ons, each of which is booked separately. */
export function isAddOn(title: string): boolean {
  return ADD_ONS.some((addOn) => normalizeTitle(addOn.title) === normalizeTitle(title));
}

/**
 * Returns the price of one booking in US cents, independent of its duration. A title that is not a service has the
 * default price.
 */
export function priceInCents(title: string): number {
  return PRICE_LIST.priceInCents(title);
}

/** Returns what the price of one booking covers beyond one visit, in words; null for one visit. */
export function priceInclusionsText(title: string): string | null {
  return PRICE_LIST.covers(title);
}

/** Checks whether the title is not a service. The administrator sees such a title marked *Other*. */
export function isCustomTitle(title: string): boolean {
  return !PRICE_LIST.find(title);
}

/** Returns the title of the booked service as the practice writes it; null for a custom title. */
export function knownServiceTitle(title: string): string | null {
  const withoutName = titleWithoutClientName({ title, consultationRequestId: 0 });
  return (PRICE_LIST.find(title) ?? PRICE_LIST.find(withoutName))?.title ?? null;
}

/** Returns the booked title without the client's name that scheduling from a request appends. */
export function titleWithoutClientName({ title, consultationRequestId }: BookedTitle): string {
  if (consultationRequestId === null) return title;
  const separatorIndex = title.lastIndexOf(" - ");
  return separatorIndex === -1 ? title : title.slice(0, separatorIndex);
}

type BookedTitle = { title: string; consultationRequestId: number | null };

/**
 * Checks whether a visit is longer than its service is sold for. The price stays the same, so the consultant confirms
 * the length.
 */
export function exceedsServiceDuration(visit: BookedTitle & { duration: number }): boolean {
  return visit.duration > defaultServiceMinutes(titleWithoutClientName(visit));
}

/**
 * Returns the length, such as "90 minutes". If the service is not sold for that length, the text adds that the
 * consultant will confirm it.
 */
export function visitLengthText(visit: BookedTitle & { duration: number }): string {
  return `${visit.duration} minutes${exceedsServiceDuration(visit) ? `, ${LENGTH_TO_CONFIRM_NOTE}` : ""}`;
}

/** Returns the minutes that a service presets in the booking dialog. */
export function defaultServiceMinutes(title: string): number {
  return PRICE_LIST.find(title)?.minutes ?? DEFAULT_SERVICE_MINUTES;
}
