import { type ReactNode, useEffect, useRef } from "react";
import { Form, Link } from "react-router";
import { enableMenu } from "../ui/behaviors/menu.ts";
import {
  CalendarIcon,
  ChevronIcon,
  DocumentIcon,
  EyeIcon,
  FormIcon,
  HomeIcon,
  LogoutIcon,
  MailIcon,
  MoneyIcon,
  OverviewIcon,
  PersonIcon,
} from "../ui/icons.tsx";

const DISPLAY_PREFERENCES_ITEM = {
  to: "/comfort",
  label: "Display settings",
  text: "Larger text, calmer colors",
  icon: <EyeIcon />,
};

const CLIENT_ITEMS = [
  { to: "/dashboard", label: "Dashboard", text: "View your client portal overview", icon: <OverviewIcon /> },
  { to: "/appointments", label: "Appointments", text: "Schedule and manage appointments", icon: <CalendarIcon /> },
  { to: "/documents", label: "Documents", text: "Upload and manage files", icon: <DocumentIcon /> },
  { to: "/messages", label: "Messages", text: "What we have written to you", icon: <MailIcon /> },
  { to: "/", label: "Home", text: "Return to main website", icon: <HomeIcon /> },
  DISPLAY_PREFERENCES_ITEM,
];

const ADMIN_ITEMS = [
  { to: "/dashboard", label: "Admin Dashboard", text: "Manage client requests and site", icon: <OverviewIcon /> },
  { to: "/money", label: "Money", text: "Who owes what, payments and refunds", icon: <MoneyIcon /> },
  { to: "/documents", label: "Documents", text: "From families, and shared with them", icon: <DocumentIcon /> },
  { to: "/messages", label: "Messages", text: "What this site has written to you", icon: <MailIcon /> },
  { to: "/calendar/weekly-hours", label: "Weekly hours", text: "When families can book", icon: <CalendarIcon /> },
  { to: "/calendar/hours", label: "Closed days", text: "Days off and other hours", icon: <CalendarIcon /> },
  { to: "/consultant-profile", label: "About you", text: "What families read about you", icon: <PersonIcon /> },
  {
    to: "/dashboard/settings/calendar",
    label: "Calendar link",
    text: "Visits in your own calendar",
    icon: <CalendarIcon />,
  },
  { to: "/activity", label: "Access log", text: "Who opened or changed what", icon: <EyeIcon /> },
  { to: "/dashboard/settings", label: "Account Settings", text: "Password, devices, second step", icon: <FormIcon /> },
  { to: "/", label: "Public Site", text: "Return to main website", icon: <HomeIcon /> },
  DISPLAY_PREFERENCES_ITEM,
];

const STATIC_PAGES = ["/", DISPLAY_PREFERENCES_ITEM.to];

/** A `<details>` menu, which works without JavaScript. */
export function AccountMenu({ person }: { person: { firstName: string; isAdmin: boolean } }) {
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => (menu.current ? enableMenu(menu.current) : undefined), []);
  return (
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
        <ul>
          {(person.isAdmin ? ADMIN_ITEMS : CLIENT_ITEMS).map(({ to, label, text, icon }) => (
            <li key={to}>
              {/* Static pages need a document load. */}
              <Link to={to} reloadDocument={STATIC_PAGES.includes(to)} className="menu-item">
                {icon}
                <MenuItemText label={label} text={text} />
              </Link>
            </li>
          ))}
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
  );
}

function MenuItemText({ label, text }: { label: ReactNode; text: string }) {
  return (
    <span>
      <span className="block font-bold text-ink">{label}</span>
      <span className="block text-sm text-muted">{text}</span>
    </span>
  );
}
