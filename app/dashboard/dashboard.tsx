import { personOf } from "../accounts/guards.server.ts";
import type { Route } from "./+types/dashboard";
import { AdminDashboard } from "./admin.tsx";
import { adminOverview } from "./admin-overview.server.ts";
import { ClientDashboard } from "./client.tsx";
import { clientOverview } from "./overview.server.ts";

/** One address, two faces: the family's overview or the consultant's. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const person = personOf(context);
  return person.isAdmin
    ? { face: "admin" as const, ...(await adminOverview(person, url.searchParams)) }
    : { face: "client" as const, firstName: person.firstName, ...(await clientOverview(person)) };
}

export default function Dashboard({ loaderData }: Route.ComponentProps) {
  return loaderData.face === "admin" ? (
    <AdminDashboard overview={loaderData} />
  ) : (
    <ClientDashboard overview={loaderData} />
  );
}
