import { Link, useLocation } from "react-router";

type PagesProps = { page: number; pages: number; label: string };

/** The way through a list of several pages; every page is an address. */
export function Pages({ page, pages, label }: PagesProps) {
  const { pathname, search } = useLocation();
  if (pages <= 1) return null;
  const to = (wanted: number) => {
    const query = new URLSearchParams(search);
    query.set("page", String(wanted));
    return `${pathname}?${query}`;
  };
  return (
    <nav aria-label={label} className="actions">
      {page > 1 && (
        <Link to={to(Math.min(page, pages + 1) - 1)} className="button button-secondary">
          Previous page
        </Link>
      )}
      <span>
        Page {page} of {pages}
      </span>
      {page < pages && (
        <Link to={to(page + 1)} className="button button-secondary">
          Next page
        </Link>
      )}
    </nav>
  );
}
