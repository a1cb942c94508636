import { NearestTimeButtons } from "../../booking/availability/nearest-time-buttons.tsx";
import type { NearestTime } from "../../booking/availability/nearest-times.server.ts";

type NearestTimesProps = { actionData: object | undefined; minutes: number };

/**
 * Shows the nearest free times after a time was refused. One click takes a time. Renders nothing when there are none.
 */
export function NearestTimes({ actionData, minutes }: NearestTimesProps) {
  const { nearest = [] } = (actionData ?? {}) as { nearest?: readonly NearestTime[] };
  if (nearest.length === 0) return null;
  return (
    <div className="notice grid gap-3">
      <p>The nearest open times for {minutes} minutes. One press takes it; everything else stays the same.</p>
      <div className="nearest-times">
        <NearestTimeButtons times={nearest} />
      </div>
    </div>
  );
}
