import { useSite } from "../../practice/site.ts";
import { phoneHref } from "../../practice/site-links.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { PageMeta } from "../../ui/page-meta.tsx";
import { OlderEntriesLink, Pagination } from "../../ui/pagination.tsx";
import { ZonedTime } from "../../ui/zoned-time.tsx";
import { requirePerson } from "../guards.server.ts";
import type { Route } from "./+types/family-access-log";
import { loadOwnAccessLogPage } from "./family-access-log.server.ts";

const PATH = "/access-log";
const TITLE = "Who opened your child's file";
const NO_OTHER_ACCESS_MESSAGE = "Nobody but you has opened anything so far.";

export function loader({ context, url }: Route.LoaderArgs) {
  return loadOwnAccessLogPage(requirePerson(context), url.searchParams);
}

/** Page that lists in plain words what was done with a family's data, newest first. */
export default function FamilyAccessLog({
  loaderData: { entries, total, page, pageCount, olderThan, hidesOwnEntries, latestOfOthers },
}: Route.ComponentProps) {
  const { timeZone, phone } = useSite().practice;
  return (
    <main id="main" tabIndex={-1} className="page">
      <PageMeta>{TITLE}</PageMeta>
      <h1>{TITLE}, and when</h1>
      <p>
        When someone opens one of your documents, your intake form, a visit, a request or your family's page, or changes
        or downloads something of yours, it is recorded here. What you open again yourself is listed once an hour for
        each sign-in. No one can change or delete this list. See something that doesn't look right? Call us at{" "}
        <a href={phoneHref(phone)}>{phone}</a>.
      </p>
      <p>
        When your consultant sees your requests, your visits' notes or your files' descriptions in a list of all
        families, that is listed once a day. Not listed: lists that show names, children's names, times and amounts
        alone, your own lists, her own notes about your family, and who was refused.
      </p>
      {(latestOfOthers || !hidesOwnEntries) && (
        <p className="notice wrap-anywhere">
          {latestOfOthers ? (
            <>
              Latest besides you: <strong>{latestOfOthers.who}</strong> {latestOfOthers.what},{" "}
              <ZonedTime instant={latestOfOthers.at} zone={timeZone} inSentence />.
            </>
          ) : (
            NO_OTHER_ACCESS_MESSAGE
          )}
        </p>
      )}
      <nav aria-label="Whose entries" className="actions -ml-3">
        <LinkButton to={PATH} variant="quiet" aria-current={hidesOwnEntries ? undefined : "page"}>
          Everyone
        </LinkButton>
        <LinkButton to={`${PATH}?who=others`} variant="quiet" aria-current={hidesOwnEntries ? "page" : undefined}>
          Others only
        </LinkButton>
      </nav>
      <Card title="Newest first">
        {total === 0 ? (
          <p>{hidesOwnEntries ? NO_OTHER_ACCESS_MESSAGE : "Nothing has been recorded yet."}</p>
        ) : (
          <ul className="rows">
            {entries.map(({ at, who, what }, index) => (
              <li key={index} className="row">
                <p className="min-w-0 flex-1 basis-64 wrap-anywhere">
                  <strong>{who}</strong> {what}
                </p>
                <p className="text-muted">
                  <ZonedTime instant={at} zone={timeZone} />
                </p>
              </li>
            ))}
          </ul>
        )}
        <Pagination page={page} pageCount={pageCount} label="Pages of the list" />
        <OlderEntriesLink beforeSequence={olderThan} />
      </Card>
      <p>
        <LinkButton to="/dashboard/settings">Account Settings</LinkButton>
      </p>
    </main>
  );
}
