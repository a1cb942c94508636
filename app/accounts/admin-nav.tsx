import { NavLink } from "react-router";

const NAV_LINKS = [
  { to: "/dashboard", label: "Dashboard" },
  { to: "/calendar", label: "Calendar" },
  { to: "/families", label: "Families" },
  { to: "/requests", label: "Requests" },
  { to: "/documents", label: "Documents" },
];

/** The consultant's rooms, above each of her pages. */
export function AdminNav() {
  return (
    <nav aria-label="Practice" className="mx-auto w-full max-w-(--container-page) px-edge pt-4" data-screen-only>
      <ul className="flex flex-wrap gap-x-2">
        {NAV_LINKS.map(({ to, label }) => (
          <li key={to}>
            <NavLink to={to} className="button button-quiet max-sm:px-2 max-sm:text-sm">
              {label}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
