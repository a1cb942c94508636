import { Form } from "react-router";
import { createFormErrorResponse } from "../accounts/form-error-response.server.ts";
import { requirePerson } from "../accounts/guards.server.ts";
import { updateProfile } from "../accounts/profile.server.ts";
import { profileSchema } from "../accounts/account-schemas.ts";
import { redirectWithFlash } from "../accounts/sessions/flash.server.ts";
import { requireRecentAuthentication } from "../accounts/step-up/recent-authentication.server.ts";
import { fieldNames, parseForm, readNamedFormFields } from "../http/form.server.ts";
import { findIntakePhone } from "../intake/intake-forms.server.ts";
import { Button, LinkButton } from "../ui/button.tsx";
import { RouteDialog } from "../ui/route-dialog.tsx";
import { ErrorSummary } from "../ui/error-summary.tsx";
import { useServerValidatedForm } from "../ui/use-server-validated-form.ts";
import { PageMeta } from "../ui/page-meta.tsx";
import { TextField } from "../ui/text-field.tsx";
import type { Route } from "./+types/edit-profile";

const TITLE = "Name and phone";
const SETTINGS_PATH = "/dashboard/settings";

export async function loader({ context }: Route.LoaderArgs) {
  const person = requirePerson(context);
  const { firstName, lastName, phone } = person;
  const intakePhone = phone === null && !person.isAdmin ? await findIntakePhone(person) : null;
  return { values: { firstName, lastName, phone: phone ?? intakePhone ?? "" }, isIntakePhone: intakePhone !== null };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readNamedFormFields(request, fieldNames(profileSchema));
  const submission = parseForm(form, profileSchema);
  if (submission.status !== "success")
    return createFormErrorResponse(context, submission, null, { title: "Not Saved" });
  await requireRecentAuthentication(context, { request, url, form });
  await updateProfile(requirePerson(context), submission.value);
  return redirectWithFlash(context, SETTINGS_PATH, { title: "Details Saved" });
}

/** Edits the signed-in person's own name and phone number. */
export default function Profile({ loaderData, actionData }: Route.ComponentProps) {
  const { values, isIntakePhone } = loaderData;
  const [form, fields] = useServerValidatedForm<typeof values>({
    lastResult: actionData?.result,
    defaultValue: values,
  });
  return (
    <RouteDialog title={TITLE} closeTo={SETTINGS_PATH}>
      <PageMeta hasError={form.status === "error"}>{TITLE}</PageMeta>
      <ErrorSummary form={form} notice={actionData?.notice} />
      <Form method="post" id={form.id} noValidate preventScrollReset>
        <TextField field={fields.firstName} label="First Name" autoComplete="given-name" />
        <TextField field={fields.lastName} label="Last Name" autoComplete="family-name" />
        <TextField
          field={fields.phone}
          label="Phone"
          hint={`We call this number if something comes up before a visit.${isIntakePhone ? " This one is from your intake form: press Save to use it." : ""}`}
          optional
          type="tel"
          autoComplete="tel"
        />
        <div className="actions">
          <Button variant="primary" busyText="Saving…">
            Save
          </Button>
          <LinkButton to={SETTINGS_PATH} preventScrollReset>
            Back
          </LinkButton>
        </div>
      </Form>
    </RouteDialog>
  );
}
