import { Outlet } from "react-router";
import type { Route } from "./+types/signed-in-layout";
import { signedInMiddleware, getPerson } from "./guards.server.ts";
import { NavigationProgress } from "../ui/navigation-progress.tsx";
import { UnsentFormProvider } from "../ui/unsent-form.tsx";
import { IdleWarning } from "./sessions/idle-warning.tsx";
import { findUnsentForm } from "./sessions/unsent-form.server.ts";
import { PortalNav } from "./portal-nav.tsx";
import { getSessionExpiry } from "./sessions/session.server.ts";

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
      <PortalNav isAdmin={loaderData.isAdmin} />
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
