import { NavLink } from "react-router";
import { CalendarIcon, DocumentIcon, FormIcon, MailIcon, MoneyIcon, OverviewIcon, PersonIcon } from "../ui/icons.tsx";

type PortalLink = { to: string; label: string; Icon: typeof PersonIcon; end?: boolean; className?: string };

const FAMILY_LINKS: PortalLink[] = [
  { to: "/dashboard", label: "Dashboard", Icon: OverviewIcon, end: true },
  { to: "/appointments", label: "Appointments", Icon: CalendarIcon },
  { to: "/documents", label: "Documents", Icon: DocumentIcon },
  { to: "/dashboard/intake-form", label: "Intake form", Icon: FormIcon },
];

/** On phones the bar has room for five; the account menu has the others, too. */
const ADMIN_LINKS: PortalLink[] = [
  { to: "/dashboard", label: "Dashboard", Icon: OverviewIcon },
  { to: "/calendar", label: "Calendar", Icon: CalendarIcon },
  { to: "/families", label: "Families", Icon: PersonIcon },
  { to: "/money", label: "Money", Icon: MoneyIcon, className: "max-sm:hidden" },
  { to: "/requests", label: "Requests", Icon: MailIcon },
  { to: "/documents", label: "Documents", Icon: DocumentIcon },
];

/** The navigation above each page of the portal, by role; on phones a bar at the bottom. */
export function PortalNav({ isAdmin }: { isAdmin: boolean }) {
  return (
    <nav aria-label={isAdmin ? "Practice" : "Portal"} className="portal-nav" data-screen-only>
      <ul>
        {(isAdmin ? ADMIN_LINKS : FAMILY_LINKS).map(({ to, label, Icon, className, ...match }) => (
          <li key={to} className={className}>
            <NavLink to={to} {...match} className="portal-nav-link">
              <Icon className="size-5" />
              {label}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
