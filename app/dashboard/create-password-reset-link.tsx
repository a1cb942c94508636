import { data, Form } from "react-router";
import { requirePerson } from "../accounts/guards.server.ts";
import { createFormErrorResponse, type FormErrorOptions } from "../accounts/form-error-response.server.ts";
import { recoverAccountAndCreateResetLink } from "../accounts/passwords/password-reset.server.ts";
import { resetLinkSchema, type ResetLinkValues } from "../accounts/account-schemas.ts";
import { readForm } from "../http/form.server.ts";
import { Button } from "../ui/button.tsx";
import { RouteDialog } from "../ui/route-dialog.tsx";
import { ErrorSummary } from "../ui/error-summary.tsx";
import { useServerValidatedForm } from "../ui/use-server-validated-form.ts";
import { PageMeta } from "../ui/page-meta.tsx";
import { TextField } from "../ui/text-field.tsx";
import type { Route } from "./+types/create-password-reset-link";
import { OneTimeLink } from "./one-time-link.tsx";

const FORM_ERROR_OPTIONS = { title: "No link was made" } satisfies FormErrorOptions;

export async function action({ request, context }: Route.ActionArgs) {
  const submission = await readForm(request, resetLinkSchema);
  if (submission.status !== "success") return createFormErrorResponse(context, submission, null, FORM_ERROR_OPTIONS);
  const link = await recoverAccountAndCreateResetLink(requirePerson(context), submission.value.email);
  if (!link.ok) return createFormErrorResponse(context, submission, link, FORM_ERROR_OPTIONS);
  const { url, name, expiresAt } = link.value;
  return data({ result: null, link: { url, name, expiresAt: expiresAt.toISOString() } });
}

export default function CreatePasswordResetLink({ actionData }: Route.ComponentProps) {
  const [form, fields] = useServerValidatedForm<ResetLinkValues>({ lastResult: actionData?.result });
  const link = actionData && "link" in actionData ? actionData.link : null;
  return (
    <RouteDialog title="Password link for a family" closeTo="/dashboard">
      <PageMeta hasError={form.status === "error"}>Password link for a family</PageMeta>
      {link ? (
        <OneTimeLink url={link.url} expiresAt={link.expiresAt} recipient={link.name} />
      ) : (
        <>
          <p>
            A family who forgot their password opens this link and chooses a new one. First, make sure you know who
            you're talking to: their old password ends now, and every device is signed out.
          </p>
          <ErrorSummary form={form} notice={actionData && "notice" in actionData ? actionData.notice : null} />
          <Form method="post" noValidate>
            <TextField field={fields.email} label="The family's email address" type="email" autoComplete="off" />
            <Button variant="primary" type="submit">
              Make the link
            </Button>
          </Form>
        </>
      )}
    </RouteDialog>
  );
}
