import { Link, useLocation } from "react-router";

type PaginationProps = {
  page: number;
  pageCount: number;
  label: string;
  /** The list's path and query, if the list can be behind a dialog with another address. */
  path?: string;
  /** The id of the list's element, if the list is not at the top of its page. */
  anchor?: string;
};

/** Shows links to the pages of a list. */
export function Pagination({ page, pageCount, label, path, anchor }: PaginationProps) {
  const { pathname, search } = useLocation();
  const [list, filters] = path?.split("?") ?? [pathname, search];
  if (pageCount <= 1) return null;
  const pagePath = (target: number) => {
    const query = new URLSearchParams(filters);
    query.set("page", String(target));
    return `${list}?${query}${anchor ? `#${anchor}` : ""}`;
  };
  return (
    <nav aria-label={label} className="actions">
      {page > 1 && (
        <Link to={pagePath(Math.min(page, pageCount + 1) - 1)} className="button button-secondary">
          Previous page
        </Link>
      )}
      <span>
        Page {page} of {pageCount}
      </span>
      {page < pageCount && (
        <Link to={pagePath(page + 1)} className="button button-secondary">
          Next page
        </Link>
      )}
    </nav>
  );
}

/**
 * Shows a link from the last page of a list to older items. `beforeSequence` is the sequence at which they continue, if any.
 */
export function OlderEntriesLink({ beforeSequence }: { beforeSequence: number | null }) {
  const { pathname, search } = useLocation();
  if (beforeSequence === null) return null;
  const query = new URLSearchParams(search);
  query.delete("page");
  query.set("before", String(beforeSequence));
  return (
    <p className="actions">
      <Link to={`${pathname}?${query}`} className="button button-secondary">
        Older entries
      </Link>
    </p>
  );
}
