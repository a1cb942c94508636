import type { MouseEvent } from "react";
import type { NearestTime } from "./nearest-times.server.ts";

type Props = {
  times: readonly NearestTime[];
  /** Called on a press. It can prevent the submission. */
  onSelect?: (event: MouseEvent, time: NearestTime) => void;
};

/**
 * Shows buttons that choose another time immediately. Inside a form they submit its fields; otherwise the saved draft
 * is used.
 */
export function NearestTimeButtons({ times, onSelect }: Props) {
  return times.map((time) => (
    <button
      key={time.value}
      name="take"
      value={time.value}
      className="button button-secondary nearest-time"
      onClick={(event) => onSelect?.(event, time)}
    >
      {time.label}
      <span className="sr-only"> ({time.accessibleName})</span>
    </button>
  ));
}
