import { recordListRead, recordTextsListed } from "../audit/record-list-reads.server.ts";
import { useEffect, useRef } from "react";
import { Link, Outlet, useNavigation, useOutlet } from "react-router";
import { requirePerson } from "../accounts/guards.server.ts";
import { readPageNumber, readSearchText } from "../http/list-query.ts";
import { LinkButton } from "../ui/button.tsx";
import { Card, StatCard } from "../ui/card.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { createIcon } from "../ui/icons.tsx";
import { ListSearch } from "../ui/list-search.tsx";
import { PageMeta } from "../ui/page-meta.tsx";
import { Pagination } from "../ui/pagination.tsx";
import { SeparatedList } from "../ui/separated-list.tsx";
import type { Route } from "./+types/documents-page";
import { DOCUMENTS_PATH, NEW_DOCUMENT_PATH } from "./document-paths.ts";
import { DocumentList } from "./document-list.tsx";
import { listDocumentGroups, type Sort, DOCUMENT_SORT_ORDERS } from "./document-list.server.ts";
import { DocumentSortForm } from "./document-sort-form.tsx";

const UploadIcon = createIcon(<path d="M12 15.5V4.25M7.25 8.5 12 4l4.75 4.5M4 19.75h16" />);

export async function loader({ context, url }: Route.LoaderArgs) {
  const person = requirePerson(context);
  const requestedSort = url.searchParams.get("sort");
  const sort: Sort =
    DOCUMENT_SORT_ORDERS.find((each) => each === requestedSort) ?? (person.isAdmin ? "family" : "newest");
  const search = person.isAdmin ? readSearchText(url.searchParams) : "";
  const showsOnlyNew = person.isAdmin && url.searchParams.get("show") === "new";
  const page = readPageNumber(url.searchParams);
  if (person.isAdmin) await recordListRead();
  const list = await listDocumentGroups(person, { sort, search, page, showsOnlyNew });
  if (person.isAdmin) await recordTextsListed(list.groups.map(({ family }) => family?.id ?? null));
  return { ...list, sort, search, showsOnlyNew, isAdmin: person.isAdmin };
}

/** Shows a family its own documents, and the administrator all documents. */
export default function Documents({ loaderData }: Route.ComponentProps) {
  const { groups, counts, total: count, page, pages, sort, search, showsOnlyNew, newCount, isAdmin } = loaderData;
  const dialog = useOutlet();
  const list = useFocusListAfterDelete(count);
  const isLoading = useIsLoading();
  return (
    <main id="main" tabIndex={-1} className="page">
      {!dialog && <PageMeta>Documents</PageMeta>}
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h1>Documents</h1>
        <LinkButton to={NEW_DOCUMENT_PATH} variant="primary" preventScrollReset>
          <UploadIcon /> Upload Document
        </LinkButton>
      </div>
      {isAdmin && counts.length > 0 && (
        <p>
          <SeparatedList
            items={[
              <NewDocumentsFilterLink key="new" isOn={showsOnlyNew} count={newCount} search={search} />,
              ...counts.map(({ label, count: each }) => (
                <span key={label}>
                  {label} <strong>{each}</strong>
                </span>
              )),
            ]}
          />
        </p>
      )}
      <p role="status" className={isLoading ? "text-muted" : "sr-only"}>
        {isLoading ? "Loading the documents…" : ""}
      </p>
      {isAdmin && (counts.length > 0 || search !== "") && (
        <ListSearch
          action={DOCUMENTS_PATH}
          label="Search documents"
          hint="A file's name, its description, or a family: its name, child, email address or phone number."
          search={search}
          isFiltered={search !== "" || showsOnlyNew}
        />
      )}
      {search !== "" && <p role="status">{count === 1 ? "1 document found." : `${count} documents found.`}</p>}
      <div ref={list} aria-busy={isLoading}>
        <Card
          title={isAdmin ? (showsOnlyNew ? "New documents" : "All Documents") : "Your Documents"}
          action={
            count > 1 && <DocumentSortForm sort={sort} search={search} showsOnlyNew={showsOnlyNew} isAdmin={isAdmin} />
          }
        >
          {count === 0 && showsOnlyNew && <p>You have opened everything that families sent.</p>}
          {count === 0 && search === "" && !showsOnlyNew ? (
            <NoDocuments isAdmin={isAdmin} />
          ) : (
            <DocumentList groups={groups} isAdmin={isAdmin} isByFamily={sort === "family"} />
          )}
          <Pagination page={page} pageCount={pages} label="Pages of documents" />
        </Card>
      </div>
      {!isAdmin && <DocumentCounts counts={counts} />}
      <Outlet />
    </main>
  );
}

/** Link that shows only the documents that the administrator has not opened yet, or all documents again. */
function NewDocumentsFilterLink({ isOn, count, search }: { isOn: boolean; count: number; search: string }) {
  const query = new URLSearchParams({ ...(search && { q: search }), ...(!isOn && { show: "new" }) }).toString();
  return (
    <Link to={`${DOCUMENTS_PATH}${query && `?${query}`}`} preventScrollReset className="inline-block py-2.5 font-bold">
      {isOn ? "Show all" : `New (${count})`}
    </Link>
  );
}

/** Shows the document counts at the end of a family's list. */
function DocumentCounts({ counts }: { counts: readonly { label: string; count: number }[] }) {
  if (counts.length === 0) return null;
  return (
    <div className="stats">
      {counts.map(({ label, count }) => (
        <StatCard key={label} label={label} value={count} />
      ))}
    </div>
  );
}

function NoDocuments({ isAdmin }: { isAdmin: boolean }) {
  return (
    <EmptyState
      illustration="document"
      title="No documents yet"
      text={
        isAdmin
          ? "What families send, and what you send them, shows up here."
          : "School letters, evaluations and plans can wait here, private, until we meet."
      }
      action={!isAdmin && <LinkButton to={NEW_DOCUMENT_PATH}>Upload Your First Document</LinkButton>}
    />
  );
}

function useIsLoading() {
  const { state, location } = useNavigation();
  return state === "loading" && location.pathname === DOCUMENTS_PATH;
}

/** Moves the focus to the list's heading after a row was deleted. */
function useFocusListAfterDelete(count: number) {
  const list = useRef<HTMLDivElement>(null);
  const previousCount = useRef(count);
  useEffect(() => {
    if (count < previousCount.current) list.current?.querySelector("h2")?.focus();
    previousCount.current = count;
  }, [count]);
  return list;
}
