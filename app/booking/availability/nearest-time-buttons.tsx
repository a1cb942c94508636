import type { NearestTime } from "./nearest-times.server.ts";

/**
 * Shows buttons that choose another time immediately. Inside a form they submit its fields; otherwise the saved draft
 * is used.
 */
export function NearestTimeButtons({ times }: { times: readonly NearestTime[] }) {
  return times.map(({ value, label, accessibleName }) => (
    <button key={value} name="take" value={value} className="button button-secondary nearest-time">
      {label}
      <span className="sr-only"> ({accessibleName})</span>
    </button>
  ));
}
