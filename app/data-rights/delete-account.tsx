import { data, Form, redirectDocument } from "react-router";
import { createFormErrorResponse } from "../accounts/form-error-response.server.ts";
import { requirePerson } from "../accounts/guards.server.ts";
import { PasswordField } from "../accounts/passwords/password-field.tsx";
import { type PasswordAndCode, passwordAndCodeSchema } from "../accounts/account-schemas.ts";
import { CLEAR_CACHE_HEADERS, endSession, getReauthenticationSource } from "../accounts/sessions/session.server.ts";
import { shownCancellationAmountsSchema } from "../checkout/cancellation/shown-cancellation-amounts-schema.ts";
import { ShownAmountFields } from "../checkout/cancellation/shown-amount-fields.tsx";
import { readForm } from "../http/form.server.ts";
import { Button, LinkButton } from "../ui/button.tsx";
import { RouteDialog } from "../ui/route-dialog.tsx";
import { ErrorSummary } from "../ui/error-summary.tsx";
import { useServerValidatedForm } from "../ui/use-server-validated-form.ts";
import { PageMeta } from "../ui/page-meta.tsx";
import { TextField } from "../ui/text-field.tsx";
import type { Route } from "./+types/delete-account";
import { ErasureConsequences } from "./erasure-consequences.tsx";
import { loadOwnErasurePreview } from "./erasure-preview.server.ts";
import { ACCOUNT_DELETED_PATH, YOUR_DATA_PATH } from "./data-rights-paths.ts";
import { erasurePendingRefusal, requestOwnErasure } from "./request-own-erasure.server.ts";

const TITLE = "Delete our account";
const formSchema = passwordAndCodeSchema.extend(shownCancellationAmountsSchema.shape);
const FORM_ERROR_OPTIONS = { title: "Not Deleted", hiddenFields: ["password", "code"] };

export function loader({ context }: Route.LoaderArgs) {
  return loadOwnErasurePreview(requirePerson(context));
}

export async function action({ request, context }: Route.ActionArgs) {
  const person = requirePerson(context);
  const submission = await readForm(request, formSchema);
  const requested =
    submission.status === "success"
      ? await requestOwnErasure(person, submission.value, getReauthenticationSource(context))
      : null;
  // The button was pressed twice: the request is already stored, so this is not an error.
  if (!requested?.ok && requested !== erasurePendingRefusal) {
    const { data: error, init } = createFormErrorResponse(context, submission, requested, FORM_ERROR_OPTIONS);
    // After a refusal, the framework does not reload the data of the page.
    return data({ ...error, preview: await loadOwnErasurePreview(person) }, init ?? {});
  }
  await endSession(context);
  throw redirectDocument(ACCOUNT_DELETED_PATH, { headers: CLEAR_CACHE_HEADERS });
}

/** Explains the consequences of deleting the account, and asks for the password. */
export default function DeleteAccount({ loaderData, actionData }: Route.ComponentProps) {
  const preview = actionData?.preview ?? loaderData;
  const [form, fields] = useServerValidatedForm<PasswordAndCode>({ lastResult: actionData?.result });
  return (
    <RouteDialog title={TITLE} closeTo={YOUR_DATA_PATH}>
      <PageMeta hasError={form.status === "error"}>{TITLE}</PageMeta>
      <ErrorSummary form={form} notice={actionData?.notice} />
      <ErasureConsequences preview={preview} />
      <Form method="post" noValidate>
        <ShownAmountFields amounts={preview.amounts} />
        <PasswordField field={fields.password} label="Your password" autoComplete="current-password" />
        {preview.needsCode && (
          <TextField
            field={fields.code}
            label="Code, or a recovery code"
            hint="The six numbers from your authenticator app."
            autoComplete="one-time-code"
          />
        )}
        <div className="flex flex-wrap gap-3 pt-2">
          <LinkButton to={YOUR_DATA_PATH} preventScrollReset>
            Keep our account
          </LinkButton>
          <Button variant="danger" busyText="Deleting…">
            Delete our account
          </Button>
        </div>
      </Form>
    </RouteDialog>
  );
}
