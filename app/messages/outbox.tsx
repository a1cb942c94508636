import { recordListRead, recordTextsListed } from "../audit/record-list-reads.server.ts";
import { requirePerson } from "../accounts/guards.server.ts";
import { env } from "../env.server.ts";
import { readPageNumber } from "../http/list-query.ts";
import { listOutboxMessages } from "../mail/message-list.server.ts";
import { mailMode } from "../mail/mail-transport.server.ts";
import { Card } from "../ui/card.tsx";
import { formatDateTime } from "../ui/format-date-time.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { PageMeta } from "../ui/page-meta.tsx";
import { Pagination } from "../ui/pagination.tsx";
import type { Route } from "./+types/outbox";

/**
 * Available only if mail is written to files: the administrator must not read messages that are really sent to other
 * people.
 */
export async function loader({ context, url }: Route.LoaderArgs) {
  if (mailMode !== "files" || !requirePerson(context).isAdmin)
    throw new Response("Mail is sent by a mail server.", { status: 404, statusText: "Not Found" });
  await recordListRead();
  const page = readPageNumber(url.searchParams);
  const { mails, familyIds, pageCount } = await listOutboxMessages(page);
  await recordTextsListed(familyIds);
  const { timeZone } = env.practice;
  return {
    mails: mails.map((mail) => ({ ...mail, when: formatDateTime(mail.createdAt, timeZone) })),
    folder: env.mail.outboxFolder,
    page,
    pageCount,
  };
}

export default function Outbox({ loaderData: { mails, folder, page, pageCount } }: Route.ComponentProps) {
  return (
    <main id="main" tabIndex={-1} className="page">
      <PageMeta>Outbox</PageMeta>
      <h1>Outbox</h1>
      <p className="notice wrap-anywhere">
        This site runs on your own machine and has no mail server, so nothing is sent. What it would send is here, and
        in the folder {folder}.
      </p>
      <Card title="Mail">
        {mails.length === 0 && (
          <EmptyState illustration="letter" title="No mail yet" text="Mail shows up here as soon as there is some." />
        )}
        <ul className="rows">
          {mails.map(({ id, event, to, subject, text, attachments, state, when }) => (
            <li key={id} className="row">
              <details className="w-full">
                <summary className="min-h-11 cursor-pointer py-2">
                  <strong className="wrap-anywhere">{subject}</strong>{" "}
                  <span className="wrap-anywhere text-muted">
                    to {to}, {when}, {event}, {state}
                  </span>
                </summary>
                <p className="py-2 wrap-anywhere whitespace-pre-line">{text}</p>
                {attachments.length > 0 && <div className="py-2 text-muted">Attached: {attachments.join(", ")}</div>}
                <a
                  href={`/outbox/${id}`}
                  target="_blank"
                  rel="noopener noreferrer"
                  className="button"
                  aria-label={`See as HTML: ${subject} (opens in a new tab)`}
                >
                  See as HTML
                </a>
              </details>
            </li>
          ))}
        </ul>
        <Pagination page={page} pageCount={pageCount} label="Pages of the outbox" />
      </Card>
    </main>
  );
}
