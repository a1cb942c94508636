import type { NearestTime } from "./nearest-times.server.ts";

/** Buttons that take another time at once; inside a form they send what it holds, else what was saved. */
export function NearestTimeButtons({ times }: { times: readonly NearestTime[] }) {
  return times.map(({ value, label, accessibleName }) => (
    <button key={value} name="take" value={value} className="button button-secondary nearest-time">
      {label}
      <span className="sr-only"> ({accessibleName})</span>
    </button>
  ));
}
