import { Form } from "react-router";
import { requirePerson } from "../../accounts/guards.server.ts";
import { createFormErrorResponse, type FormErrorOptions } from "../../accounts/form-error-response.server.ts";
import { redirectWithFlash } from "../../accounts/sessions/flash.server.ts";
import {
  describeVisitsOutsideHours,
  findVisitsOutsideHours,
} from "../../booking/availability/visits-outside-hours.server.ts";
import { updateSchedulingRules } from "../../booking/availability/update-scheduling-rules.server.ts";
import { formatTimeOfDay } from "../../booking/wall-time.ts";
import { now } from "../../clock.ts";
import { env } from "../../env.server.ts";
import { formatCountWithNoun } from "../../format-count-with-noun.ts";
import { readForm } from "../../http/form.server.ts";
import { WEEKDAYS } from "../../practice/office-hours.ts";
import { getCachedSchedulingRules } from "../../practice/practice-settings.server.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { CheckboxField } from "../../ui/checkbox-field.tsx";
import { zoneAbbreviation } from "../../ui/format-date-time.ts";
import { ErrorSummary } from "../../ui/error-summary.tsx";
import { controlProps, Field } from "../../ui/field.tsx";
import { type AnyField, useServerValidatedForm } from "../../ui/use-server-validated-form.ts";
import { PageMeta } from "../../ui/page-meta.tsx";
import { SelectField } from "../../ui/choice-fields.tsx";
import "./calendar.css";
import type { Route } from "./+types/weekly-hours";
import { VisitsOutsideHours } from "./visits-outside-hours.tsx";
import {
  weekdayFieldName,
  MINIMUM_NOTICE_OPTIONS,
  PAUSE_BETWEEN_VISITS_OPTIONS,
  weeklyHoursSchema,
} from "./weekly-hours-schema.ts";

const TITLE = "Your weekly hours";
const PATH = "/calendar/weekly-hours";
const FORM_ERROR_OPTIONS = { title: "Your hours were not changed" } satisfies FormErrorOptions;

export async function loader({ context }: Route.LoaderArgs) {
  const { week, pauseMinutes, noticeMinutes } = await getCachedSchedulingRules();
  const values: Record<string, string> = {
    pauseMinutes: String(pauseMinutes),
    noticeMinutes: String(noticeMinutes),
  };
  for (const [weekday, hours] of week.entries()) {
    if (!hours) values[weekdayFieldName(weekday, "closed")] = "on";
    if (!hours) continue;
    values[weekdayFieldName(weekday, "opens")] = formatTimeOfDay(hours.opens);
    values[weekdayFieldName(weekday, "closes")] = formatTimeOfDay(hours.closes);
    if (hours.byAppointment) values[weekdayFieldName(weekday, "byAppointment")] = "on";
  }
  return {
    values,
    weekdays: WEEKDAYS.map((name, weekday) => ({
      name,
      closed: weekdayFieldName(weekday, "closed"),
      opens: weekdayFieldName(weekday, "opens"),
      closes: weekdayFieldName(weekday, "closes"),
      byAppointment: weekdayFieldName(weekday, "byAppointment"),
    })),
    pauses: PAUSE_BETWEEN_VISITS_OPTIONS,
    notices: MINIMUM_NOTICE_OPTIONS,
    zone: zoneAbbreviation(now(), env.practice.timeZone),
    visits: await findVisitsOutsideHours(requirePerson(context), "usual"),
  };
}

export async function action({ context, request }: Route.ActionArgs) {
  const submission = await readForm(request, weeklyHoursSchema);
  if (submission.status !== "success") return createFormErrorResponse(context, submission, null, FORM_ERROR_OPTIONS);
  const person = requirePerson(context);
  await updateSchedulingRules(person, submission.value);
  const outside = describeVisitsOutsideHours(await findVisitsOutsideHours(person, "usual"));
  return redirectWithFlash(context, PATH, {
    title: "Hours saved",
    description: outside || "Families can book at these times from now on.",
  });
}

/** Edits the hours of each weekday, the pause between visits, and the notice before a visit. */
export default function WeeklyHours({ loaderData, actionData }: Route.ComponentProps) {
  const { values, weekdays, pauses, notices, zone, visits } = loaderData;
  const [form, formFields] = useServerValidatedForm<typeof values>({
    lastResult: actionData?.result,
    defaultValue: values,
  });
  const fields = formFields as Record<string, AnyField | undefined>;
  const field = (name: string) => fields[name] as AnyField;
  return (
    <main id="main" tabIndex={-1} className="page">
      <PageMeta hasError={form.status === "error"}>{TITLE}</PageMeta>
      <ErrorSummary form={form} notice={actionData?.notice} />
      <h1>{TITLE}</h1>
      <p>
        Families can book inside these hours, and your public page shows them. You can still book outside them, after a
        warning. All times are {zone}.
      </p>
      {visits.length > 0 && (
        <p>
          <a href="#outside" className="link-target font-bold">
            {formatCountWithNoun(visits.length, "booked visit is", "booked visits are")} outside these hours
          </a>
        </p>
      )}
      <Form method="post" id={form.id} noValidate className="grid gap-6">
        <Card title="Each week" action={<LinkButton to="/calendar/hours">Closed days</LinkButton>}>
          {weekdays.map((day) => (
            <fieldset key={day.name} className="hours-day">
              <legend className="label">{day.name}</legend>
              <div className="hours-day-fields">
                <CheckboxField field={field(day.closed)} label="Closed" optional />
                <TimeField field={field(day.opens)} label="Opens" />
                <TimeField field={field(day.closes)} label="Closes" />
                <CheckboxField field={field(day.byAppointment)} label="Show as “by appointment”" optional />
              </div>
            </fieldset>
          ))}
        </Card>
        <Card title="Between and before visits">
          <div className="grid max-w-xl gap-6">
            <SelectField
              field={field("pauseMinutes")}
              label="Pause between visits"
              hint="Families can't book closer than this to another visit."
              options={pauses}
            />
            <SelectField
              field={field("noticeMinutes")}
              label="Notice you need"
              hint="Families book at least this long ahead. Emergency sessions need no notice."
              options={notices}
            />
          </div>
        </Card>
        <div className="page-submit">
          <Button variant="primary" busyText="Saving…">
            Save your hours
          </Button>
        </div>
      </Form>
      <div id="outside">
        <VisitsOutsideHours
          title="Booked outside your hours"
          text="Changing your hours cancels nothing. Some of these you may have booked on purpose. Move or cancel each visit that you can't keep."
          visits={visits}
          path={PATH}
        />
      </div>
    </main>
  );
}

/** Shows a time field. CSS alone hides it on a closed day. */
function TimeField({ field, label }: { field: AnyField; label: string }) {
  const value = typeof field.initialValue === "string" ? field.initialValue : undefined;
  return (
    <Field field={field} label={label}>
      <input {...controlProps({ field, optional: true })} className="input" type="time" defaultValue={value} />
    </Field>
  );
}
