import { requirePerson } from "../../accounts/guards.server.ts";
import { recordListRead } from "../../audit/record-list-reads.server.ts";
import type { Route } from "./+types/calendar";
import { CalendarPage } from "./calendar-page.tsx";
import { loadCalendarPage } from "./calendar.server.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  await recordListRead();
  return loadCalendarPage(requirePerson(context), url.searchParams);
}

export default function Calendar({ loaderData }: Route.ComponentProps) {
  return <CalendarPage data={loaderData} />;
}
