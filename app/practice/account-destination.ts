import { ADD_ONS, SERVICES } from "./site-content.ts";
import { buildServiceBookingPath } from "./site-links.ts";

/** The query parameter that passes a visitor's chosen service to registration and sign-in. */
const SERVICE_PARAMETER = "service";
const SERVICE_TITLES: readonly string[] = [...SERVICES, ...ADD_ONS].map(({ title }) => title);

/** Returns the service in the address; null if it is not a service of the practice. */
export function chosenServiceFromUrl({ searchParams }: URL): string | null {
  const title = searchParams.get(SERVICE_PARAMETER);
  return title !== null && SERVICE_TITLES.includes(title) ? title : null;
}

/** Where a visitor goes on after signing in: a path of this site, and the service that was chosen before. */
export type AccountDestination = { redirectTo: string; service: string | null };

/** Returns the address of a page on the way to an account, such as sign-in, with its next destination. */
export function appendAccountDestination(path: string, destination: AccountDestination): string {
  const query = new URLSearchParams({
    ...(destination.redirectTo === "/" ? {} : { redirectTo: destination.redirectTo }),
    ...(destination.service ? { [SERVICE_PARAMETER]: destination.service } : {}),
  });
  return query.size > 0 ? `${path}?${query}` : path;
}

/** Returns where a person who is already signed in is redirected from registration or sign-in. */
export function resolveSignInDestination(redirectTo: string, service: string | null): string {
  return service && redirectTo === "/" ? buildServiceBookingPath(service) : redirectTo;
}
