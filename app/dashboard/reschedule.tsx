import { data, Form, useLocation } from "react-router";
import { requirePerson } from "../accounts/guards.server.ts";
import { prefillQuery } from "../accounts/kept-form.server.ts";
import { formError } from "../accounts/refuse.server.ts";
import { redirectWithFlash } from "../accounts/session.server.ts";
import { detailsAddress } from "../booking/addresses.ts";
import { adminRow } from "../booking/admin-rows.ts";
import { findAppointment } from "../booking/appointments.server.ts";
import { whyOutsideHours } from "../booking/availability.server.ts";
import { moveAppointment } from "../booking/change.server.ts";
import { now } from "../clock.ts";
import { env } from "../env.server.ts";
import { parseId } from "../http/fields.ts";
import { readForm } from "../http/form.server.ts";
import { useSite } from "../practice/site.ts";
import { Button } from "../ui/button.tsx";
import { formatDateTime } from "../ui/dates.ts";
import { Dialog } from "../ui/dialog.tsx";
import { ErrorSummary } from "../ui/form.tsx";
import { usePageForm } from "../ui/page-form.ts";
import { PageTitle } from "../ui/page-title.tsx";
import { When } from "../ui/when.tsx";
import type { Route } from "./+types/reschedule";
import { dayTimes } from "./day-times.server.ts";
import { DayTimesFields } from "./day-times.tsx";
import { carriedFilters, dashboardAddress, filtersOf } from "./filters.ts";
import { notFound } from "./not-found.ts";
import { EnterKey, OutsideHours } from "./outside-hours.tsx";
import { atTime, MISSING } from "./refusals.ts";
import { moveShape } from "./shapes.ts";

const TITLE = "Reschedule appointment";
const FAILED = { title: "Rescheduling Failed" };

export async function loader({ context, params, request, url }: Route.LoaderArgs) {
  const found = await findAppointment(requirePerson(context), parseId(params.id));
  if (!found.ok) throw notFound(found.message);
  const { id, appointmentDate, duration } = found.value;
  const query = await prefillQuery(context, request, url);
  return {
    id,
    what: `${adminRow(found.value, now()).client.name}: ${found.value.title}`,
    start: appointmentDate,
    duration,
    offer: await dayTimes(query, duration, id),
    time: query.get("time") ?? "",
  };
}

export async function action({ context, params, request, url }: Route.ActionArgs) {
  const submission = await readForm(request, moveShape(env.practice.timeZone));
  if (submission.status !== "success") return formError(context, submission, null, MISSING);
  const person = requirePerson(context);
  const { start, anyway } = submission.value;
  const found = await findAppointment(person, parseId(params.id));
  if (!found.ok) throw notFound(found.message);
  const outside = await whyOutsideHours({ start, duration: found.value.duration });
  if (outside && anyway !== start.toISOString()) {
    const warning = { text: outside, start: start.toISOString() };
    return data({ result: submission.reply(), notice: null, warning }, { status: 422 });
  }
  const moved = await moveAppointment(person, found.value.id, start);
  if (!moved.ok) return formError(context, submission, atTime(moved, "The appointment stays where it is."), FAILED);
  return redirectWithFlash(context, `${detailsAddress(found.value.id)}${filtersOf(url.search)}`, {
    title: "Appointment Rescheduled",
    description: `${moved.value.title} is now ${formatDateTime(start, env.practice.timeZone)}. Please tell the family.`,
  });
}

export default function Reschedule({ loaderData, actionData }: Route.ComponentProps) {
  const { what, start, duration, offer, time } = loaderData;
  const { search } = useLocation();
  const { timeZone } = useSite().practice;
  const [form, fields] = usePageForm<{ date: string; time: string }>({
    lastResult: actionData?.result,
    defaultValue: { date: offer.day, time },
  });
  const warning = actionData && "warning" in actionData ? actionData.warning : null;
  const about = (
    <>
      {what}, now <When instant={start} zone={timeZone} inSentence />, {duration} minutes
    </>
  );
  return (
    <Dialog title={TITLE} description={about} closeTo={dashboardAddress(search)} size="lg">
      <PageTitle
        hasError={form.status === "error"}
      >{`${TITLE}: ${what}, ${formatDateTime(start, timeZone)}`}</PageTitle>
      <ErrorSummary form={form} notice={actionData?.notice} />
      <p>It stays the same appointment: what was paid, its notes and its documents move with it.</p>
      <Form method="post" id={form.id} noValidate preventScrollReset className="mt-4 grid gap-6">
        <EnterKey />
        {warning && <OutsideHours warning={warning} confirmText="Move it there anyway" />}
        <DayTimesFields date={fields.date} time={fields.time} offer={offer} carried={carriedFilters(search)} />
        <Button variant="primary" busyText="Moving…" className="justify-self-start">
          Move the appointment
        </Button>
      </Form>
    </Dialog>
  );
}
