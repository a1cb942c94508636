import { Form, useLocation } from "react-router";
import { appointmentDetailsPath, returnQuery, toldPath } from "../../booking/paths.ts";
import { useSite } from "../../practice/site.ts";
import { phoneLink } from "../../practice/site-links.ts";
import { Button } from "../../ui/button.tsx";
import { ZonedTime } from "../../ui/zoned-time.tsx";
import type { AppointmentDetails } from "./appointment-details.server.ts";

/** Whether somebody without an account knows of the visit, how to tell, and the button that notes it. */
export function Telling({ details }: { details: AppointmentDetails }) {
  const { pathname, search } = useLocation();
  const { timeZone } = useSite().practice;
  const { id, client, unknownText, contact, toldAt } = details;
  if (unknownText === null && toldAt === null) return null;
  const backTo = pathname === appointmentDetailsPath(id) ? `${pathname}${search}` : appointmentDetailsPath(id);
  return (
    <section className={unknownText ? "notice space-y-2" : undefined} data-screen-only>
      <h3 className="text-lg">{unknownText ? "Not told yet" : "Told"}</h3>
      {unknownText ? (
        <>
          <p className="wrap-anywhere">
            <strong>
              {client.name} {unknownText}.
            </strong>{" "}
            Without an account, nobody gets our emails.
          </p>
          {contact && (
            <p className="flex flex-wrap gap-x-4 wrap-anywhere">
              {contact.phone && (
                <a className="link-target" href={phoneLink(contact.phone)}>
                  {contact.phone}
                </a>
              )}
              <a className="link-target min-w-0" href={contact.mailtoUrl}>
                {contact.email}
                <span className="sr-only">: write about this visit</span>
              </a>
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
      <Form method="post" action={`${toldPath(id)}${returnQuery(backTo)}`} preventScrollReset>
        {!unknownText && <input type="hidden" name="told" value="no" />}
        <Button variant={unknownText ? "secondary" : "quiet"} className={unknownText ? "" : "-ml-3"} busyText="Saving…">
          {unknownText ? "Told" : "Not told after all"}
        </Button>
      </Form>
    </section>
  );
}
