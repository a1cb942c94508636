import { data, Form } from "react-router";
import { createFormErrorResponse, type FormErrorOptions } from "../../accounts/form-error-response.server.ts";
import { requirePerson } from "../../accounts/guards.server.ts";
import { redirectWithFlash } from "../../accounts/sessions/flash.server.ts";
import { requireRecentAuthentication } from "../../accounts/step-up/recent-authentication.server.ts";
import { getPossiblyRestrictedSession } from "../../accounts/sessions/session.server.ts";
import { readForm } from "../../http/form.server.ts";
import { useSite } from "../../practice/site.ts";
import { Button } from "../../ui/button.tsx";
import { RouteDialog } from "../../ui/route-dialog.tsx";
import { ErrorSummary } from "../../ui/error-summary.tsx";
import { useServerValidatedForm } from "../../ui/use-server-validated-form.ts";
import { PageMeta } from "../../ui/page-meta.tsx";
import { CopyableLink } from "../../ui/copyable-link.tsx";
import { ZonedTime } from "../../ui/zoned-time.tsx";
import { CALENDAR_LINK_PATH } from "../appointment-paths.ts";
import { calendarLinkSchema } from "../booking-schemas.ts";
import type { Route } from "./+types/calendar-link";
import { createCalendarFeed, endCalendarFeed, findCalendarFeed } from "./calendar-feed.server.ts";

const TITLE = "Visits in your calendar";
const FORM_ERROR_OPTIONS = { title: "Not Changed" } satisfies FormErrorOptions;

export async function loader({ context }: Route.LoaderArgs) {
  const person = requirePerson(context);
  return { madeAt: (await findCalendarFeed(person))?.createdAt ?? null, seesAll: person.isAdmin };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const submission = await readForm(request, calendarLinkSchema);
  if (submission.status !== "success") return createFormErrorResponse(context, submission, null, FORM_ERROR_OPTIONS);
  const person = requirePerson(context);
  if (submission.value.link === "new") {
    await requireRecentAuthentication(context, { request, url, form: new FormData() });
    const createdLink = await createCalendarFeed(person, getPossiblyRestrictedSession(context)?.sid ?? "");
    return createdLink.ok
      ? data({ result: null, ...createdLink.value })
      : createFormErrorResponse(context, submission, createdLink, FORM_ERROR_OPTIONS);
  }
  await endCalendarFeed(person);
  return redirectWithFlash(context, CALENDAR_LINK_PATH, { title: "Calendar Link Turned Off" });
}

export default function CalendarLink({ loaderData, actionData }: Route.ComponentProps) {
  const { madeAt, seesAll } = loaderData;
  const [form] = useServerValidatedForm({ lastResult: actionData?.result });
  const url = actionData && "url" in actionData ? actionData.url : null;
  return (
    <RouteDialog title={TITLE} closeTo="/dashboard/settings">
      <PageMeta hasError={form.status === "error"}>{TITLE}</PageMeta>
      <ErrorSummary form={form} notice={actionData && "notice" in actionData ? actionData.notice : null} />
      {url ? <NewLink url={url} /> : <LinkState madeAt={madeAt} seesAll={seesAll} />}
    </RouteDialog>
  );
}

function NewLink({ url }: { url: string }) {
  return (
    <>
      <p>Here is your link. It is shown only now.</p>
      <CopyableLink url={url} nextStep="Paste it into your calendar app." />
      <h3>Add it to your phone</h3>
      <p>
        On an iPhone, open the Calendar app, tap Calendars, then Add Calendar, then Add Subscription Calendar, and paste
        the link.
      </p>
      <p>
        For Google Calendar, open calendar.google.com on a computer, choose the plus sign next to Other calendars, then
        From URL, and paste the link. Your phone then shows it too.
      </p>
      <p className="text-sm text-muted">Anyone with this link can see these visits. Don't share it.</p>
    </>
  );
}

function LinkState({ madeAt, seesAll }: { madeAt: Date | null; seesAll: boolean }) {
  const { timeZone } = useSite().practice;
  return (
    <>
      <p>
        {seesAll
          ? "A private link shows every visit, with the family's name, in the calendar on your phone."
          : "A private link shows your visits in the calendar on your phone."}{" "}
        When a visit is moved or canceled, your calendar changes too, most often within a day.
      </p>
      {madeAt && (
        <p className="notice">
          Your link is on. You made it <ZonedTime instant={madeAt} zone={timeZone} inSentence />. If you make a new one,
          the old one stops working.
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Form method="post" preventScrollReset>
          <input type="hidden" name="link" value="new" />
          <Button variant={madeAt ? undefined : "primary"} busyText="Making the link…">
            {madeAt ? "Make a new link" : "Make a link"}
          </Button>
        </Form>
        {madeAt && (
          <Form method="post" preventScrollReset>
            <input type="hidden" name="link" value="end" />
            <Button variant="danger" busyText="Turning off…">
              Turn off the link
            </Button>
          </Form>
        )}
      </div>
    </>
  );
}
