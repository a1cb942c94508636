import { type ReactNode, useEffect, useRef } from "react";
import { Form, Link } from "react-router";
import { PRACTICE_DETAILS_PATH } from "../practice/site-links.ts";
import { enableMenuDismissal } from "../ui/behaviors/menu-dismissal.ts";
import {
  CalendarIcon,
  ChevronIcon,
  DocumentIcon,
  EyeIcon,
  FormIcon,
  HomeIcon,
  LogoutIcon,
  MailIcon,
  DashboardIcon,
  SearchIcon,
} from "../ui/icons.tsx";

const DISPLAY_PREFERENCES_ITEM = {
  to: "/comfort",
  label: "Display settings",
  text: "Larger text, calmer colors",
  icon: <EyeIcon />,
};

const CLIENT_ITEMS = [
  { to: "/dashboard", label: "Dashboard", text: "View your client portal overview", icon: <DashboardIcon /> },
  { to: "/appointments", label: "Appointments", text: "Schedule and manage appointments", icon: <CalendarIcon /> },
  { to: "/documents", label: "Documents", text: "Upload and manage files", icon: <DocumentIcon /> },
  { to: "/messages", label: "Messages", text: "What we have written to you", icon: <MailIcon /> },
  { to: "/", label: "Home", text: "Return to main website", icon: <HomeIcon /> },
  DISPLAY_PREFERENCES_ITEM,
];

type MenuItem = { to: string; label: string; text?: string; icon?: ReactNode; className?: string };

/**
 * Menu items that the navigation does not contain, grouped by subject. Documents is also in the navigation, except on
 * the narrowest phones.
 */
const ADMIN_GROUPS: { title: string; items: MenuItem[] }[] = [
  {
    title: "Practice",
    items: [
      { to: "/documents", label: "Documents", className: "min-[22rem]:hidden" },
      { to: "/calendar/weekly-hours", label: "Weekly hours" },
      { to: "/calendar/hours", label: "Closed days" },
      { to: "/consultant-profile", label: "About you" },
      { to: PRACTICE_DETAILS_PATH, label: "Address and tax number" },
      { to: "/mail-wording", label: "Wording of messages" },
      { to: "/dashboard/settings/calendar", label: "Calendar link" },
    ],
  },
  {
    title: "Records",
    items: [
      { to: "/messages", label: "Messages" },
      { to: "/activity", label: "Access log" },
      { to: "/compliance", label: "Legal requests" },
      { to: "/system-status", label: "System status" },
    ],
  },
];

const ADMIN_ITEMS = [
  { to: "/dashboard", label: "Admin Dashboard", text: "Manage client requests and site", icon: <DashboardIcon /> },
  { to: "/dashboard/settings", label: "Account Settings", text: "Password, devices, second step", icon: <FormIcon /> },
  { to: "/", label: "Public Site", text: "Return to main website", icon: <HomeIcon /> },
  DISPLAY_PREFERENCES_ITEM,
];

const STATIC_PAGES = ["/", DISPLAY_PREFERENCES_ITEM.to];

/** On phones the consultant's search, and the account menu: a `<details>` element, which works without JavaScript. */
export function AccountMenu({ person }: { person: { firstName: string; isAdmin: boolean } }) {
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => (menu.current ? enableMenuDismissal(menu.current) : undefined), []);
  return (
    <>
      {person.isAdmin && (
        <Link to="/search" aria-label="Search everything" className="button button-quiet button-icon menu-search">
          <SearchIcon />
        </Link>
      )}
      <details ref={menu} className="menu" data-menu>
        <summary className="button button-secondary">
          <span className="line-clamp-4 text-left wrap-anywhere">
            <span className="max-sm:sr-only">Hello, </span>
            {person.firstName || "User"}
          </span>
          <ChevronIcon className="menu-chevron size-5" />
          <span className="sr-only">Menu</span>
        </summary>
        <nav aria-label="Your account" className="menu-list">
          {person.isAdmin && (
            <div className="menu-groups">
              {ADMIN_GROUPS.map(({ title, items }) => (
                <div key={title}>
                  <p className="label" id={`menu-${title}`}>
                    {title}
                  </p>
                  <ul aria-labelledby={`menu-${title}`}>{items.map(renderMenuLink)}</ul>
                </div>
              ))}
            </div>
          )}
          <ul>
            {(person.isAdmin ? ADMIN_ITEMS : CLIENT_ITEMS).map(renderMenuLink)}
            <li className="mt-2 border-t border-line pt-2">
              <Form method="post" action="/logout" reloadDocument className="contents">
                <button type="submit" className="menu-item">
                  <LogoutIcon />
                  <MenuItemText label="Logout" text="Sign out of your account" />
                </button>
              </Form>
            </li>
          </ul>
        </nav>
      </details>
    </>
  );
}

function renderMenuLink({ to, label, text, icon, className }: MenuItem) {
  return (
    <li key={to} className={className}>
      {/* Static pages need a full document load. */}
      <Link to={to} reloadDocument={STATIC_PAGES.includes(to)} className="menu-item">
        {icon}
        <MenuItemText label={label} text={text} />
      </Link>
    </li>
  );
}

function MenuItemText({ label, text }: { label: ReactNode; text?: string }) {
  return (
    <span>
      <span className="block font-bold text-ink">{label}</span>
      {text && <span className="block text-sm text-muted">{text}</span>}
    </span>
  );
}
