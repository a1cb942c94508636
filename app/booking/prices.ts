import { ADD_ONS, SERVICES } from "../practice/facts.ts";

/** A shelf of services, not one that can be booked. */
export const ADD_ON_CATEGORY = "Add-On Services";
export const CHOOSE_AN_ADD_ON = `Choose which of the ${ADD_ON_CATEGORY} you would like.`;

const DEFAULT_SERVICE_MINUTES = 60;
const DEFAULT_PRICE_CENTS = 7500;

const INVISIBLE_CHARACTERS = /[\p{Default_Ignorable_Code_Point}\p{Cf}]|(?!\s)\p{Cc}/gu;
/** White space, and the Braille cell that shows nothing. */
const WHITESPACE = /[\s\u2800]+/gu;

/** A title as it is compared: what looks the same is the same (decisions §5.6). */
export function normalizeTitle(title: string): string {
  return title
    .normalize("NFKC")
    .replace(INVISIBLE_CHARACTERS, "")
    .replace(WHITESPACE, " ")
    .trim()
    .normalize("NFKC")
    .toLowerCase();
}

export type BookableService = { title: string; priceCents: number; minutes: number };

/** Everything that can be booked by its name, in the order of the public page. */
export const BOOKABLE_SERVICES: readonly BookableService[] = [
  ...SERVICES.flatMap(({ title, priceCents, minutes }) =>
    priceCents === undefined ? [] : [{ title, priceCents, minutes }],
  ),
  ...ADD_ONS.map((addOn) => ({ ...addOn, minutes: null })),
].map(({ title, priceCents, minutes }) => ({ title, priceCents, minutes: minutes ?? DEFAULT_SERVICE_MINUTES }));

const SERVICES_BY_TITLE: ReadonlyMap<string, BookableService> = new Map(
  BOOKABLE_SERVICES.map((service) => [normalizeTitle(service.title), service]),
);

export function isAddOnCategory(title: string): boolean {
  return normalizeTitle(title) === normalizeTitle(ADD_ON_CATEGORY);
}

/** The price of one booking in cents, whatever its duration. A title of no service costs the usual price. */
export function priceInCents(title: string): number {
  return SERVICES_BY_TITLE.get(normalizeTitle(title))?.priceCents ?? DEFAULT_PRICE_CENTS;
}

/** True for a title that equals no service: the administrator sees it marked *Other*. */
export function isCustomTitle(title: string): boolean {
  return !SERVICES_BY_TITLE.has(normalizeTitle(title));
}

/** Minutes that a service presets in the dialog. */
export function defaultMinutes(title: string): number {
  return SERVICES_BY_TITLE.get(normalizeTitle(title))?.minutes ?? DEFAULT_SERVICE_MINUTES;
}
