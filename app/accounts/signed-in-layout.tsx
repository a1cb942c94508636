import { NavLink, Outlet } from "react-router";
import type { Route } from "./+types/signed-in-layout";
import { signedInMiddleware, getPerson } from "./guards.server.ts";
import { NavigationProgress } from "../ui/navigation-progress.tsx";
import { UnsentFormProvider } from "../ui/unsent-form.tsx";
import { IdleWarning } from "./sessions/idle-warning.tsx";
import { findUnsentForm } from "./sessions/unsent-form.server.ts";
import { PortalNav } from "./portal-nav.tsx";
import { getSessionExpiry } from "./sessions/session.server.ts";

const NAV_LINKS = [
  { to: "/dashboard", label: "Dashboard" },
  { to: "/calendar", label: "Calendar" },
  { to: "/families", label: "Families" },
  { to: "/requests", label: "Requests" },
  { to: "/documents", label: "Documents" },
];

export const middleware = [signedInMiddleware];

export async function loader({ context, request }: Route.LoaderArgs) {
  return {
    remainingMs: getSessionExpiry(context)?.remainingMs ?? 0,
    isAdmin: getPerson(context)?.isAdmin ?? false,
    unsentForm: await findUnsentForm(context, request),
  };
}

export default function SignedInLayout({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <NavigationProgress />
      {loaderData.isAdmin ? <AdminNav /> : <PortalNav />}
      <UnsentFormProvider value={loaderData.unsentForm}>
        <Outlet />
      </UnsentFormProvider>
      {loaderData.isAdmin && (
        <aside className="privacy-note" aria-label="Privacy">
          For families' privacy you are signed out after 15 minutes without activity.
        </aside>
      )}
      <IdleWarning remainingMs={loaderData.remainingMs} />
    </>
  );
}

/** The navigation on all of the administrator's pages. */
function AdminNav() {
  return (
    <nav aria-label="Practice" className="mx-auto w-full max-w-(--container-page) px-edge pt-4" data-screen-only>
      <ul className="flex flex-wrap gap-x-2">
        {NAV_LINKS.map(({ to, label }) => (
          <li key={to}>
            <NavLink to={to} className="button button-quiet max-sm:px-2 max-sm:text-sm">
              {label}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
