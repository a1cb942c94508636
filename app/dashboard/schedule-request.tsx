import { data, Form, useLocation } from "react-router";
import { requirePerson } from "../accounts/guards.server.ts";
import { prefillQuery } from "../accounts/kept-form.server.ts";
import { formError } from "../accounts/refuse.server.ts";
import { redirectWithFlash } from "../accounts/session.server.ts";
import { whyOutsideHours } from "../booking/availability.server.ts";
import { DEFAULT_MINUTES } from "../booking/rules.ts";
import { accountOf, possibleAccounts } from "../consultations/possible-accounts.server.ts";
import { RequestFacts } from "../consultations/request-facts.tsx";
import { requestRow } from "../consultations/request-rows.ts";
import { findOpenRequest } from "../consultations/requests.server.ts";
import { scheduleRequest } from "../consultations/schedule.server.ts";
import { env } from "../env.server.ts";
import { parseId } from "../http/fields.ts";
import { readForm } from "../http/form.server.ts";
import { refused } from "../http/outcome.ts";
import { Button } from "../ui/button.tsx";
import { CheckboxField } from "../ui/checkbox-field.tsx";
import { formatDateTime } from "../ui/dates.ts";
import { Dialog } from "../ui/dialog.tsx";
import { ErrorSummary, TextField } from "../ui/form.tsx";
import { usePageForm } from "../ui/page-form.ts";
import { PageTitle } from "../ui/page-title.tsx";
import type { Route } from "./+types/schedule-request";
import { AccountChoice } from "./account-choice.tsx";
import { dayTimes } from "./day-times.server.ts";
import { DayTimesFields } from "./day-times.tsx";
import { carriedFilters, dashboardAddress } from "./filters.ts";
import { notFound } from "./not-found.ts";
import { EnterKey, OutsideHours } from "./outside-hours.tsx";
import { atTime, FAILED, MISSING } from "./refusals.ts";
import { scheduleShape } from "./shapes.ts";

const TITLE = "Schedule Consultation";
const USUAL_TITLE = "Initial Consultation";

export async function loader({ context, params, request, url }: Route.LoaderArgs) {
  const person = requirePerson(context);
  const found = await findOpenRequest(person, parseId(params.id));
  if (!found) throw notFound("There is no such consultation request.");
  const query = await prefillQuery(context, request, url);
  return {
    request: requestRow(found, env.practice),
    account: await accountOf(person, found),
    accounts: found.userId === null ? await possibleAccounts(person, found) : [],
    offer: await dayTimes(query, DEFAULT_MINUTES),
    values: {
      title: query.get("title") ?? USUAL_TITLE,
      time: query.get("time") ?? "",
      isLiveVideoCall: query.get("isLiveVideoCall") ?? "",
      userId: query.get("userId") ?? "",
    },
  };
}

export async function action({ context, params, request, url }: Route.ActionArgs) {
  const submission = await readForm(request, scheduleShape(env.practice.timeZone));
  if (submission.status !== "success") return formError(context, submission, null, MISSING);
  const { title, start, isLiveVideoCall, anyway, userId } = submission.value;
  const wish = { start, duration: DEFAULT_MINUTES };
  const outside = await whyOutsideHours(wish);
  if (outside && anyway !== start.toISOString()) {
    const warning = { text: outside, start: start.toISOString() };
    return data({ result: submission.reply(), notice: null, warning }, { status: 422 });
  }
  const id = parseId(params.id);
  const wished = { title, isLiveVideoCall, appointmentDate: start, userId };
  const done = id === null ? unknown() : await scheduleRequest(requirePerson(context), { ...planned(id), ...wished });
  if (!done.ok) return formError(context, submission, atTime(done, FAILED.description), FAILED);
  return redirectWithFlash(context, dashboardAddress(url.search), {
    title: "Consultation Scheduled Successfully!",
    description: `${done.value.title}, ${formatDateTime(start, env.practice.timeZone)}.`,
  });
}

/** The dialog always makes an hour's consultation (specification §9). */
function planned(consultationRequestId: number) {
  const nothing = { description: undefined, meetingLink: undefined, notes: undefined };
  return { ...nothing, consultationRequestId, duration: DEFAULT_MINUTES, type: "consultation" as const };
}

function unknown() {
  return refused("notFound", "There is no such consultation request.");
}

type Fields = { title: string; date: string; time: string; isLiveVideoCall: string; userId: string };

export default function ScheduleRequest({ loaderData, actionData }: Route.ComponentProps) {
  const { request, offer, values, account, accounts } = loaderData;
  const { search } = useLocation();
  const [form, fields] = usePageForm<Fields>({
    lastResult: actionData?.result,
    defaultValue: { ...values, date: offer.day },
  });
  const warning = actionData && "warning" in actionData ? actionData.warning : null;
  return (
    <Dialog title={TITLE} closeTo={dashboardAddress(search)} size="lg">
      <PageTitle hasError={form.status === "error"}>{`${TITLE}: ${request.name}`}</PageTitle>
      <ErrorSummary form={form} notice={actionData?.notice} />
      <RequestFacts request={request} titleAs="h3" />
      <Form method="post" id={form.id} noValidate preventScrollReset className="mt-4 grid gap-6">
        <EnterKey />
        {warning && <OutsideHours warning={warning} confirmText="Schedule it anyway" />}
        <TextField
          field={fields.title}
          label="Title"
          hint={`The family reads it. “- ${request.name}” is added. The visit lasts ${DEFAULT_MINUTES} minutes.`}
        />
        <AccountChoice field={fields.userId} account={account} accounts={accounts} />
        <DayTimesFields date={fields.date} time={fields.time} offer={offer} carried={carriedFilters(search)} />
        <CheckboxField
          field={fields.isLiveVideoCall}
          label="Live Video Call"
          hint="You meet by video on this site. The waiting room opens 10 minutes before the start."
          optional
        />
        <Button variant="primary" busyText="Scheduling…" className="justify-self-start">
          Schedule Consultation
        </Button>
      </Form>
    </Dialog>
  );
}
