import { useLayoutEffect, useRef } from "react";
import { Form, Link } from "react-router";
import { appointmentDetailsPath, manualNotificationPath } from "../../booking/appointment-paths.ts";
import { useSite } from "../../practice/site.ts";
import { formatPhone, phoneHref } from "../../practice/site-links.ts";
import { Button } from "../../ui/button.tsx";
import { formatDateTime, formatShortDateTime } from "../../ui/format-date-time.ts";
import type { AttentionItems } from "./attention.server.ts";
import { AttentionGroup } from "./attention-row.tsx";

type VisitsPendingManualNotificationProps = {
  pendingNotifications: AttentionItems["pendingNotifications"];
  query: string;
};

/**
 * Lists the visits of people without an account, who receive no messages, until the administrator has notified them.
 */
export function VisitsPendingManualNotification({
  pendingNotifications: { rows, count },
  query,
}: VisitsPendingManualNotificationProps) {
  const { timeZone } = useSite().practice;
  const heading = useRef<HTMLElement>(null);
  // The row of the pressed button is gone, so the focus moves to the heading.
  useLayoutEffect(() => {
    if (!heading.current || document.activeElement !== document.body) return;
    heading.current.focus({ preventScroll: true });
    heading.current = null;
  }, [rows]);
  return (
    <AttentionGroup
      title="Not told yet"
      count={count}
      isUrgent
      more={{
        to: "/dashboard?status=not-told#appointments",
        shown: rows.length,
        nouns: ["more to tell", "more to tell"],
      }}
    >
      {rows.map(({ id, name, start, pendingNotificationText, contact }) => (
        <li key={id} className="attention-row">
          <div className="min-w-0 flex-1 basis-44 wrap-anywhere">
            <p>
              <Link to={`${appointmentDetailsPath(id)}${query}`} preventScrollReset className="font-bold">
                {name}
                <span className="sr-only">, visit on {formatDateTime(start, timeZone)}</span>
              </Link>{" "}
              {pendingNotificationText} <span className="text-muted">({formatShortDateTime(start, timeZone)})</span>
            </p>
            {contact && (
              <p className="flex flex-wrap gap-x-4">
                {contact.phone && <a href={phoneHref(contact.phone)}>{formatPhone(contact.phone)}</a>}
                {contact.mailtoUrl && (
                  <a href={contact.mailtoUrl}>
                    {contact.email}
                    <span className="sr-only">: write about this visit</span>
                  </a>
                )}
              </p>
            )}
          </div>
          <Form
            method="post"
            action={`${manualNotificationPath(id)}${query}`}
            preventScrollReset
            onSubmit={(event) => {
              heading.current = event.currentTarget.closest(".card")?.querySelector("h2") ?? null;
            }}
          >
            <Button busyText="Saving…">
              I told them
              <span className="sr-only">
                {" "}
                ({name}, {formatDateTime(start, timeZone)})
              </span>
            </Button>
          </Form>
        </li>
      ))}
    </AttentionGroup>
  );
}
