import { NavLink } from "react-router";
import { CalendarIcon, DocumentIcon, FormIcon, OverviewIcon } from "../ui/icons.tsx";

const LINKS = [
  { to: "/dashboard", label: "Dashboard", Icon: OverviewIcon, end: true },
  { to: "/appointments", label: "Appointments", Icon: CalendarIcon },
  { to: "/documents", label: "Documents", Icon: DocumentIcon },
  { to: "/dashboard/intake-form", label: "Intake form", Icon: FormIcon },
];

/** A family's navigation: above each of its pages, on phones a bar at the bottom. */
export function PortalNav() {
  return (
    <nav aria-label="Portal" className="portal-nav" data-screen-only>
      <ul>
        {LINKS.map(({ to, label, Icon, end }) => (
          <li key={to}>
            <NavLink to={to} end={end} className="portal-nav-link">
              <Icon className="size-5" />
              {label}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
