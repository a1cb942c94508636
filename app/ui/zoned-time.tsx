import { type ReactNode, useSyncExternalStore } from "react";
import { formatDate, formatTime, formatTimeWithZone, formatDateTime } from "./format-date-time.ts";

type ZonedTimeProps = {
  instant: Date | string;
  zone: string;
  children?: ReactNode;
  /** Whether it is used within a sentence. */
  inSentence?: boolean;
};

/**
 * Shows an instant in the practice's time zone, or `children`. Visitors in another time zone also see their own time.
 * Wraps between day and time.
 */
export function ZonedTime({ instant, zone, children, inSentence = false }: ZonedTimeProps) {
  const localZone = useLocalZone(zone);
  const day = formatDate(instant, zone);
  const localDay = formatDate(instant, localZone);
  const isOtherZone = formatTime(instant, localZone) !== formatTime(instant, zone) || localDay !== day;
  return (
    <>
      <time dateTime={new Date(instant).toISOString()}>
        {children ?? <DateAndTime day={day} time={formatTimeWithZone(instant, zone)} />}
      </time>
      {isOtherZone && inSentence && ` (your time: ${formatDateTime(instant, localZone)})`}
      {isOtherZone && !inSentence && (
        <span className="block text-sm text-muted">
          Your time: <DateAndTime day={localDay} time={formatTimeWithZone(instant, localZone)} />
        </span>
      )}
    </>
  );
}

function DateAndTime({ day, time }: { day: string; time: string }) {
  return (
    <>
      <span className="inline-block">{day}</span> <span className="inline-block">{`at ${time}`}</span>
    </>
  );
}

/** Returns the visitor's time zone; on the server and until hydration, `zone`. */
export function useLocalZone(zone: string): string {
  return useSyncExternalStore(noSubscription, browserTimeZone, () => zone);
}

const noSubscription = () => () => {};

function browserTimeZone() {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
