import { data, Form, useLocation } from "react-router";
import { useState } from "react";
import { requirePerson } from "../../accounts/guards.server.ts";
import { mergeUnsentFormIntoQuery } from "../../accounts/sessions/unsent-form.server.ts";
import { findUser, findUserWithAudit } from "../../accounts/account.server.ts";
import { fullName } from "../../accounts/person.ts";
import { createFormErrorResponse } from "../../accounts/form-error-response.server.ts";
import { redirectWithFlash } from "../../accounts/sessions/flash.server.ts";
import { schedulingWarning } from "../../booking/availability/availability.server.ts";
import { bookToPayInPerson } from "../../booking/book-appointment.server.ts";
import { clientVisitLabel } from "../../booking/describe-visit.server.ts";
import { findLastVisitDefaults, findNextVisitDefaults } from "../../booking/next-visit/next-visit.server.ts";
import { BOOKABLE_SERVICES } from "../../booking/prices/service-catalog.ts";
import { DEFAULT_VISIT_MINUTES, isValidDuration, TYPE_LABELS, APPOINTMENT_TYPES } from "../../booking/booking-rules.ts";
import { ServiceField } from "../../booking/prices/service-field.tsx";
import { env } from "../../env.server.ts";
import { clientIpContext, nodeRequestContext } from "../../http/request-context.server.ts";
import { createFailureHandler } from "../../http/errors.server.ts";
import { parseId } from "../../http/field-schemas.ts";
import { readForm } from "../../http/form.server.ts";
import { Button } from "../../ui/button.tsx";
import { CheckboxField } from "../../ui/checkbox-field.tsx";
import { RouteDialog } from "../../ui/route-dialog.tsx";
import { ErrorSummary } from "../../ui/error-summary.tsx";
import { FormAutosave } from "../../ui/form-autosave/form-autosave.tsx";
import { useServerValidatedForm } from "../../ui/use-server-validated-form.ts";
import { PageMeta } from "../../ui/page-meta.tsx";
import { SelectField } from "../../ui/choice-fields.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { notificationStatusText } from "./notification-status.server.ts";
import type { Route } from "./+types/book-for-family";
import { loadFreeSlots } from "./free-slots.server.ts";
import { DurationField } from "./duration-field.tsx";
import "./book-for-family.css";
import { FreeSlotFields } from "./free-slot-fields.tsx";
import { hiddenFilterFields } from "../appointment-filters.ts";
import { readReturnPath } from "../return-path.ts";
import { notFoundResponse } from "../not-found-response.ts";
import { SchedulingWarning } from "./scheduling-warning.tsx";
import { DefaultSubmitButton } from "./default-submit-button.tsx";
import { NearestTimes } from "./nearest-times.tsx";
import { PlaceField } from "./place-field.tsx";
import { MISSING_DETAILS_ERROR_OPTIONS } from "./scheduling-error-options.ts";
import { schedulingErrorResponse } from "./scheduling-form-error.server.ts";
import { familyBookingSchema } from "./scheduling-schemas.ts";
import { formatPracticeDateTime } from "../../practice/format-practice-date-time.server.ts";

const BOOKING_ERROR_OPTIONS = { title: "Scheduling Failed", failureText: "Failed to schedule appointment." };
const PREFILLED_FIELDS = [
  "title",
  "type",
  "duration",
  "description",
  "meetingLink",
  "place",
  "isLiveVideoCall",
] as const;
type PrefilledValues = Record<(typeof PREFILLED_FIELDS)[number], string>;

export async function loader({ context, params, request, url }: Route.LoaderArgs) {
  const family = requireFamily(await findUserWithAudit(requirePerson(context), parseId(params.id)));
  const query = await mergeUnsentFormIntoQuery(context, request, url);
  const person = requirePerson(context);
  const after = parseId(query.get("after") ?? "");
  const defaults: Partial<PrefilledValues> =
    after === null
      ? await findLastVisitDefaults(person, family.id)
      : await findNextVisitDefaults(person, after, family.id);
  const values = Object.fromEntries(
    PREFILLED_FIELDS.map((name) => [name, query.get(name) ?? defaults[name] ?? ""]),
  ) as PrefilledValues;
  const duration = Number(values.duration || DEFAULT_VISIT_MINUTES);
  return {
    name: fullName(family),
    closePath: readReturnPath(url.search, `/families/${family.id}`),
    services: BOOKABLE_SERVICES,
    freeSlots: await loadFreeSlots(query, isValidDuration(duration) ? duration : DEFAULT_VISIT_MINUTES),
    values: {
      ...values,
      type: values.type || "consultation",
      duration: values.duration || String(DEFAULT_VISIT_MINUTES),
    },
  };
}

/**
 * Books with the same command as POST /api/appointments. The administrator may book outside office hours after one
 * warning.
 */
export async function action({ context, params, request, url }: Route.ActionArgs) {
  const family = requireFamily(await findUser(requirePerson(context), parseId(params.id)));
  const submission = await readForm(request, familyBookingSchema(env.practice.timeZone));
  if (submission.status !== "success")
    return createFormErrorResponse(context, submission, null, MISSING_DETAILS_ERROR_OPTIONS);
  const { start, anyway, ...fields } = submission.value;
  const warningText = await schedulingWarning({ start, duration: fields.duration });
  if (warningText && anyway !== start.toISOString()) {
    const warning = { text: warningText, start: start.toISOString() };
    return data({ result: submission.reply(), notice: null, warning }, { status: 422 });
  }
  const bookingFields = { ...fields, appointmentDate: start, userId: family.id };
  const origin = { ip: context.get(clientIpContext), ignoresSchedulingRules: true };
  const booked = await bookToPayInPerson(requirePerson(context), bookingFields, origin).catch(
    createFailureHandler("", "booking for a family", context.get(nodeRequestContext)),
  );
  if (!booked.ok)
    return schedulingErrorResponse(context, submission, booked, BOOKING_ERROR_OPTIONS, {
      start,
      duration: fields.duration,
    });
  return redirectWithFlash(context, readReturnPath(url.search, `/families/${family.id}`), {
    title: "Appointment Scheduled!",
    description: `${clientVisitLabel(booked.value)}: ${booked.value.title}, ${formatPracticeDateTime(start)}. ${notificationStatusText(booked.value)}`,
  });
}

function requireFamily(user: Awaited<ReturnType<typeof findUser>>) {
  if (!user.ok || user.value.isAdmin) throw notFoundResponse("There is no such family.");
  return user.value;
}

export default function BookForFamily({ loaderData, actionData }: Route.ComponentProps) {
  const { name, closePath, services, freeSlots, values } = loaderData;
  const { pathname, search } = useLocation();
  const [form, fields] = useServerValidatedForm<PrefilledValues & { date: string; slot: string; time: string }>({
    lastResult: actionData?.result,
    defaultValue: { ...values, date: freeSlots.day, slot: freeSlots.chosenSlot, time: freeSlots.typedTime },
  });
  const [chosenTime, setChosenTime] = useState("");
  const warning = actionData && "warning" in actionData ? actionData.warning : null;
  const title = `Book for ${name}`;
  return (
    <RouteDialog title={title} closeTo={closePath} size="lg">
      <PageMeta hasError={form.status === "error"}>{title}</PageMeta>
      <ErrorSummary form={form} notice={actionData?.notice} />
      <p>The family sees it right away and pays in person. No intake form is needed.</p>
      <Form method="post" id={form.id} noValidate preventScrollReset className="mt-4 grid gap-6">
        <DefaultSubmitButton />
        <FormAutosave name={pathname} />
        <NearestTimes actionData={actionData} minutes={Number(fields.duration.initialValue ?? DEFAULT_VISIT_MINUTES)} />
        {warning && <SchedulingWarning warning={warning} confirmText="Book it anyway" />}
        <div className="book-service-fields">
          <ServiceField field={fields.title} duration={fields.duration} services={services} />
          <SelectField
            field={fields.type}
            label="Appointment Type"
            options={APPOINTMENT_TYPES.map((value) => ({ value, label: TYPE_LABELS[value] }))}
          />
          <DurationField field={fields.duration} />
        </div>
        <FreeSlotFields
          date={fields.date}
          slot={fields.slot}
          time={fields.time}
          freeSlots={freeSlots}
          hiddenFields={hiddenFilterFields(search)}
          onChosen={setChosenTime}
        />
        <TextField field={fields.description} label="Description" hint="The family will see this." optional rows={3} />
        <TextField
          field={fields.meetingLink}
          label="Meeting Link"
          hint="Begins with https://"
          optional
          type="url"
          inputMode="url"
          autoComplete="off"
        />
        <CheckboxField
          field={fields.isLiveVideoCall}
          label="Live Video Call"
          hint="You meet by video on this site. The waiting room opens 10 minutes before the start."
          optional
        />
        <PlaceField field={fields.place} />
        <div className="sheet-footer">
          <p className="scripted">{chosenTime}</p>
          <Button variant="primary" busyText="Booking…">
            Book the visit
          </Button>
        </div>
      </Form>
    </RouteDialog>
  );
}
