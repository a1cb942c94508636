import { currentYear } from "../clock.ts";
import { env } from "../env.server.ts";
import { consultantProfile } from "./consultant-profile.server.ts";
import type { Site } from "./site.ts";

/** The site data of every page, for the current visitor. */
export function rootSiteData(person: Site["person"]): Site {
  const { name, phone, email, timeZone } = env.practice;
  return {
    person,
    practice: { name, phone, email, timeZone, consultant: consultantProfile() },
    origin: env.origin,
    year: currentYear(timeZone),
  };
}
