import { Suspense } from "react";
import { requirePerson } from "../accounts/guards.server.ts";
import { lazyComponent } from "../ui/lazy-component.ts";
import type { Route } from "./+types/dashboard";
import { adminOverview } from "./admin-overview.server.ts";
import { clientOverview } from "./client-overview.server.ts";

/** The dashboard: the client's or the administrator's, by role. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const person = requirePerson(context);
  return person.isAdmin
    ? { face: "admin" as const, ...(await adminOverview(person, url.searchParams)) }
    : { face: "client" as const, firstName: person.firstName, ...(await clientOverview(person)) };
}

/** Each dashboard is loaded on demand, so that families don't download the administrator's lists. */
const AdminDashboard = lazyComponent(async () => (await import("./admin-dashboard.tsx")).AdminDashboard);
const ClientDashboard = lazyComponent(async () => (await import("./client-dashboard.tsx")).ClientDashboard);

export default function Dashboard({ loaderData }: Route.ComponentProps) {
  return (
    <Suspense>
      {loaderData.face === "admin" ? (
        <AdminDashboard overview={loaderData} />
      ) : (
        <ClientDashboard overview={loaderData} />
      )}
    </Suspense>
  );
}
