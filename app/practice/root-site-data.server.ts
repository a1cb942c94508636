import { currentYear } from "../clock.ts";
import { env } from "../env.server.ts";
import { cachedConsultantProfile } from "./consultant-profile.server.ts";
import { type AccountDestination, appendAccountDestination } from "./account-destination.ts";
import { DEFAULT_ADMIN_FIRST_NAME } from "./site-content.ts";
import type { Site } from "./site.ts";

const DEFAULT_DESTINATION: AccountDestination = { redirectTo: "/", service: null };

/** Returns the site data of every page for the current visitor. `destination` is what a visitor has chosen before signing in. */
export function rootSiteData(person: Site["person"], destination: AccountDestination = DEFAULT_DESTINATION): Site {
  const { name, phone, email, timeZone } = env.practice;
  return {
    person: person && { ...person, firstName: greetingName(person) },
    practice: { name, phone, email, timeZone, consultant: cachedConsultantProfile() },
    accountUrls: person
      ? null
      : {
          loginUrl: appendAccountDestination("/login", destination),
          registerUrl: appendAccountDestination("/register", destination),
        },
    origin: env.origin,
    year: currentYear(timeZone),
  };
}

/**
 * Returns the name for greetings. The administrator's account created on first start contains no personal data; for it,
 * the first name from the public profile is used.
 */
function greetingName({ firstName, isAdmin }: NonNullable<Site["person"]>): string {
  const profileFirstName =
    isAdmin && firstName === DEFAULT_ADMIN_FIRST_NAME ? cachedConsultantProfile()?.name.split(" ")[0] : null;
  return profileFirstName || firstName;
}
