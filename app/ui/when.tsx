import { useSyncExternalStore } from "react";
import { dayWithWeekday, formatTime, timeWithZone, withWeekday } from "./dates.ts";

type WhenProps = {
  instant: Date | string;
  zone: string;
  children?: string;
  /** Where more words follow in the same line. */
  inSentence?: boolean;
};

/**
 * A moment in the practice's zone (or in the words given); a visitor in another zone also reads their own time. Where
 * the line is too short for it, it breaks between the day and the time.
 */
export function When({ instant, zone, children, inSentence = false }: WhenProps) {
  const own = useSyncExternalStore(never, ownZone, () => zone);
  const day = dayWithWeekday(instant, zone);
  const ownDay = dayWithWeekday(instant, own);
  const differs = formatTime(instant, own) !== formatTime(instant, zone) || ownDay !== day;
  return (
    <>
      <time dateTime={new Date(instant).toISOString()}>
        {children ?? <Moment day={day} time={timeWithZone(instant, zone)} />}
      </time>
      {differs && inSentence && ` (your time: ${withWeekday(instant, own)})`}
      {differs && !inSentence && (
        <span className="block text-sm text-muted">
          Your time: <Moment day={ownDay} time={timeWithZone(instant, own)} />
        </span>
      )}
    </>
  );
}

function Moment({ day, time }: { day: string; time: string }) {
  return (
    <>
      <span className="inline-block">{day}</span> <span className="inline-block">{`at ${time}`}</span>
    </>
  );
}

const never = () => () => {};

function ownZone() {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
