import { Outlet } from "react-router";
import type { Route } from "./+types/signed-in-layout";
import { requireSignedIn, getPerson } from "./guards.server.ts";
import { NavigationProgress } from "../ui/navigation-progress.tsx";
import { AdminNav } from "./admin-nav.tsx";
import { UnsentFormProvider } from "../ui/unsent-form.tsx";
import { IdleWarning } from "./idle-warning.tsx";
import { findUnsentForm } from "./unsent-form.server.ts";
import { sessionExpiry } from "./session.server.ts";

export const middleware = [requireSignedIn];

export async function loader({ context, request }: Route.LoaderArgs) {
  return {
    remainingMs: sessionExpiry(context)?.remainingMs ?? 0,
    isAdmin: getPerson(context)?.isAdmin ?? false,
    unsentForm: await findUnsentForm(context, request),
  };
}

export default function SignedInLayout({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <NavigationProgress />
      {loaderData.isAdmin && <AdminNav />}
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
