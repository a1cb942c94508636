import { useOutlet } from "react-router";
import { requirePerson } from "../accounts/guards.server.ts";
import { formError } from "../accounts/form-error.server.ts";
import { redirectWithFlash } from "../accounts/sessions/flash.server.ts";
import { changeFollowUp, FOLLOW_UP_CHANGES } from "../booking/follow-ups/follow-ups.server.ts";
import { fieldNames, parseForm, readFormData } from "../http/form.server.ts";
import { FollowUps } from "./follow-ups.tsx";
import { SubmittedIntakeForm } from "../intake/submitted-form.tsx";
import { Card } from "../ui/card.tsx";
import { PageTitle } from "../ui/page-title.tsx";
import type { Route } from "./+types/family";
import { FamilyAppointments, FamilyDocuments, FamilyPayments } from "./family-page-cards.tsx";
import { FamilyConsents } from "./family-consents.tsx";
import { AccountCard, FamilyHeader } from "./family-header.tsx";
import { openFamilyPage } from "./family.server.ts";
import { noteSchema } from "../booking/notes/note-schema.ts";
import { addNote } from "../booking/notes/notes.server.ts";
import { Notes } from "./notes.tsx";

export async function loader({ context, params }: Route.LoaderArgs) {
  const family = await openFamilyPage(requirePerson(context), params.id);
  if (!family.ok) throw new Response(family.message, { status: 404, statusText: "Not Found" });
  return family.value;
}

/** Adds a note; completes, reopens or deletes a follow-up. */
export async function action({ context, params, request }: Route.ActionArgs) {
  const person = requirePerson(context);
  const form = await readFormData(request, [...fieldNames(noteSchema), "intent", "id"]);
  const intent = form.get("intent");
  const backTo = `/families/${params.id}`;
  const change = FOLLOW_UP_CHANGES.find((each) => each === intent);
  if (change) {
    const result = await changeFollowUp(person, { family: params.id, followUp: String(form.get("id")), change });
    if (!result.ok) throw new Response(result.message, { status: 404, statusText: "Not Found" });
    return redirectWithFlash(context, backTo, { title: `Follow-up ${change}` });
  }
  const formFailure = { title: "The note was not saved" };
  const submission = parseForm(form, noteSchema);
  if (submission.status !== "success") return formError(context, submission, null, formFailure);
  const result = await addNote(person, params.id, submission.value.text);
  if (!result.ok) return formError(context, submission, result, formFailure);
  return redirectWithFlash(context, backTo, { title: "Note saved" });
}

/** The administrator's page of one family. */
export default function Family({ loaderData: family, actionData }: Route.ComponentProps) {
  const dialog = useOutlet();
  return (
    <main id="main" tabIndex={-1} className="page">
      {!dialog && <PageTitle hasError={actionData?.result.status === "error"}>{family.name}</PageTitle>}
      <h1 className="wrap-anywhere">{family.name}</h1>
      <FamilyHeader family={family} />
      {family.profile && family.profile.concerns.length > 0 && (
        <Card title="Concerns">
          <ul className="list-disc space-y-1 pl-5 wrap-anywhere">
            {family.profile.concerns.map((concern) => (
              <li key={concern}>{concern}</li>
            ))}
          </ul>
        </Card>
      )}
      <div id="notes">
        <Notes familyId={family.id} notes={family.notes} actionData={actionData} />
      </div>
      <div id="follow-ups">
        <FollowUps familyId={family.id} followUps={family.followUps} />
      </div>
      <div id="documents">
        <FamilyDocuments {...family} />
      </div>
      <FamilyAppointments id={family.id} upcoming={family.upcoming} past={family.past} />
      <FamilyPayments id={family.id} payments={family.payments} />
      <Card title="Intake form">
        {family.intake ? (
          <details className="disclosure">
            <summary>Read the whole form</summary>
            <SubmittedIntakeForm summary={family.intake} />
          </details>
        ) : (
          <p>This family has not filled it out yet.</p>
        )}
      </Card>
      <FamilyConsents consents={family.consents} />
      <AccountCard family={family} />
      {dialog}
    </main>
  );
}
