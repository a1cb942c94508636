import { useOutlet } from "react-router";
import { findFamilyName } from "../accounts/family-names.server.ts";
import { requirePerson } from "../accounts/guards.server.ts";
import { createFormErrorResponse } from "../accounts/form-error-response.server.ts";
import { redirectWithFlash } from "../accounts/sessions/flash.server.ts";
import { clientVisitLabel } from "../booking/describe-visit.server.ts";
import { FOLLOW_UP_CHANGES } from "../booking/follow-ups/follow-up-schema.ts";
import { changeFollowUp } from "../booking/follow-ups/follow-ups.server.ts";
import { bookNextVisit } from "../booking/next-visit/next-visit.server.ts";
import { appointmentDetailsPath, adminBookNextVisitPath, buildReturnPathQuery } from "../booking/appointment-paths.ts";
import { toDateTimeFields, parseInstant } from "../booking/start-time.ts";
import { env } from "../env.server.ts";
import { clientIpContext } from "../http/request-context.server.ts";
import { parseId } from "../http/field-schemas.ts";
import { formatPracticeDateTime } from "../practice/format-practice-date-time.server.ts";
import { fieldNames, parseForm, readNamedFormFields } from "../http/form.server.ts";
import type { Route } from "./+types/family-route";
import { FamilyPage } from "./family-page.tsx";
import { openFamilyPageAndMarkReviewed } from "./family-page-data.server.ts";
import { familyNoteSchema } from "../booking/notes/note-schema.ts";
import { addFamilyNote } from "../booking/notes/family-notes.server.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const family = await openFamilyPageAndMarkReviewed(requirePerson(context), params.id, url.searchParams);
  if (!family.ok) throw new Response(family.message, { status: 404, statusText: "Not Found" });
  return family.value;
}

/** Adds a note; completes or reopens a follow-up; books a visit like the last one. */
export async function action({ context, params, request }: Route.ActionArgs) {
  const person = requirePerson(context);
  const form = await readNamedFormFields(request, [...fieldNames(familyNoteSchema), "intent", "id", "start"]);
  const intent = form.get("intent");
  const returnPath = `/families/${params.id}`;
  const change = FOLLOW_UP_CHANGES.find((each) => each === intent);
  if (change) {
    const result = await changeFollowUp(person, { family: params.id, followUp: String(form.get("id")), change });
    if (!result.ok) throw new Response(result.message, { status: 404, statusText: "Not Found" });
    const description = `For ${await findFamilyName(parseId(params.id))}.`;
    return redirectWithFlash(context, returnPath, { title: `Follow-up ${change}`, description });
  }
  if (intent === "book-next") return bookNextVisitAndRedirect(context, params.id, form);
  const formFailure = { title: "The note was not saved" };
  const submission = parseForm(form, familyNoteSchema);
  if (submission.status !== "success") return createFormErrorResponse(context, submission, null, formFailure);
  const result = await addFamilyNote(person, params.id, submission.value);
  if (!result.ok) return createFormErrorResponse(context, submission, result, formFailure);
  const description = `About ${await findFamilyName(parseId(params.id))}.`;
  return redirectWithFlash(context, returnPath, { title: "Note saved", description });
}

/** Books a visit like the last one. If the time is no longer available, redirects to the available times. */
async function bookNextVisitAndRedirect(context: Route.ActionArgs["context"], familyId: string, form: FormData) {
  const start = parseInstant(String(form.get("start")));
  const id = parseId(String(form.get("id")));
  const userId = parseId(familyId);
  if (typeof start === "string" || id === null || userId === null)
    throw new Response("That visit can't be booked.", { status: 422, statusText: "Unprocessable Content" });
  const returnPath = `/families/${familyId}`;
  const result = await bookNextVisit(requirePerson(context), { id, userId, start }, context.get(clientIpContext));
  if (!result.ok && result.reason === "notFound")
    throw new Response(result.message, { status: 404, statusText: "Not Found" });
  if (result.ok)
    return redirectWithFlash(context, returnPath, {
      title: "Appointment Scheduled!",
      description: `${clientVisitLabel(result.value)}: ${result.value.title}, ${formatPracticeDateTime(start)}.`,
      // One press has booked it and told the family.
      link: {
        href: `${appointmentDetailsPath(result.value.id)}${buildReturnPathQuery(returnPath)}`,
        text: "Move or cancel it",
      },
    });
  const path = adminBookNextVisitPath({ id, userId, ...toDateTimeFields(start, env.practice.timeZone) });
  return redirectWithFlash(context, path, {
    title: "Scheduling Failed",
    description: result.message,
    style: "destructive",
  });
}

export default function FamilyRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <FamilyPage family={loaderData} formError={actionData} dialog={useOutlet()} />;
}
