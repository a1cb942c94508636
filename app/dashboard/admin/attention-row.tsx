import { type ReactNode, type SyntheticEvent, useLayoutEffect, useState } from "react";
import { Link } from "react-router";
import type { AdminRow } from "../../booking/appointment-list/admin-appointment-row-data.ts";
import { formatCountWithNoun } from "../../format-count-with-noun.ts";
import { useSite } from "../../practice/site.ts";
import { Badge, type BadgeColor } from "../../ui/badge.tsx";
import { formatDateTime, formatShortDate } from "../../ui/format-date-time.ts";
import { ChevronIcon } from "../../ui/icons.tsx";

/** Groups with more rows are collapsed at first. */
const MAX_OPEN_ROWS = 3;
/** Below this width the groups are collapsed, so that the rest of the page needs less scrolling. */
const NARROW_SCREEN_QUERY = "(max-width: 59.99rem)";

type GroupProps = {
  title: string;
  count: number;
  /** Open at every width, because a person waits for an answer. */
  isUrgent?: boolean;
  /** Link to the full list, if only some rows are shown. */
  more?: { to: string; shown: number; nouns: [one: string, many: string] };
  children: ReactNode;
};

/** Shows the rows of one kind with a title and their number. Renders nothing when there are none. */
export function AttentionGroup({ title, count, isUrgent = false, more, children }: GroupProps) {
  const [isOpen, setIsOpen] = useState(isUrgent || count <= MAX_OPEN_ROWS);
  useLayoutEffect(() => {
    if (!isUrgent && window.matchMedia(NARROW_SCREEN_QUERY).matches) setIsOpen(false);
  }, [isUrgent]);
  if (count === 0) return null;
  return (
    <details
      className="attention-group"
      open={isOpen}
      onToggle={(event: SyntheticEvent<HTMLDetailsElement>) => setIsOpen(event.currentTarget.open)}
    >
      <summary>
        <h3>{title}</h3>
        <span className="attention-count">{count}</span>
        <ChevronIcon />
      </summary>
      <ul className="attention-rows">
        {children}
        {more && count > more.shown && (
          <li className="attention-row">
            <Link to={more.to}>{formatCountWithNoun(count - more.shown, ...more.nouns)}</Link>
          </li>
        )}
      </ul>
    </details>
  );
}

type RowProps = {
  badge?: string | null;
  color?: BadgeColor;
  /** Whether the badge is next to the first line, and each part is on a separate line. */
  isStacked?: boolean;
  children: ReactNode;
};

/** Shows one row. Its badge comes after the text, so that the names are aligned. */
export function AttentionRow({ badge, color = "grey", isStacked = false, children }: RowProps) {
  return (
    <li className={`attention-row ${isStacked ? "is-stacked" : ""}`.trim()}>
      <p className="min-w-0 wrap-anywhere">{children}</p>
      {badge && <Badge color={color}>{badge}</Badge>}
    </li>
  );
}

type VisitRowProps = { row: AdminRow; path: string; label: string; isMoney?: boolean };

/** Shows a past visit. `label` says what is missing. */
export function UnfinishedVisitRow({ row, path, label, isMoney = false }: VisitRowProps) {
  const { timeZone } = useSite().practice;
  return (
    <AttentionRow badge={isMoney ? label : null} color="yellow">
      <Link to={path} preventScrollReset>
        {row.client.name}
        <span className="sr-only">
          , {label}, {formatDateTime(row.start, timeZone)}
        </span>
      </Link>{" "}
      <span className="text-muted">{formatShortDate(row.start, timeZone)}</span>{" "}
      {row.status === "no-show" && <Badge color="grey">no-show</Badge>}
    </AttentionRow>
  );
}
