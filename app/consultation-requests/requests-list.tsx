import { recordListRead } from "../audit/record-list-reads.server.ts";
import { requirePerson } from "../accounts/guards.server.ts";
import type { Route } from "./+types/requests-list";
import { loadRequestsPage } from "./requests-list.server.ts";
import { RequestsPage } from "./requests-page.tsx";

export async function loader({ context, url }: Route.LoaderArgs) {
  await recordListRead();
  return loadRequestsPage(requirePerson(context), url.searchParams);
}

export default function Requests({ loaderData }: Route.ComponentProps) {
  return <RequestsPage data={loaderData} />;
}
