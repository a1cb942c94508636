import { useSite } from "../practice/site.ts";
import { formatLongDate, formatTime, formatTimeWithZone } from "../ui/format-date-time.ts";
import { ZonedTime } from "../ui/zoned-time.tsx";

/** Shows a visit's weekday, date, start and end in large type. Both instants are ISO 8601 UTC. */
export function VisitTime({ start, end }: { start: string; end: string }) {
  const { timeZone } = useSite().practice;
  const [weekday, ...date] = formatLongDate(start, timeZone).split(", ");
  return (
    <p>
      <ZonedTime instant={start} zone={timeZone}>
        <span className="block font-display text-2xl text-primary">
          <span className="inline-block">{weekday},</span> <span className="inline-block">{date.join(", ")}</span>
        </span>{" "}
        <span className="block text-xl font-bold">
          {formatTime(start, timeZone)} – {formatTimeWithZone(end, timeZone)}
        </span>
      </ZonedTime>
    </p>
  );
}
