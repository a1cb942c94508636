import { Outlet } from "react-router";
import type { Route } from "./+types/signed-in-layout";
import { signedInOnly, visitorOf } from "./guards.server.ts";
import { PageProgress } from "../ui/page-progress.tsx";
import { AdminNav } from "./admin-nav.tsx";
import { IdleWarning } from "./idle-warning.tsx";
import { sessionEnd } from "./session.server.ts";

export const middleware = [signedInOnly];

export function loader({ context }: Route.LoaderArgs) {
  return { remainingMs: sessionEnd(context)?.remainingMs ?? 0, isAdmin: visitorOf(context)?.isAdmin ?? false };
}

export default function SignedInLayout({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <PageProgress />
      {loaderData.isAdmin && <AdminNav />}
      <Outlet />
      {loaderData.isAdmin && (
        <aside className="privacy-note" aria-label="Privacy">
          For families' privacy you are signed out after 15 minutes without activity.
        </aside>
      )}
      <IdleWarning remainingMs={loaderData.remainingMs} />
    </>
  );
}
