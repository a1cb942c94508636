import type { ReactNode } from "react";
import { Link, NavLink, useLocation, useRouteLoaderData } from "react-router";
import { formatCountWithNoun } from "../format-count-with-noun.ts";
import {
  CalendarIcon,
  DocumentIcon,
  FormIcon,
  MailIcon,
  MenuIcon,
  MoneyIcon,
  DashboardIcon,
  PersonIcon,
} from "../ui/icons.tsx";
import { GlobalSearchBox } from "./search/global-search-box.tsx";

/**
 * Number of messages and documents from the practice that a family has not opened yet (loaded by root.tsx); null for
 * the consultant.
 */
export type UnreadCounts = { messages: number; documents: number } | null;

type PortalNavItem = {
  to: string;
  label: string;
  Icon: typeof PersonIcon;
  end?: boolean;
  className?: string;
  counts?: keyof NonNullable<UnreadCounts>;
};

export const MORE_PATH = "/more";
const WIDE_SCREEN_CLASS = "max-[70rem]:hidden";
const NARROW_SCREEN_CLASS = "min-[70rem]:hidden";

/** On phones and tablets there is room for five links: the last one leads to a page with the others. */
const FAMILY_LINKS: PortalNavItem[] = [
  { to: "/dashboard", label: "Dashboard", Icon: DashboardIcon, end: true },
  { to: "/appointments", label: "Appointments", Icon: CalendarIcon },
  { to: "/documents", label: "Documents", Icon: DocumentIcon, counts: "documents" },
  { to: "/dashboard/intake-form", label: "Intake form", Icon: FormIcon },
  { to: "/messages", label: "Messages", Icon: MailIcon, counts: "messages", className: WIDE_SCREEN_CLASS },
  { to: "/receipts", label: "Receipts", Icon: MoneyIcon, className: WIDE_SCREEN_CLASS },
  { to: "/dashboard/settings", label: "Settings", Icon: PersonIcon, className: WIDE_SCREEN_CLASS },
  { to: MORE_PATH, label: "More", Icon: MenuIcon, counts: "messages", className: NARROW_SCREEN_CLASS },
];

/** On the narrowest phones the bar has room for five links; the account menu contains the sixth. */
const ADMIN_LINKS: PortalNavItem[] = [
  { to: "/dashboard", label: "Dashboard", Icon: DashboardIcon },
  { to: "/calendar", label: "Calendar", Icon: CalendarIcon },
  { to: "/families", label: "Families", Icon: PersonIcon },
  { to: "/money", label: "Money", Icon: MoneyIcon },
  { to: "/requests", label: "Requests", Icon: MailIcon },
  { to: "/documents", label: "Documents", Icon: DocumentIcon, className: "max-[22rem]:hidden" },
];

export function useUnreadCounts(): UnreadCounts {
  const root: { unread?: UnreadCounts } | undefined = useRouteLoaderData("root");
  return root?.unread ?? null;
}

/** The navigation above each page of the portal, by role. On phones it is a bar at the bottom. */
export function PortalNav({ isAdmin }: { isAdmin: boolean }) {
  const unread = useUnreadCounts();
  const { pathname, search } = useLocation();
  // The section of the page from which a dialog of the dashboard was opened, directly or through another dialog.
  const from = isAdmin && pathname.startsWith("/dashboard/") ? new URLSearchParams(search).get("from") : null;
  const originSection = /^(?:\/dashboard\/.*from=%2F|\/(?!dashboard))(\w+)/.exec(from ?? "")?.[1];
  return (
    <nav aria-label={isAdmin ? "Practice" : "Portal"} className="portal-nav" data-screen-only>
      <ul>
        {(isAdmin ? ADMIN_LINKS : FAMILY_LINKS).map(({ to, label, Icon, className, counts, ...match }) => (
          <li key={to} className={className}>
            <PortalLink to={to} {...match} isCurrent={originSection ? to === `/${originSection}` : null}>
              <Icon className="size-5" />
              <span>{label}</span>
              {counts && <UnreadCount count={unread?.[counts] ?? 0} kind={counts} />}
            </PortalLink>
          </li>
        ))}
      </ul>
      {isAdmin && <GlobalSearchBox />}
    </nav>
  );
}

type PortalLinkProps = {
  to: string;
  end?: boolean;
  /** Null if the current URL decides. */
  isCurrent: boolean | null;
  children: ReactNode;
};

function PortalLink({ isCurrent, end, ...link }: PortalLinkProps) {
  if (isCurrent === null) return <NavLink {...link} end={end} className="portal-nav-link" />;
  return <Link {...link} aria-current={isCurrent ? "page" : undefined} className="portal-nav-link" />;
}

/** The number of new items, in words for screen readers; renders nothing if there are none. */
export function UnreadCount({ count, kind }: { count: number; kind: "messages" | "documents" }) {
  if (count === 0) return null;
  return (
    <span className="unread-count">
      <span aria-hidden="true">{count > 99 ? "99+" : count}</span>
      <span className="sr-only">, {formatCountWithNoun(count, `new ${kind.slice(0, -1)}`)}</span>
    </span>
  );
}
