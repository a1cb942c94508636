import { ADD_ON_COVERS, ADD_ONS, SERVICES } from "../../practice/site-content.ts";
import { LENGTH_TO_CONFIRM } from "../rules.ts";
import { type BookableService, createPriceList, DEFAULT_SERVICE_MINUTES, normalizeTitle } from "./price-list.ts";

/** A category of the public page; it can't be booked itself, only one of its services can. */
export const ADD_ON_CATEGORY = "Add-On Services";
export const CHOOSE_AN_ADD_ON = `Choose which of the ${ADD_ON_CATEGORY} you would like.`;

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

/** Whether the title is one of the add-ons, each of which is booked by itself. */
export function isAddOn(title: string): boolean {
  return ADD_ONS.some((addOn) => normalizeTitle(addOn.title) === normalizeTitle(title));
}

/** The price of one booking in US cents, whatever its duration. A title of no service has the default price. */
export function priceInCents(title: string): number {
  return PRICE_LIST.priceInCents(title);
}

/** What the price of one booking pays for beyond one visit, in words; null for one visit. */
export function priceCovers(title: string): string | null {
  return PRICE_LIST.covers(title);
}

/** True for a title that equals no service: the administrator sees it marked *Other*. */
export function isCustomTitle(title: string): boolean {
  return !PRICE_LIST.find(title);
}

/** The title of the service that was booked, as the practice writes it; null for a title that somebody made up. */
export function knownServiceTitle(title: string): string | null {
  const withoutName = titleWithoutClientName({ title, consultationRequestId: 0 });
  return (PRICE_LIST.find(title) ?? PRICE_LIST.find(withoutName))?.title ?? null;
}

/** What was booked, without the client's name that scheduling from a request adds to it. */
export function titleWithoutClientName({ title, consultationRequestId }: BookedTitle): string {
  if (consultationRequestId === null) return title;
  const separatorIndex = title.lastIndexOf(" - ");
  return separatorIndex === -1 ? title : title.slice(0, separatorIndex);
}

type BookedTitle = { title: string; consultationRequestId: number | null };

/** Whether a visit takes longer than its service is sold for: its price stays, so the consultant confirms the length. */
export function exceedsServiceDuration(visit: BookedTitle & { duration: number }): boolean {
  return visit.duration > defaultMinutes(titleWithoutClientName(visit));
}

/** "90 minutes", and for a family what becomes of a length that its service is not sold for. */
export function lengthText(visit: BookedTitle & { duration: number }): string {
  return `${visit.duration} minutes${exceedsServiceDuration(visit) ? `, ${LENGTH_TO_CONFIRM}` : ""}`;
}

/** The minutes that a service presets in the booking dialog. */
export function defaultMinutes(title: string): number {
  return PRICE_LIST.find(title)?.minutes ?? DEFAULT_SERVICE_MINUTES;
}
