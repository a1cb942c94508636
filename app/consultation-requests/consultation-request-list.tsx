import { recordListRead } from "../audit/record-list-reads.server.ts";
import { requirePerson } from "../accounts/guards.server.ts";
import type { Route } from "./+types/consultation-request-list";
import { loadConsultationRequestsPage } from "./consultation-request-list.server.ts";
import { ConsultationRequestsPage } from "./consultation-request-list-page.tsx";

export async function loader({ context, url }: Route.LoaderArgs) {
  await recordListRead();
  return loadConsultationRequestsPage(requirePerson(context), url.searchParams);
}

export default function ConsultationRequests({ loaderData }: Route.ComponentProps) {
  return <ConsultationRequestsPage data={loaderData} />;
}
