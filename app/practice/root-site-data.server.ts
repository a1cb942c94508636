import { currentYear } from "../clock.ts";
import { env } from "../env.server.ts";
import { cachedConsultantProfile } from "./consultant-profile.server.ts";
import { UNNAMED_ADMINISTRATOR } from "./site-content.ts";
import type { Site } from "./site.ts";

/** Returns the site data of every page for the current visitor. */
export function rootSiteData(person: Site["person"]): Site {
  const { name, phone, email, timeZone } = env.practice;
  return {
    person: person && { ...person, firstName: greetingName(person) },
    practice: { name, phone, email, timeZone, consultant: cachedConsultantProfile() },
    origin: env.origin,
    year: currentYear(timeZone),
  };
}

/**
 * Returns the name for greetings. The administrator's account created on first start contains no personal data; for it,
 * the first name from the public profile is used.
 */
function greetingName({ firstName, isAdmin }: NonNullable<Site["person"]>): string {
  const known = isAdmin && firstName === UNNAMED_ADMINISTRATOR ? cachedConsultantProfile()?.name.split(" ")[0] : null;
  return known || firstName;
}
