import { Outlet } from "react-router";
import type { Route } from "./+types/signed-in-layout";
import { signedInMiddleware, getPerson, requirePerson } from "./guards.server.ts";
import { NavigationAccessibility } from "../ui/navigation-accessibility.tsx";
import { SessionTagProvider, UnsentFormProvider } from "../ui/unsent-form-context.ts";
import { publicSessionId } from "./sessions/signed-in-devices.server.ts";
import { SessionExpiryMonitor } from "./sessions/session-expiry-monitor.tsx";
import { findUnsentForm } from "./sessions/unsent-form.server.ts";
import { PortalNav } from "./portal-nav.tsx";
import { getPossiblyRestrictedSession, getSessionExpiryInfo } from "./sessions/session.server.ts";

export const middleware = [signedInMiddleware];

export async function loader({ context, request }: Route.LoaderArgs) {
  const isAdmin = getPerson(context)?.isAdmin ?? false;
  const session = getPossiblyRestrictedSession(context);
  return {
    remainingMs: getSessionExpiryInfo(context)?.remainingMs ?? 0,
    personId: requirePerson(context).id,
    isAdmin,
    sessionTag: session ? publicSessionId(session.sid) : 0,
    unsentForm: await findUnsentForm(context, request),
  };
}

export default function SignedInLayout({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <NavigationAccessibility />
      <PortalNav isAdmin={loaderData.isAdmin} />
      <UnsentFormProvider value={loaderData.unsentForm}>
        <SessionTagProvider value={loaderData.sessionTag}>
          <Outlet />
        </SessionTagProvider>
      </UnsentFormProvider>
      {loaderData.isAdmin && (
        <aside className="privacy-note" aria-label="Privacy">
          For families' privacy you are signed out after 15 minutes without activity.
        </aside>
      )}
      <SessionExpiryMonitor remainingMs={loaderData.remainingMs} personId={loaderData.personId} />
    </>
  );
}
