import { data, Form, useLocation } from "react-router";
import { useState } from "react";
import { requirePerson } from "../../accounts/guards.server.ts";
import { mergeUnsentFormIntoQuery } from "../../accounts/sessions/unsent-form.server.ts";
import { createFormErrorResponse } from "../../accounts/form-error-response.server.ts";
import { redirectWithFlash } from "../../accounts/sessions/flash.server.ts";
import { schedulingWarning } from "../../booking/availability/availability.server.ts";
import { appointmentDetailsPath } from "../../booking/appointment-paths.ts";
import { BOOKABLE_SERVICES, defaultServiceMinutes } from "../../booking/prices/service-catalog.ts";
import { useDurationAutofill } from "../../booking/prices/use-duration-autofill.ts";
import { DEFAULT_VISIT_MINUTES, isValidDuration } from "../../booking/booking-rules.ts";
import {
  findConsultationRequestAccount,
  findAccountsMatchingRequest,
} from "../../consultation-requests/request-account-matches.server.ts";
import { RequestFacts } from "../../consultation-requests/request-facts.tsx";
import { toRequestRow } from "../../consultation-requests/request-rows.ts";
import {
  consultationRequestNotFoundRefusal,
  findPendingConsultationRequestWithAudit,
} from "../../consultation-requests/consultation-requests.server.ts";
import { scheduleConsultationRequest } from "../../consultation-requests/schedule-consultation-request.server.ts";
import { env } from "../../env.server.ts";
import { nodeRequestContext } from "../../http/request-context.server.ts";
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
import { TextField } from "../../ui/text-field.tsx";
import type { Route } from "./+types/schedule-consultation-request";
import { AccountChoice } from "./account-choice.tsx";
import { loadFreeSlots } from "./free-slots.server.ts";
import { DurationField } from "./duration-field.tsx";
import { FreeSlotFields } from "./free-slot-fields.tsx";
import { hiddenFilterFields, pickAppointmentFilterParams } from "../appointment-filters.ts";
import { dialogReturnPath } from "../return-path.ts";
import { notFoundResponse } from "../not-found-response.ts";
import { SchedulingWarning } from "./scheduling-warning.tsx";
import { DefaultSubmitButton } from "./default-submit-button.tsx";
import { NearestTimes } from "./nearest-times.tsx";
import { PlaceField } from "./place-field.tsx";
import { SCHEDULING_ERROR_OPTIONS, MISSING_DETAILS_ERROR_OPTIONS } from "./scheduling-error-options.ts";
import { schedulingErrorResponse } from "./scheduling-form-error.server.ts";
import { notificationStatusText } from "./notification-status.server.ts";
import { scheduleRequestDialogSchema } from "./scheduling-schemas.ts";
import { formatPracticeDateTime } from "../../practice/format-practice-date-time.server.ts";

const TITLE = "Schedule Consultation";
const DEFAULT_TITLE = "Initial Consultation";

export async function loader({ context, params, request, url }: Route.LoaderArgs) {
  const person = requirePerson(context);
  const pendingRequest = await findPendingConsultationRequestWithAudit(person, parseId(params.id));
  if (!pendingRequest) throw notFoundResponse("There is no such consultation request.");
  const query = await mergeUnsentFormIntoQuery(context, request, url);
  const title = query.get("title") ?? DEFAULT_TITLE;
  const serviceMinutes = defaultServiceMinutes(title);
  const minutes = Number(query.get("duration") || serviceMinutes);
  return {
    request: toRequestRow(pendingRequest, env.practice),
    account: await findConsultationRequestAccount(person, pendingRequest),
    accounts: pendingRequest.userId === null ? await findAccountsMatchingRequest(person, pendingRequest) : [],
    services: BOOKABLE_SERVICES,
    freeSlots: await loadFreeSlots(query, isValidDuration(minutes) ? minutes : serviceMinutes),
    values: {
      title,
      duration: query.get("duration") || String(serviceMinutes),
      isLiveVideoCall: query.get("isLiveVideoCall") ?? "",
      place: query.get("place") ?? "",
      userId: query.get("userId") ?? "",
    },
  };
}

export async function action({ context, params, request, url }: Route.ActionArgs) {
  const submission = await readForm(request, scheduleRequestDialogSchema(env.practice.timeZone));
  if (submission.status !== "success")
    return createFormErrorResponse(context, submission, null, MISSING_DETAILS_ERROR_OPTIONS);
  const { title, start, duration, isLiveVideoCall, place, anyway, userId } = submission.value;
  const slot = { start, duration };
  const warningText = await schedulingWarning(slot);
  if (warningText && anyway !== start.toISOString()) {
    const warning = { text: warningText, start: start.toISOString() };
    return data({ result: submission.reply(), notice: null, warning }, { status: 422 });
  }
  const id = parseId(params.id);
  const chosenFields = { title, duration, isLiveVideoCall, place, appointmentDate: start, userId };
  const result =
    id === null
      ? consultationRequestNotFoundRefusal()
      : await scheduleConsultationRequest(requirePerson(context), { ...defaultFields(id), ...chosenFields }).catch(
          createFailureHandler("", "scheduling a request", context.get(nodeRequestContext)),
        );
  if (!result.ok) return schedulingErrorResponse(context, submission, result, SCHEDULING_ERROR_OPTIONS, slot);
  const { id: appointmentId, userId: owner } = result.value;
  const description = `${result.value.title}, ${formatPracticeDateTime(start)}. ${notificationStatusText(result.value)}`;
  const notice = { title: "Consultation Scheduled Successfully!", description };
  if (!isLiveVideoCall || owner !== null) return redirectWithFlash(context, dialogReturnPath(url.search), notice);
  // Without an account nobody could enter the room, so the next page offers a claim link for the visit.
  return redirectWithFlash(
    context,
    `${appointmentDetailsPath(appointmentId)}/claim-link${pickAppointmentFilterParams(url.search)}`,
    {
      ...notice,
      description: `${result.value.title}, ${formatPracticeDateTime(start)}.`,
    },
  );
}

function defaultFields(consultationRequestId: number) {
  const emptyFields = { description: undefined, meetingLink: undefined, notes: undefined };
  return { ...emptyFields, consultationRequestId, type: "consultation" as const };
}

type Fields = {
  title: string;
  duration: string;
  date: string;
  slot: string;
  time: string;
  isLiveVideoCall: string;
  place: string;
  userId: string;
};

export default function ScheduleConsultationRequest({ loaderData, actionData }: Route.ComponentProps) {
  const { request, services, freeSlots, values, account, accounts } = loaderData;
  const { pathname, search } = useLocation();
  const [form, fields] = useServerValidatedForm<Fields>({
    lastResult: actionData?.result,
    defaultValue: { ...values, date: freeSlots.day, slot: freeSlots.chosenSlot, time: freeSlots.typedTime },
  });
  const presetDuration = useDurationAutofill({ title: fields.title, duration: fields.duration }, services);
  const [chosenTime, setChosenTime] = useState("");
  const warning = actionData && "warning" in actionData ? actionData.warning : null;
  return (
    <RouteDialog title={TITLE} closeTo={dialogReturnPath(search)} size="lg">
      <PageMeta hasError={form.status === "error"}>{`${TITLE}: ${request.name}`}</PageMeta>
      <ErrorSummary form={form} notice={actionData?.notice} />
      <RequestFacts request={request} titleAs="h3" />
      <Form method="post" id={form.id} noValidate preventScrollReset className="mt-4 grid gap-6">
        <DefaultSubmitButton />
        <FormAutosave name={pathname} />
        <NearestTimes actionData={actionData} minutes={Number(fields.duration.initialValue ?? DEFAULT_VISIT_MINUTES)} />
        {warning && <SchedulingWarning warning={warning} confirmText="Schedule it anyway" />}
        <FreeSlotFields
          date={fields.date}
          slot={fields.slot}
          time={fields.time}
          freeSlots={freeSlots}
          hiddenFields={hiddenFilterFields(search)}
          onChosen={setChosenTime}
        />
        <div className="grid gap-6" onChange={presetDuration}>
          <TextField
            field={fields.title}
            label="Title"
            hint={`Families see this title. We add “- ${request.name}” for you.`}
          />
          <DurationField field={fields.duration} />
        </div>
        <CheckboxField
          field={fields.isLiveVideoCall}
          label="Live Video Call"
          hint={`You meet by video on this site. The waiting room opens 10 minutes before the start.${account ? "" : " A family joins with its account. If it has none, you get a link to make one next."}`}
          optional
        />
        <PlaceField field={fields.place} />
        <AccountChoice field={fields.userId} account={account} accounts={accounts} />
        <div className="sheet-footer">
          <p className="scripted">{chosenTime}</p>
          <Button variant="primary" busyText="Scheduling…">
            Schedule Consultation
          </Button>
        </div>
      </Form>
    </RouteDialog>
  );
}
