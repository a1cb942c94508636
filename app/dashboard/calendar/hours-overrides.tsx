import { Form } from "react-router";
import { requirePerson } from "../../accounts/guards.server.ts";
import { createFormErrorResponse, type FormErrorOptions } from "../../accounts/form-error-response.server.ts";
import { redirectWithFlash } from "../../accounts/sessions/flash.server.ts";
import {
  deleteHoursOverride,
  listHoursOverrides,
  setHoursOverrides,
} from "../../booking/availability/hours-overrides.server.ts";
import {
  describeVisitsOutsideHours,
  findVisitsOutsideHours,
} from "../../booking/availability/visits-outside-hours.server.ts";
import { parseDay } from "../../booking/wall-time.ts";
import { fieldNames, parseForm, readNamedFormFields } from "../../http/form.server.ts";
import type { DayHours } from "../../booking/booking-rules.ts";
import { formatOpeningHours } from "../../practice/office-hours.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { RadioField } from "../../ui/choice-fields.tsx";
import { formatLongPlainDate } from "../../ui/format-date-time.ts";
import { ErrorSummary } from "../../ui/error-summary.tsx";
import { useServerValidatedForm } from "../../ui/use-server-validated-form.ts";
import { PageMeta } from "../../ui/page-meta.tsx";
import { TextField } from "../../ui/text-field.tsx";
import type { Route } from "./+types/hours-overrides";
import { hoursOverrideSchema } from "./hours-override-schema.ts";
import { practiceToday } from "../../booking/practice-today.server.ts";
import { VisitsOutsideHours } from "./visits-outside-hours.tsx";

const TITLE = "Closed days and special hours";
const PATH = "/calendar/hours";
const FORM_ERROR_OPTIONS = { title: "The days were not changed" } satisfies FormErrorOptions;

export async function loader({ context, url }: Route.LoaderArgs) {
  const days = await listHoursOverrides();
  return {
    today: practiceToday(),
    selectedDay: url.searchParams.get("day") ?? "",
    visits: await findVisitsOutsideHours(requirePerson(context), "exceptional"),
    days: days.map(({ day, opens, closes, note }) => ({
      day,
      name: formatLongPlainDate(day),
      hours: opens === null || closes === null ? null : formatOpeningHours({ opens, closes }),
      note,
    })),
  };
}

export async function action({ context, request }: Route.ActionArgs) {
  const person = requirePerson(context);
  const form = await readNamedFormFields(request, [...fieldNames(hoursOverrideSchema), "clear"]);
  const clearedDay = form.get("clear");
  if (typeof clearedDay === "string") {
    const day = parseDay(clearedDay);
    if (day) await deleteHoursOverride(person, day);
    return redirectWithFlash(context, PATH, {
      title: "Usual hours again",
      description: `${day ? formatLongPlainDate(day) : "The day"} has its usual hours back.`,
    });
  }
  const submission = parseForm(form, hoursOverrideSchema);
  if (submission.status !== "success") return createFormErrorResponse(context, submission, null, FORM_ERROR_OPTIONS);
  const result = await setHoursOverrides(person, submission.value);
  if (!result.ok) return createFormErrorResponse(context, submission, result, FORM_ERROR_OPTIONS);
  const visits = await findVisitsOutsideHours(person, "exceptional");
  const outside = visits.filter(({ day }) => result.value.includes(day));
  return redirectWithFlash(context, PATH, {
    title: "Hours saved",
    description:
      `${describeHoursChange(result.value, submission.value.hours)} ${describeVisitsOutsideHours(outside)}`.trim(),
  });
}

/** Returns which days were changed, and how. */
function describeHoursChange(days: readonly string[], hours: DayHours): string {
  const [first = "", last = first] = [days[0], days.at(-1)];
  const range =
    first === last ? formatLongPlainDate(first) : `${formatLongPlainDate(first)} to ${formatLongPlainDate(last)}`;
  return `${range}: ${hours ? `open ${formatOpeningHours(hours)}` : "closed"}.`;
}

type Fields = { from: string; to: string; kind: string; opens: string; closes: string; note: string };

export default function HoursOverrides({ loaderData, actionData }: Route.ComponentProps) {
  const { today, selectedDay, days, visits } = loaderData;
  const [form, fields] = useServerValidatedForm<Fields>({
    lastResult: actionData?.result,
    defaultValue: { from: selectedDay, kind: "closed" },
  });
  return (
    <main id="main" tabIndex={-1} className="page">
      <PageMeta hasError={form.status === "error"}>{TITLE}</PageMeta>
      <ErrorSummary form={form} notice={actionData?.notice} />
      <h1>{TITLE}</h1>
      <p>Families can only book in these hours; you can still book outside them. Existing visits don't change.</p>
      <VisitsOutsideHours
        title="Booked on these days"
        text="Closing a day cancels nothing. Move or cancel each visit that you can't keep."
        visits={visits}
        path={PATH}
      />
      <Card title="Add an exception" action={<LinkButton to="/calendar/weekly-hours">Your weekly hours</LinkButton>}>
        <Form method="post" noValidate className="group/days grid max-w-xl gap-6">
          <TextField field={fields.from} label="First day" type="date" min={today} width="short" />
          <TextField
            field={fields.to}
            label="Last day"
            hint="Only for several days in a row."
            optional
            type="date"
            min={today}
            width="short"
          />
          <RadioField field={fields.kind} legend="On these days" options={KIND_OPTIONS} />
          {/* Hidden by CSS, so that it needs no script. */}
          <div className="flex flex-wrap gap-x-4 gap-y-6 group-has-[[value=closed]:checked]/days:hidden">
            <TextField
              field={fields.opens}
              label="Opens"
              hint="For special hours."
              optional
              type="time"
              width="short"
            />
            <TextField
              field={fields.closes}
              label="Closes"
              hint="For special hours."
              optional
              type="time"
              width="short"
            />
          </div>
          <TextField
            field={fields.note}
            label="Note"
            hint="Only you see it. Don't name a family here: the note stays when that family deletes its account."
            optional
          />
          <Button variant="primary" busyText="Saving…" className="justify-self-start">
            Save these days
          </Button>
        </Form>
      </Card>
      <Card title="Exceptions to your usual hours" action={<LinkButton to="/calendar">Calendar</LinkButton>}>
        {days.length === 0 ? (
          <p>None yet. Every day has its usual hours.</p>
        ) : (
          <ul className="rows">
            {days.map(({ day, name, hours, note }) => (
              <li key={day} className="row">
                <span className="flex min-w-0 flex-1 basis-64 flex-wrap items-center gap-x-4 gap-y-1">
                  <span className="font-bold">{name}</span>
                  <Badge color={hours ? "yellow" : "red"}>{hours ?? "closed"}</Badge>
                  {note && <span className="min-w-0 wrap-anywhere text-muted">{note}</span>}
                </span>
                <Form method="post" action={PATH} className="row-action">
                  <Button name="clear" value={day}>
                    Back to usual hours<span className="sr-only"> on {name}</span>
                  </Button>
                </Form>
              </li>
            ))}
          </ul>
        )}
      </Card>
    </main>
  );
}

const KIND_OPTIONS = [
  { value: "closed", label: "Closed all day" },
  {
    value: "open",
    label: "Open at other hours",
    hint: "Instead of the usual hours, even on a day that is usually closed.",
  },
];
