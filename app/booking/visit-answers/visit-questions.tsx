import { Form } from "react-router";
import { createFormErrorResponse, type FormErrorOptions } from "../../accounts/form-error-response.server.ts";
import { requirePerson } from "../../accounts/guards.server.ts";
import { redirectWithFlash } from "../../accounts/sessions/flash.server.ts";
import { parseId } from "../../http/field-schemas.ts";
import { readForm } from "../../http/form.server.ts";
import { HTTP_STATUS } from "../../http/outcome.ts";
import { useSite } from "../../practice/site.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { ErrorSummary } from "../../ui/error-summary.tsx";
import { FormAutosave } from "../../ui/form-autosave/form-autosave.tsx";
import { useServerValidatedForm } from "../../ui/use-server-validated-form.ts";
import { PageMeta } from "../../ui/page-meta.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { ZonedTime } from "../../ui/zoned-time.tsx";
import type { Route } from "./+types/visit-questions";
import { recordAppointmentOpened } from "../find-appointment.server.ts";
import { bookingConfirmationPath } from "../appointment-paths.ts";
import { MAX_ANSWER_LENGTH, VISIT_QUESTIONS, type VisitAnswers } from "./visit-question-texts.ts";
import { findVisitForQuestions, saveVisitAnswers } from "./visit-answers.server.ts";
import { visitAnswersSchema } from "./visit-answers-schema.ts";

const TITLE = "Three questions before your visit";
const FORM_ERROR_OPTIONS = { title: "Your answers were not saved" } satisfies FormErrorOptions;

export async function loader({ context, params }: Route.LoaderArgs) {
  const person = requirePerson(context);
  const found = await findVisitForQuestions(person, parseId(params.id));
  if (!found.ok) throw new Response(found.message, { status: HTTP_STATUS[found.reason] });
  await recordAppointmentOpened({ id: found.value.id, userId: person.id });
  return found.value;
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const submission = await readForm(request, visitAnswersSchema);
  if (submission.status !== "success") return createFormErrorResponse(context, submission, null, FORM_ERROR_OPTIONS);
  const saved = await saveVisitAnswers(requirePerson(context), parseId(params.id), submission.value);
  if (!saved.ok) return createFormErrorResponse(context, submission, saved, FORM_ERROR_OPTIONS);
  const description = "Your consultant reads them before your visit. You can change them until then.";
  return redirectWithFlash(context, bookingConfirmationPath(saved.value.id), { title: "Thank you", description });
}

/** Asks a family what it expects of a visit, in its own words. */
export default function VisitQuestions({ loaderData, actionData }: Route.ComponentProps) {
  const { id, start, answers } = loaderData;
  const { timeZone } = useSite().practice;
  const [form, fields] = useServerValidatedForm<VisitAnswers>({
    lastResult: actionData?.result,
    defaultValue: answers ?? undefined,
  });
  return (
    <main id="main" tabIndex={-1} className="page">
      <PageMeta hasError={form.status === "error"}>{TITLE}</PageMeta>
      <ErrorSummary form={form} notice={actionData?.notice} />
      <h1>{TITLE}</h1>
      <p>
        Your visit is on <ZonedTime instant={start} zone={timeZone} inSentence />. A few words are enough, and you can
        skip any question. Only your consultant reads your answers.
      </p>
      <Form method="post" id={form.id} noValidate className="card max-w-2xl">
        <FormAutosave name={`visit-questions ${id}`} />
        <TextField
          field={fields.important}
          label={VISIT_QUESTIONS.important}
          optional
          rows={3}
          maxLength={MAX_ANSWER_LENGTH}
        />
        <TextField
          field={fields.change}
          label={VISIT_QUESTIONS.change}
          optional
          rows={3}
          maxLength={MAX_ANSWER_LENGTH}
        />
        <TextField
          field={fields.pages}
          label={VISIT_QUESTIONS.pages}
          hint="For example: pages 3 to 5 of the school's report."
          optional
          rows={3}
          maxLength={MAX_ANSWER_LENGTH}
        />
        <div className="actions">
          <Button variant="primary" busyText="Saving…">
            Save my answers
          </Button>
          <LinkButton to={bookingConfirmationPath(id)}>See your visit</LinkButton>
        </div>
      </Form>
    </main>
  );
}
