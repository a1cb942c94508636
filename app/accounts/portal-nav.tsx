import { NavLink } from "react-router";
import { CalendarIcon, DocumentIcon, FormIcon, MailIcon, OverviewIcon, PersonIcon } from "../ui/icons.tsx";

const FAMILY_LINKS = [
  { to: "/dashboard", label: "Dashboard", Icon: OverviewIcon, end: true },
  { to: "/appointments", label: "Appointments", Icon: CalendarIcon },
  { to: "/documents", label: "Documents", Icon: DocumentIcon },
  { to: "/dashboard/intake-form", label: "Intake form", Icon: FormIcon },
];

const ADMIN_LINKS = [
  { to: "/dashboard", label: "Dashboard", Icon: OverviewIcon },
  { to: "/calendar", label: "Calendar", Icon: CalendarIcon },
  { to: "/families", label: "Families", Icon: PersonIcon },
  { to: "/requests", label: "Requests", Icon: MailIcon },
  { to: "/documents", label: "Documents", Icon: DocumentIcon },
];

/** The navigation above each page of the portal, by role; on phones a bar at the bottom. */
export function PortalNav({ isAdmin }: { isAdmin: boolean }) {
  return (
    <nav aria-label={isAdmin ? "Practice" : "Portal"} className="portal-nav" data-screen-only>
      <ul>
        {(isAdmin ? ADMIN_LINKS : FAMILY_LINKS).map(({ to, label, Icon, ...match }) => (
          <li key={to}>
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
