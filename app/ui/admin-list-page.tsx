import type { ReactNode } from "react";
import { Card } from "./card.tsx";
import { EmptyState } from "./empty-state.tsx";
import { ListSearch, type ListSearchProps } from "./list-search.tsx";
import { PageMeta } from "./page-meta.tsx";
import { OlderEntriesLink, Pagination } from "./pagination.tsx";

type ListPageProps = {
  title: string;
  /** The names of the listed items: `["family", "families"]`. */
  nouns: readonly [singular: string, plural: string];
  search: ListSearchProps;
  /** Shown instead of the count when the list is empty and no filter is set. */
  emptyText: string;
  /** Shown next to the list's title; usually one LinkButton. */
  action?: ReactNode;
  total: number;
  /** A sentence after the count. */
  countNote?: string | null;
  /** Whether there are more items than `total`, which the pages don't include. */
  hasOlder?: boolean;
  /** The sequence at which the link to those items continues; null if the page has no link. */
  olderThan?: number | null;
  page: number;
  pageCount: number;
  /** A dialog above the page. `path` is then the page's own path with its query. */
  dialog?: ReactNode;
  path?: string;
  /** The items, as `li` elements. */
  children: ReactNode;
};

/** Shows an administrator page with a searchable, paginated list. */
export function AdminListPage(props: ListPageProps) {
  const {
    title,
    nouns,
    search,
    emptyText,
    action,
    total,
    countNote,
    hasOlder,
    olderThan,
    page,
    pageCount,
    dialog,
    path,
    children,
  } = props;
  const [singular, plural] = nouns;
  const count = total === 1 ? `1 ${singular}` : `${total} ${plural}`;
  return (
    <main id="main" tabIndex={-1} className="page">
      {!dialog && <PageMeta>{title}</PageMeta>}
      <h1>{title}</h1>
      <ListSearch {...search} />
      <Card
        title={search.isFiltered ? `${plural[0]?.toUpperCase()}${plural.slice(1)} found` : `All ${plural}`}
        action={action}
      >
        {total === 0 && !search.isFiltered ? (
          <EmptyState illustration="letter" title={`No ${plural} yet`} text={emptyText} />
        ) : (
          <p role="status">
            {hasOlder ? `${count}, and older ones.` : `${count}.`}
            {countNote && ` ${countNote}`}
          </p>
        )}
        <ul className="rows">{children}</ul>
        <Pagination page={page} pageCount={pageCount} label={`Pages of ${plural}`} path={path} />
        <OlderEntriesLink beforeSequence={olderThan ?? null} />
      </Card>
      {dialog}
    </main>
  );
}
