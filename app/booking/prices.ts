import { ADD_ONS, SERVICES } from "../practice/facts.ts";

/** A shelf of services, not one that can be booked. */
export const ADD_ON_SERVICES = "Add-On Services";
export const CHOOSE_AN_ADD_ON = `Choose which of the ${ADD_ON_SERVICES} you would like.`;

const USUAL_MINUTES = 60;
const UNKNOWN_TITLE_CENTS = 7500;

const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]|(?!\s)\p{Cc}/gu;
/** White space, and the Braille cell that shows nothing. */
const BLANK = /[\s\u2800]+/gu;

/** A title as it is compared: what looks the same is the same (decisions §5.6). */
export function comparable(title: string): string {
  return title.normalize("NFKC").replace(INVISIBLE, "").replace(BLANK, " ").trim().normalize("NFKC").toLowerCase();
}

export type Offer = { title: string; priceCents: number; minutes: number };

/** Everything that can be booked by its name, in the order of the public page. */
export const OFFERS: readonly Offer[] = [
  ...SERVICES.flatMap(({ title, priceCents, minutes }) =>
    priceCents === undefined ? [] : [{ title, priceCents, minutes }],
  ),
  ...ADD_ONS.map((addOn) => ({ ...addOn, minutes: null })),
].map(({ title, priceCents, minutes }) => ({ title, priceCents, minutes: minutes ?? USUAL_MINUTES }));

const BY_TITLE: ReadonlyMap<string, Offer> = new Map(OFFERS.map((offer) => [comparable(offer.title), offer]));

export function isAddOnServices(title: string): boolean {
  return comparable(title) === comparable(ADD_ON_SERVICES);
}

/** The price of one booking in cents, whatever its duration. A title of no service costs the usual price. */
export function priceInCents(title: string): number {
  return BY_TITLE.get(comparable(title))?.priceCents ?? UNKNOWN_TITLE_CENTS;
}

/** True for a title that equals no service: the administrator sees it marked *Other*. */
export function isOther(title: string): boolean {
  return !BY_TITLE.has(comparable(title));
}

/** Minutes that a service presets in the dialog. */
export function presetMinutes(title: string): number {
  return BY_TITLE.get(comparable(title))?.minutes ?? USUAL_MINUTES;
}
