import { useSite } from "../../practice/site.ts";
import { phoneLink } from "../../practice/site-links.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { PageTitle } from "../../ui/page-title.tsx";
import { OlderEntries, Pagination } from "../../ui/pagination.tsx";
import { ZonedTime } from "../../ui/zoned-time.tsx";
import { requirePerson } from "../guards.server.ts";
import type { Route } from "./+types/access-log";
import { accessLogPage } from "./access-log.server.ts";

const TITLE = "Who opened your child's file";

export function loader({ context, url }: Route.LoaderArgs) {
  return accessLogPage(requirePerson(context), url.searchParams);
}

/** What was done with a family's data, in plain words, newest first. */
export default function AccessLog({
  loaderData: { entries, total, page, pageCount, olderThan },
}: Route.ComponentProps) {
  const { timeZone, phone } = useSite().practice;
  return (
    <main id="main" tabIndex={-1} className="page">
      <PageTitle>{TITLE}</PageTitle>
      <h1>{TITLE}, and when</h1>
      <p>
        Each time somebody opens, changes or downloads something of your family, it is written down here. This site lets
        nobody change or remove these lines. Do you see something that should not be? Please call us at{" "}
        <a href={phoneLink(phone)}>{phone}</a>.
      </p>
      <Card title="Newest first">
        {total === 0 ? (
          <p>Nothing is written down yet.</p>
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
        <OlderEntries before={olderThan} />
      </Card>
      <p>
        <LinkButton to="/dashboard/settings">Account Settings</LinkButton>
      </p>
    </main>
  );
}
