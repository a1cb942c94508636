import { Suspense } from "react";
import { requirePerson } from "../accounts/guards.server.ts";
import { redirectWithFlash } from "../accounts/sessions/flash.server.ts";
import { HTTP_STATUS } from "../http/outcome.ts";
import { findIntakeDraft } from "../intake/intake-draft.server.ts";
import { readFamilyIdParameter } from "../intake/family-id-from-query.ts";
import {
  hasSubmittedIntakeForm,
  formatIntakeFormOwner,
  toSubmittedIntakeFormData,
} from "../intake/intake-forms.server.ts";
import { INTAKE_FORM_TITLE, INTAKE_SUBMITTED_TITLE, intakeStepPath } from "../intake/intake-sections.ts";
import { handleIntakeWizardAction, loadIntakeWizard } from "../intake/intake-wizard.server.ts";
import { findIntakeFormWithAuditAndReview } from "../intake/intake-form-review.server.ts";
import { SubmittedIntakeForm } from "../intake/submitted-intake-form.tsx";
import { VisitAnswerList } from "../booking/visit-answers/visit-answer-list.tsx";
import { listFamilyVisitAnswers } from "../booking/visit-answers/visit-answers.server.ts";
import { useSite } from "../practice/site.ts";
import { ZonedTime } from "../ui/zoned-time.tsx";
import { LinkButton } from "../ui/button.tsx";
import { RouteDialog } from "../ui/route-dialog.tsx";
import { lazyComponent } from "../ui/lazy-component.ts";
import { PageMeta } from "../ui/page-meta.tsx";
import type { Route } from "./+types/intake-form-dialog";
import { dialogReturnPath } from "./return-path.ts";

const BASE_PATH = "/dashboard/intake-form";
const TITLE = "Intake Form Details";

/** Loaded on demand, because reading a submitted form does not need the code of the steps. */
const IntakeWizard = lazyComponent(async () => (await import("../intake/intake-wizard.tsx")).IntakeWizard);

/**
 * Loads the submitted form, or its steps for a family that has no form yet or edits it. The administrator adds
 * `?userId=`.
 */
export async function loader({ context, request, url }: Route.LoaderArgs) {
  const person = requirePerson(context);
  const isFillingIn = !person.isAdmin && (url.searchParams.has("step") || !(await hasSubmittedIntakeForm(person)));
  if (isFillingIn) return { steps: await loadIntakeWizard(context, request, { base: BASE_PATH }) };
  const familyId = readFamilyIdParameter(url.searchParams);
  const form = familyId.ok ? await findIntakeFormWithAuditAndReview(person, familyId.value) : familyId;
  if (!form.ok) throw new Response(form.message, { status: HTTP_STATUS[form.reason] });
  const summary = toSubmittedIntakeFormData(form.value, familyId.ok ? familyId.value : undefined);
  if (person.isAdmin) {
    const visits = await listFamilyVisitAnswers(person, form.value.userId);
    const owner = formatIntakeFormOwner(form.value);
    return { summary, updateLinkText: null, owner, closeTo: dialogReturnPath(url.search), visits };
  }
  const { isSaved } = await findIntakeDraft(person);
  return { summary, updateLinkText: isSaved ? "Continue your changes (not submitted yet)" : "Update your answers" };
}

export function action({ context, request }: Route.ActionArgs) {
  return handleIntakeWizardAction(context, request, {
    base: BASE_PATH,
    onSubmitted: () => redirectWithFlash(context, "/dashboard", { title: INTAKE_SUBMITTED_TITLE }),
  });
}

export default function IntakeFormDialog({ loaderData }: Route.ComponentProps) {
  const { timeZone } = useSite().practice;
  if (loaderData.steps) {
    return (
      <RouteDialog key="steps" title={INTAKE_FORM_TITLE} closeTo="/dashboard" size="lg">
        <Suspense>
          <IntakeWizard data={loaderData.steps} />
        </Suspense>
      </RouteDialog>
    );
  }
  const { owner, closeTo = "/dashboard", visits = [] } = loaderData;
  const title = owner ? `${TITLE}: ${owner}` : TITLE;
  return (
    <RouteDialog key="summary" title={title} closeTo={closeTo} size="lg">
      <PageMeta>{title}</PageMeta>
      <SubmittedIntakeForm summary={loaderData.summary} />
      {visits.map(({ id, start, answers }) => (
        <section key={id} className="mt-4">
          <h3 className="mb-1 text-lg">
            Before the visit on <ZonedTime instant={start} zone={timeZone} inSentence />
          </h3>
          <VisitAnswerList answers={answers} />
        </section>
      ))}
      {loaderData.updateLinkText && (
        <LinkButton variant="quiet" to={intakeStepPath(BASE_PATH, "sections")} preventScrollReset className="mt-3">
          {loaderData.updateLinkText}
        </LinkButton>
      )}
    </RouteDialog>
  );
}
