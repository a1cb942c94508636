import { requirePerson } from "../../accounts/guards.server.ts";
import type { Route } from "./+types/search";
import { searchPractice } from "./practice-search.server.ts";
import { SearchPage } from "./search-page.tsx";

export function loader({ context, url }: Route.LoaderArgs) {
  return searchPractice(requirePerson(context), url.searchParams);
}

export default function Search({ loaderData }: Route.ComponentProps) {
  return <SearchPage data={loaderData} />;
}
