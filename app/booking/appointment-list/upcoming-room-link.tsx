import { Link } from "react-router";
import { useSite } from "../../practice/site.ts";
import { formatDateTime, formatTime } from "../../ui/format-date-time.ts";
import { roomOpensAt } from "../room-hours.ts";
import type { AdminRow } from "./admin-appointment-row-data.ts";

/** Links to a waiting room that is not open yet. It is not a button, because nobody can enter yet. */
export function UpcomingRoomLink({ row: { id, start, client } }: { row: Pick<AdminRow, "id" | "start" | "client"> }) {
  const { timeZone } = useSite().practice;
  return (
    <Link to={`/video-call/${id}`} className="relative z-1 py-0.5 text-primary underline">
      <span className="sr-only">
        Waiting Room with {client.name}, {formatDateTime(start, timeZone)},{" "}
      </span>
      opens {formatTime(roomOpensAt(new Date(start)), timeZone)}
    </Link>
  );
}
