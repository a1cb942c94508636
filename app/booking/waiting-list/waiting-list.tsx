import { data, Form, redirect } from "react-router";
import { isEmailUnconfirmed } from "../../accounts/email/unconfirmed-email.server.ts";
import { createFormErrorResponse, type FormErrorOptions } from "../../accounts/form-error-response.server.ts";
import { requirePerson } from "../../accounts/guards.server.ts";
import { redirectWithFlash } from "../../accounts/sessions/flash.server.ts";
import { clientIpContext } from "../../http/request-context.server.ts";
import { fieldNames, formReply, parseForm, readNamedFormFields } from "../../http/form.server.ts";
import { mailMode } from "../../mail/mail-transport.server.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorSummary } from "../../ui/error-summary.tsx";
import { useServerValidatedForm } from "../../ui/use-server-validated-form.ts";
import { formatLongPlainDate } from "../../ui/format-date-time.ts";
import { PageMeta } from "../../ui/page-meta.tsx";
import type { Route } from "./+types/waiting-list";
import { NEW_APPOINTMENT_PATH, WAITING_LIST_PATH } from "../appointment-paths.ts";
import { knownServiceTitle } from "../prices/service-catalog.ts";
import { lastBookableDay } from "../booking-rules.ts";
import { parseDay } from "../wall-time.ts";
import { JoinWaitingListFields, type JoinFields } from "./join-waiting-list-fields.tsx";
import { type OpenDay, OpenDayNotice } from "./open-day-notice.tsx";
import { declineOffer, startBookingFromOffer } from "./waiting-list-offers.server.ts";
import { WaitingListOfferCard, WaitingDaysCard } from "./own-waiting-list-entries.tsx";
import {
  isEstablishedFamily,
  joinWaitingList,
  leaveWaitingList,
  listOwnWaitingListEntries,
  openDayRefusal,
} from "./waiting-list.server.ts";
import { waitingListChangeSchema, waitingListSchema } from "./waiting-list-schema.ts";
import { WAITING_LIST_VISIT_MINUTES, roundUpToWaitingListDuration } from "./waiting-list-visit-lengths.ts";
import { practiceToday } from "../practice-today.server.ts";

const TITLE = "Waiting list";
const JOIN_ERROR_OPTIONS = { title: "You are not on the list" } satisfies FormErrorOptions;
const CHANGE_ERROR_OPTIONS = { title: "Not Changed" } satisfies FormErrorOptions;

export async function loader({ context, url }: Route.LoaderArgs) {
  const person = requirePerson(context);
  const [entries, isEstablished] = [await listOwnWaitingListEntries(person), await isEstablishedFamily(person.id)];
  const firstDay = practiceToday();
  const readParameter = (name: string) => url.searchParams.get(name) ?? "";
  return {
    entries,
    isEstablished,
    hasMail: mailMode !== "none",
    unconfirmedEmail: isEmailUnconfirmed(context) ? person.email : null,
    day: parseDay(readParameter("day")) ?? "",
    service: knownServiceTitle(readParameter("service")),
    minutes: roundUpToWaitingListDuration(Number(readParameter("duration"))) ?? WAITING_LIST_VISIT_MINUTES[0],
    firstDay,
    lastDay: lastBookableDay(firstDay),
  };
}

/** Joins the waiting list of a day. With `change`, leaves a list, or accepts or declines an offer. */
export async function action({ request, context }: Route.ActionArgs) {
  const form = await readNamedFormFields(request, [waitingListSchema, waitingListChangeSchema].flatMap(fieldNames));
  if (form.has("change")) return changeWaitingListEntry(context, form);
  const submission = parseForm(form, waitingListSchema);
  if (submission.status !== "success") return createFormErrorResponse(context, submission, null, JOIN_ERROR_OPTIONS);
  const person = requirePerson(context);
  const joined = await joinWaitingList(person, submission.value, context.get(clientIpContext));
  if (joined === openDayRefusal) {
    const { result, status } = formReply(submission, null);
    return data({ result, notice: null, openDay: describeOpenDay(submission.value) }, { status });
  }
  if (!joined.ok) return createFormErrorResponse(context, submission, joined, JOIN_ERROR_OPTIONS);
  const { dayName } = joined.value;
  const description =
    mailMode !== "none"
      ? `We'll email you at ${person.email} when a time opens on ${dayName}.`
      : `A time that opens on ${dayName} shows up on this page. Please check back now and then.`;
  return redirectWithFlash(context, WAITING_LIST_PATH, { title: "You are on the list", description });
}

function describeOpenDay({ day, duration }: { day: string; duration: number }): OpenDay {
  const query = new URLSearchParams({ date: day, duration: String(duration) });
  return { dayName: formatLongPlainDate(day), path: `${NEW_APPOINTMENT_PATH}?${query}#free-times` };
}

async function changeWaitingListEntry(context: Route.ActionArgs["context"], form: FormData) {
  const person = requirePerson(context);
  const submission = parseForm(form, waitingListChangeSchema);
  if (submission.status !== "success") return createFormErrorResponse(context, submission, null, CHANGE_ERROR_OPTIONS);
  const { id, change } = submission.value;
  if (change === "leave") {
    const left = await leaveWaitingList(person, id);
    if (!left.ok) return createFormErrorResponse(context, submission, left, CHANGE_ERROR_OPTIONS);
    const description = `You're no longer waiting for ${left.value.dayName}.`;
    return redirectWithFlash(context, WAITING_LIST_PATH, { title: "You left the list", description });
  }
  const changed = await (change === "take" ? startBookingFromOffer(person, id) : declineOffer(person, id));
  if (!changed.ok) return createFormErrorResponse(context, submission, changed, CHANGE_ERROR_OPTIONS);
  if (change === "take") return redirect(NEW_APPOINTMENT_PATH);
  const description = "We'll ask the next family on the list. You are still on the list for other times.";
  return redirectWithFlash(context, WAITING_LIST_PATH, { title: "Thank you for telling us", description });
}

/** Shows the offers to a family, the days that it waits for, and the form that adds a day. */
export default function WaitingList({ loaderData, actionData }: Route.ComponentProps) {
  const { entries, isEstablished, hasMail, unconfirmedEmail, day, service, minutes, firstDay, lastDay } = loaderData;
  const [form, fields] = useServerValidatedForm<JoinFields>({
    id: `join-${day}-${entries.length}`,
    lastResult: actionData?.result,
    defaultValue: { day, duration: String(minutes) },
  });
  const openDay = actionData && "openDay" in actionData ? actionData.openDay : null;
  const waitingEntries = entries.filter(({ offer }) => offer === null);
  return (
    <main id="main" tabIndex={-1} className="page">
      <PageMeta hasError={form.status === "error"}>{TITLE}</PageMeta>
      <ErrorSummary form={form} notice={actionData?.notice} />
      <h1>{TITLE}</h1>
      {openDay && <OpenDayNotice openDay={openDay} />}
      {entries.map((entry) => entry.offer && <WaitingListOfferCard key={entry.id} offer={entry.offer} entry={entry} />)}
      {waitingEntries.length > 0 && <WaitingDaysCard entries={waitingEntries} />}
      {unconfirmedEmail && (
        <p className="notice wrap-anywhere">
          We write to <strong>{unconfirmedEmail}</strong>, which is not confirmed yet.{" "}
          <a href="/messages">Confirm it</a> or <a href="/change-email">change it</a>.
        </p>
      )}
      <Card title="Is the day you need full?">
        <Form method="post" id={form.id} key={form.id} noValidate className="grid max-w-xl gap-4">
          <JoinWaitingListFields
            fields={fields}
            service={service}
            firstDay={firstDay}
            lastDay={lastDay}
            isEstablished={isEstablished}
            hasMail={hasMail}
          />
        </Form>
      </Card>
      <p>
        <LinkButton to={NEW_APPOINTMENT_PATH}>See the times that are open now</LinkButton>
      </p>
    </main>
  );
}
