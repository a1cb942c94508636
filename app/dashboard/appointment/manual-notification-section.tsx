import { Form, useLocation } from "react-router";
import {
  appointmentDetailsPath,
  buildReturnPathQuery,
  manualNotificationPath,
} from "../../booking/appointment-paths.ts";
import { useSite } from "../../practice/site.ts";
import { formatPhone, phoneHref } from "../../practice/site-links.ts";
import { Button } from "../../ui/button.tsx";
import { ZonedTime } from "../../ui/zoned-time.tsx";
import type { AppointmentDetails } from "./appointment-details.server.ts";

/**
 * Shows whether a person without an account has been notified of the visit, how to notify her, and the button that
 * records it.
 */
export function ManualNotificationSection({ details }: { details: AppointmentDetails }) {
  const { pathname, search } = useLocation();
  const { timeZone } = useSite().practice;
  const { id, client, pendingNotificationText, contact, toldAt } = details;
  if (pendingNotificationText === null && toldAt === null) return null;
  const returnPath = pathname === appointmentDetailsPath(id) ? `${pathname}${search}` : appointmentDetailsPath(id);
  return (
    <section className={pendingNotificationText ? "notice space-y-2" : undefined} data-screen-only>
      <h3 className="text-lg">{pendingNotificationText ? "Not told yet" : "Told"}</h3>
      {pendingNotificationText ? (
        <>
          <p className="wrap-anywhere">
            <strong>
              {client.name} {pendingNotificationText}.
            </strong>{" "}
            Without an account, nobody gets our emails.
          </p>
          {contact && (
            <p className="flex flex-wrap gap-x-4 wrap-anywhere">
              {contact.phone && (
                <a className="link-target" href={phoneHref(contact.phone)}>
                  {formatPhone(contact.phone)}
                </a>
              )}
              {contact.mailtoUrl && (
                <a className="link-target min-w-0" href={contact.mailtoUrl}>
                  {contact.email}
                  <span className="sr-only">: write about this visit</span>
                </a>
              )}
            </p>
          )}
        </>
      ) : (
        toldAt && (
          <p>
            {client.name} was told: marked <ZonedTime instant={toldAt} zone={timeZone} inSentence />.
          </p>
        )
      )}
      <Form
        method="post"
        action={`${manualNotificationPath(id)}${buildReturnPathQuery(returnPath)}`}
        preventScrollReset
      >
        {!pendingNotificationText && <input type="hidden" name="told" value="no" />}
        <Button
          variant={pendingNotificationText ? "secondary" : "quiet"}
          className={pendingNotificationText ? "" : "-ml-3"}
          busyText="Saving…"
        >
          {pendingNotificationText ? "I told them" : "Not told after all"}
        </Button>
      </Form>
    </section>
  );
}
