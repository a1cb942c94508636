import { Outlet } from "react-router";
import type { Route } from "./+types/signed-in-layout";
import { signedInOnly, visitorOf } from "./guards.server.ts";
import { NavigationProgress } from "../ui/page-progress.tsx";
import { AdminNav } from "./admin-nav.tsx";
import { UnsentFormProvider } from "../ui/kept-form.tsx";
import { IdleWarning } from "./idle-warning.tsx";
import { findKeptForm } from "./kept-form.server.ts";
import { sessionEnd } from "./session.server.ts";

export const middleware = [signedInOnly];

export async function loader({ context, request }: Route.LoaderArgs) {
  return {
    remainingMs: sessionEnd(context)?.remainingMs ?? 0,
    isAdmin: visitorOf(context)?.isAdmin ?? false,
    kept: await findKeptForm(context, request),
  };
}

export default function SignedInLayout({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <NavigationProgress />
      {loaderData.isAdmin && <AdminNav />}
      <UnsentFormProvider value={loaderData.kept}>
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
