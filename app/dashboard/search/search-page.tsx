import type { ReactNode } from "react";
import { Link } from "react-router";
import { SEARCH_PATH } from "../../accounts/search/search-shortcut-setting.ts";
import { SearchShortcutToggle } from "../../accounts/search/search-shortcut-toggle.tsx";
import { appointmentDetailsPath, buildReturnPathQuery, adminReschedulePath } from "../../booking/appointment-paths.ts";
import { viewDocumentPath } from "../../documents/document-paths.ts";
import { EmailLink, PhoneLink } from "../../practice/contact-links.tsx";
import { useSite } from "../../practice/site.ts";
import { Badge } from "../../ui/badge.tsx";
import { formatDateTime } from "../../ui/format-date-time.ts";
import { ListSearch } from "../../ui/list-search.tsx";
import { PageMeta } from "../../ui/page-meta.tsx";
import { ZonedTime } from "../../ui/zoned-time.tsx";
import { TextSearchResults } from "./text-search-results.tsx";
import { SearchGroup, ROW_LINK_CLASS } from "./search-group.tsx";
import type { SearchData } from "./practice-search.server.ts";

type SearchPageProps = { data: SearchData; dialog?: ReactNode };

/** Shows one search in all data of the consultant, in groups. */
export function SearchPage({ data: { search, results }, dialog }: SearchPageProps) {
  const title = "Search";
  return (
    <main id="main" tabIndex={-1} className="page">
      {!dialog && <PageMeta>{search ? `${title}: ${search}` : title}</PageMeta>}
      <h1>{title}</h1>
      <ListSearch
        action={SEARCH_PATH}
        label="Search everything"
        hint="Names, a phone number or an email address, or words of a visit, a request, a document, a note or an intake form."
        search={search}
        isFiltered={false}
      />
      {results && <SearchResults search={search} results={results} />}
      <SearchShortcutToggle />
      {dialog}
    </main>
  );
}

type FoundProps = {
  search: string;
  results: NonNullable<SearchData["results"]>;
};

function SearchResults({ search, results }: FoundProps) {
  const { families, requests, visits, documents } = results;
  const { timeZone } = useSite().practice;
  const query = new URLSearchParams({ q: search });
  const backQuery = buildReturnPathQuery(`${SEARCH_PATH}?${query}`);
  const total = Object.values(results).reduce((sum, { count }) => sum + count, 0);
  return (
    <>
      <p role="status">{total === 0 ? `Nothing was found for “${search}”.` : `${total} found for “${search}”.`}</p>
      <SearchGroup title="Families" found={families} more={`/families?${query}`}>
        {families.rows.map(({ id, name, childName, phone, email, isClosed }) => (
          <li key={id} className="row relative">
            <div className="min-w-0 flex-1 basis-56">
              <Link to={`/families/${id}`} className={ROW_LINK_CLASS}>
                {name}
              </Link>
              {childName && <p className="wrap-anywhere">Child: {childName}</p>}
            </div>
            <PhoneOrEmailLink phone={phone} email={email} />
            {isClosed && <Badge color="grey">closed</Badge>}
          </li>
        ))}
      </SearchGroup>
      <SearchGroup title="People without an account" found={requests} more={`/requests?${query}`}>
        {requests.rows.map(({ id, name, email, phone, waiting, isOpen, appointment }) => (
          <li key={id} className="row relative">
            <div className="min-w-0 flex-1 basis-56">
              <Link
                to={requestSearchResultPath(id, { isOpen, appointment, name, backQuery })}
                preventScrollReset
                className={ROW_LINK_CLASS}
              >
                {name}
              </Link>
              <p className="text-muted">
                {appointment ? (
                  <>
                    Visit <ZonedTime instant={appointment.start} zone={timeZone} inSentence />
                  </>
                ) : (
                  isOpen && `Request, ${waiting}`
                )}
              </p>
            </div>
            <PhoneOrEmailLink phone={phone} email={email} />
            <Badge color={isOpen ? "blue" : "green"}>{isOpen ? "open" : "scheduled"}</Badge>
          </li>
        ))}
      </SearchGroup>
      <SearchGroup title="Visits" found={visits} more={`/dashboard?${query}#appointments`}>
        {visits.rows.map(({ id, title, start, badge, canMove, name, childName }) => (
          <li key={id} className="row relative">
            <div className="min-w-0 flex-1 basis-56">
              <Link to={`${appointmentDetailsPath(id)}${backQuery}`} preventScrollReset className={ROW_LINK_CLASS}>
                {name}
                <span className="sr-only">
                  , {title}, {formatDateTime(start, timeZone)}
                </span>
              </Link>
              {childName && <p className="wrap-anywhere">Child: {childName}</p>}
              <p>
                <ZonedTime instant={start} zone={timeZone} />
              </p>
            </div>
            <span className="min-w-0 wrap-anywhere text-muted">{title}</span>
            <Badge color={badge.color}>{badge.label}</Badge>
            {canMove && (
              <Link
                to={`${adminReschedulePath(id)}${backQuery}`}
                preventScrollReset
                className="button button-quiet relative z-1"
              >
                Move
                <span className="sr-only">
                  {" "}
                  the visit of {name}, {formatDateTime(start, timeZone)}
                </span>
              </Link>
            )}
          </li>
        ))}
      </SearchGroup>
      <SearchGroup title="Documents" found={documents} more={`/documents?${query}`}>
        {documents.rows.map(({ id, fileName, virusText, family, childName }) => (
          <li key={id} className="row">
            <div className="min-w-0 flex-1 basis-56">
              {virusText ? (
                <p className="wrap-anywhere text-danger">
                  <bdi>{fileName}</bdi>: {virusText}
                </p>
              ) : (
                <a
                  href={viewDocumentPath(id)}
                  target="_blank"
                  rel="noopener"
                  className="link-target font-bold wrap-anywhere"
                >
                  <bdi>{fileName}</bdi>
                  <span className="sr-only"> (opens in a new tab)</span>
                </a>
              )}
            </div>
            <Link to={`/families/${family.id}#documents`} className="link-target min-w-0 wrap-anywhere">
              <span className="sr-only">Documents of </span>
              {family.name}
            </Link>
            {childName && <span className="min-w-0 wrap-anywhere">Child: {childName}</span>}
          </li>
        ))}
      </SearchGroup>
      <TextSearchResults results={results} backQuery={backQuery} />
    </>
  );
}

/** Shows the phone number if it is known, otherwise the email address. Placed above the link that fills the row. */
function PhoneOrEmailLink({ phone, email }: { phone: string | null; email: string | null }) {
  if (phone) return <PhoneLink phone={phone} className="link-target relative z-1" />;
  return email && <EmailLink email={email} className="link-target relative z-1" />;
}

type RequestPathOptions = { isOpen: boolean; appointment: { id: number } | null; name: string; backQuery: string };

/**
 * Returns the path of a request: an open one in its scheduling dialog, a scheduled one at its visit, and one without a
 * visit in the list.
 */
function requestSearchResultPath(
  id: number,
  { isOpen, appointment, name, backQuery: back }: RequestPathOptions,
): string {
  if (isOpen) return `/dashboard/requests/${id}/schedule${back}`;
  return appointment
    ? `${appointmentDetailsPath(appointment.id)}${back}`
    : `/requests?${new URLSearchParams({ q: name })}`;
}
