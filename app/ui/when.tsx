import { useSyncExternalStore } from "react";
import { dayWithWeekday, formatTime, timeWithZone, withWeekday } from "./dates.ts";

type WhenProps = {
  instant: Date | string;
  zone: string;
  children?: string;
  /** Where more words follow in the same line. */
  inSentence?: boolean;
};

/** A moment in the practice's zone (or in the words given); a visitor in another zone also reads their own time. */
export function When({ instant, zone, children, inSentence = false }: WhenProps) {
  const own = useSyncExternalStore(never, ownZone, () => zone);
  const day = dayWithWeekday(instant, zone);
  const there = withWeekday(instant, own);
  const differs = formatTime(instant, own) !== formatTime(instant, zone) || there.slice(0, 3) !== day.slice(0, 3);
  return (
    <>
      <time dateTime={new Date(instant).toISOString()}>
        {children ?? (
          <>
            {`${day} at `}
            <span className="whitespace-nowrap">{timeWithZone(instant, zone)}</span>
          </>
        )}
      </time>
      {differs &&
        (inSentence ? ` (your time: ${there})` : <span className="block text-sm text-muted">Your time: {there}</span>)}
    </>
  );
}

const never = () => () => {};

function ownZone() {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
