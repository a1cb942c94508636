import { normalizeUnicode } from "../../normalize-unicode.ts";

const DEFAULT_PRICE_CENTS = 7500;
/** Usual length of a visit whose title is not a service in the list. */
export const DEFAULT_SERVICE_MINUTES = 60;

const INVISIBLE_CHARACTERS = /[\p{Default_Ignorable_Code_Point}\p{Cf}]|(?!\s)\p{Cc}/gu;
/** White space, and the blank Braille pattern, which is rendered as empty space. */
const WHITESPACE = /[\s\u2800]+/gu;

/**
 * A service that can be booked by its title. `priceCents` is in US cents and does not depend on the duration. `covers`
 * is what the price pays for; null for one visit.
 */
export type BookableService = { title: string; priceCents: number; minutes: number; covers: string | null };

/**
 * Returns a price list that maps titles to services and prices. Used in the browser while a title is typed and on the
 * server when the booking is charged. Uses only the services passed in, so that a page does not load their
 * descriptions.
 */
export function createPriceList<Service extends BookableService>(services: readonly Service[]) {
  const byTitle = new Map(services.map((service) => [normalizeTitle(service.title), service]));
  const find = (title: string) => byTitle.get(normalizeTitle(title));
  return {
    find,
    /** Price in US cents. A title that is not a service has the default price. */
    priceInCents: (title: string) => find(title)?.priceCents ?? DEFAULT_PRICE_CENTS,
    /** What the price covers beyond one visit, in words; null for one visit. */
    covers: (title: string) => find(title)?.covers ?? null,
    defaultPriceCents: DEFAULT_PRICE_CENTS,
    defaultMinutes: DEFAULT_SERVICE_MINUTES,
  };
}

/** Returns the form in which titles are compared: titles that look the same are equal (docs/product.md, Price). */
export function normalizeTitle(title: string): string {
  const visible = normalizeUnicode(title, "NFKC").replace(INVISIBLE_CHARACTERS, "").replace(WHITESPACE, " ").trim();
  return normalizeUnicode(visible, "NFKC").toLowerCase();
}
