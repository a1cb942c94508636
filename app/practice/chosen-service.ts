import { ADD_ONS, SERVICES } from "./site-content.ts";
import { bookServicePath } from "./site-links.ts";

/** The query parameter with which a visitor's choice goes along to registration and sign-in. */
const PARAMETER = "service";
const TITLES: readonly string[] = [...SERVICES, ...ADD_ONS].map(({ title }) => title);

/** The service that the address names; null unless it is one of the practice's. */
export function chosenService({ searchParams }: URL): string | null {
  const title = searchParams.get(PARAMETER);
  return title !== null && TITLES.includes(title) ? title : null;
}

/** The address of the sign-in or registration page, with what it leads on to. */
export function accountPagePath(path: string, next: { redirectTo: string; service: string | null }): string {
  const query = new URLSearchParams({
    ...(next.redirectTo === "/" ? {} : { redirectTo: next.redirectTo }),
    ...(next.service ? { [PARAMETER]: next.service } : {}),
  });
  return query.size > 0 ? `${path}?${query}` : path;
}

/** Where whoever is signed in already is led instead of to registration or sign-in. */
export function signedInDestination(redirectTo: string, service: string | null): string {
  return service && redirectTo === "/" ? bookServicePath(service) : redirectTo;
}
