import { Form, useLocation } from "react-router";
import { findFamilyName } from "../accounts/family-names.server.ts";
import { requirePerson } from "../accounts/guards.server.ts";
import { createFormErrorResponse } from "../accounts/form-error-response.server.ts";
import { redirectWithFlash } from "../accounts/sessions/flash.server.ts";
import { createFollowUpSchema } from "../booking/follow-ups/follow-up-schema.ts";
import { addFollowUp } from "../booking/follow-ups/follow-ups.server.ts";
import { practiceDayInOneWeek, practiceToday } from "../booking/practice-today.server.ts";
import { parseId } from "../http/field-schemas.ts";
import { readForm } from "../http/form.server.ts";
import { Button } from "../ui/button.tsx";
import { CheckboxField } from "../ui/checkbox-field.tsx";
import { FormAutosave } from "../ui/form-autosave/form-autosave.tsx";
import { RouteDialog } from "../ui/route-dialog.tsx";
import { ErrorSummary } from "../ui/error-summary.tsx";
import { useServerValidatedForm } from "../ui/use-server-validated-form.ts";
import { PageMeta } from "../ui/page-meta.tsx";
import { TextField } from "../ui/text-field.tsx";
import type { Route } from "./+types/new-follow-up";

const TITLE = "New follow-up";
const NOT_SAVED = { title: "The follow-up was not saved" };

export function loader({ params }: Route.LoaderArgs) {
  return { returnPath: `/families/${params.id}`, today: practiceToday(), nextWeek: practiceDayInOneWeek() };
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const submission = await readForm(request, createFollowUpSchema(practiceToday()));
  if (submission.status !== "success") return createFormErrorResponse(context, submission, null, NOT_SAVED);
  const result = await addFollowUp(requirePerson(context), params.id, submission.value);
  if (!result.ok) throw new Response(result.message, { status: 404, statusText: "Not Found" });
  const description = `For ${await findFamilyName(parseId(params.id))}.`;
  return redirectWithFlash(context, `/families/${params.id}`, { title: "Follow-up saved", description });
}

export default function NewFollowUp({ loaderData: { returnPath, today, nextWeek }, actionData }: Route.ComponentProps) {
  const [form, fields] = useServerValidatedForm<Record<"followUp" | "dueDay" | "isShared", string>>({
    lastResult: actionData?.result,
    defaultValue: { dueDay: nextWeek },
  });
  const { pathname } = useLocation();
  return (
    <RouteDialog title={TITLE} closeTo={returnPath}>
      <PageMeta hasError={form.status === "error"}>{TITLE}</PageMeta>
      <ErrorSummary form={form} notice={actionData?.notice} />
      <Form method="post" id={form.id} noValidate preventScrollReset className="grid gap-4">
        <FormAutosave name={pathname} />
        <TextField field={fields.followUp} label="To do" maxLength={300} />
        <TextField field={fields.dueDay} label="By when" type="date" width="short" min={today} />
        <CheckboxField
          field={fields.isShared}
          label="The family sees it"
          hint="On its dashboard, with a reminder by email on the day."
          optional
        />
        <Button variant="primary" busyText="Saving…" className="justify-self-start">
          Save follow-up
        </Button>
      </Form>
    </RouteDialog>
  );
}
