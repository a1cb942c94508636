import { requirePerson } from "../accounts/guards.server.ts";
import type { Person } from "../accounts/person.ts";
import { appointmentNotFoundRefusal, findAppointment } from "../booking/find-appointment.server.ts";
import { noteSchema } from "../booking/notes/note-schema.ts";
import { addVisitNote } from "../booking/notes/family-notes.server.ts";
import { parseId } from "../http/field-schemas.ts";
import { readForm } from "../http/form.server.ts";
import { HTTP_STATUS, type Refusal } from "../http/outcome.ts";
import { findIntakeFormWithAuditAndReview } from "../intake/intake-form-review.server.ts";
import { toSubmittedIntakeFormData } from "../intake/intake-forms.server.ts";
import type { Route } from "./+types/consultant-panel-route";
import type { CallIntakeForm } from "./call-intake-form.ts";

/**
 * Returns the submitted intake form of a visit's family as JSON, for the consultant in the call; null if there is none.
 * Responds to a family with notFound for every visit, including its own.
 */
export async function loader({ context, params }: Route.LoaderArgs) {
  const person = requirePerson(context);
  const visit = await findVisitForConsultant(person, params.appointmentId);
  if (!visit.ok) return refusalResponse(visit);
  const { userId } = visit.value;
  const form = userId === null ? null : await findIntakeFormWithAuditAndReview(person, userId);
  const summary = form?.ok ? toSubmittedIntakeFormData(form.value, form.value.userId) : null;
  const body: CallIntakeForm = summary && { updatedAt: summary.updatedAt.toISOString(), sections: summary.sections };
  return Response.json(body, { headers: NO_STORE_HEADERS });
}

/** Adds the consultant's note about the visit. Responds with JSON, because loading a page would end the call. */
export async function action({ context, params, request }: Route.ActionArgs) {
  const person = requirePerson(context);
  const visit = await findVisitForConsultant(person, params.appointmentId);
  if (!visit.ok) return refusalResponse(visit);
  const submission = await readForm(request, noteSchema);
  if (submission.status !== "success") {
    const [message = "Write a note."] = Object.values(submission.error ?? {}).flatMap((texts) => texts ?? []);
    return Response.json({ message }, { status: HTTP_STATUS.invalid, headers: NO_STORE_HEADERS });
  }
  const result = await addVisitNote(person, visit.value.id, submission.value.text);
  return result.ok ? Response.json({ isSaved: true }, { headers: NO_STORE_HEADERS }) : refusalResponse(result);
}

const NO_STORE_HEADERS = { "Cache-Control": "private, no-store" };

async function findVisitForConsultant(person: Person, id: string) {
  return person.isAdmin ? findAppointment(person, parseId(id)) : appointmentNotFoundRefusal();
}

function refusalResponse({ reason, message }: Refusal) {
  return Response.json({ message }, { status: HTTP_STATUS[reason], headers: NO_STORE_HEADERS });
}
