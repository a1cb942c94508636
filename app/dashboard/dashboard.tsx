import { Suspense } from "react";
import { requirePerson } from "../accounts/guards.server.ts";
import { lazyComponent } from "../ui/lazy-component.ts";
import type { Route } from "./+types/dashboard";
import { adminOverview } from "./admin-overview.server.ts";
import { clientOverview } from "./client-overview.server.ts";

/** One address, two faces: the family's overview or the consultant's. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const person = requirePerson(context);
  return person.isAdmin
    ? { face: "admin" as const, ...(await adminOverview(person, url.searchParams)) }
    : { face: "client" as const, firstName: person.firstName, ...(await clientOverview(person)) };
}

/** Each face is loaded where it is shown: a family's phone need not carry the consultant's lists. */
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
