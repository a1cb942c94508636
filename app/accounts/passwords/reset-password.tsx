import { useForm } from "@conform-to/react";
import { data, Form, redirectDocument } from "react-router";
import { clientIpContext, nodeRequestContext } from "../../http/request-context.server.ts";
import { createFailureHandler } from "../../http/errors.server.ts";
import { readForm } from "../../http/form.server.ts";
import { HTTP_STATUS } from "../../http/outcome.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorSummary } from "../../ui/error-summary.tsx";
import type { PageHandle } from "../../ui/page-handle.ts";
import { PageMeta } from "../../ui/page-meta.tsx";
import type { Route } from "./+types/reset-password";
import { NarrowPage } from "../narrow-page.tsx";
import { BrokenLinkPage } from "../links/broken-link-page.tsx";
import { NewPasswordFields } from "./new-password-fields.tsx";
import { PASSWORD_CHANGE_FAILED_MESSAGE } from "./password-rule.ts";
import { createFormErrorResponse, type FormErrorOptions } from "../form-error-response.server.ts";
import { checkResetLink, resetPassword } from "./password-reset.server.ts";
import { requiresSecondFactor } from "../second-factor/second-factor.server.ts";
import { createFlash } from "../sessions/flash.server.ts";
import { setRetryAfter, startSession } from "../sessions/session.server.ts";
import { SharedDeviceField } from "../sessions/shared-device-field.tsx";
import { newPasswordSchema, type NewPasswordValues } from "../account-schemas.ts";

export const handle: PageHandle = { unhydrated: true };

export async function loader({ params, context }: Route.LoaderArgs) {
  const link = await checkResetLink(params.token, context.get(clientIpContext));
  if (link.ok) {
    const { isAdmin, isRequiredChange } = link.value;
    return data({ refusal: null, isAdmin, isRequiredChange });
  }
  setRetryAfter(context, link.retryAfterSeconds);
  const status = HTTP_STATUS[link.reason];
  return data({ refusal: link.message, isAdmin: false, isRequiredChange: false }, { status });
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const submission = await readForm(request, newPasswordSchema);
  if (submission.status !== "success") return createFormErrorResponse(context, submission, null, FORM_ERROR_OPTIONS);
  const reset = await resetPassword(params.token, submission.value.newPassword, context.get(clientIpContext)).catch(
    createFailureHandler(PASSWORD_CHANGE_FAILED_MESSAGE, "password reset", context.get(nodeRequestContext)),
  );
  if (!reset.ok) return createFormErrorResponse(context, submission, reset, FORM_ERROR_OPTIONS);
  const { person, accessVersion } = reset.value;
  // The link replaces the password only, not the second factor.
  const isShared = submission.value.sharedDevice === true;
  const signInPath = isShared ? "/login?changed&shared" : "/login?changed";
  if (await requiresSecondFactor(person.id)) return redirectDocument(signInPath);
  const notice = { title: "Password Changed", description: "Your password has been successfully updated." };
  const isStarted = await startSession(context, person, { notices: [createFlash(notice)], isShared, accessVersion });
  return redirectDocument(isStarted ? "/dashboard" : signInPath);
}

const FORM_ERROR_OPTIONS = {
  title: "Password Change Failed",
  hiddenFields: ["newPassword", "confirmPassword"],
} satisfies FormErrorOptions;

export default function ResetPassword({ loaderData, actionData }: Route.ComponentProps) {
  const [form, fields] = useForm<NewPasswordValues>({ lastResult: actionData?.result });
  const { refusal, isAdmin, isRequiredChange } = loaderData;
  if (refusal)
    return (
      <BrokenLinkPage
        reason={refusal}
        newLink={{ text: "Ask for a new link", href: "/forgot-password" }}
        back={{ text: "Back to sign in", href: "/login" }}
      />
    );
  return (
    <NarrowPage
      heading="Choose a new password"
      lead={
        isRequiredChange
          ? "Your account can open every family's records, and this site is public. Before you go on, choose a longer password. Every device that is signed in now is signed out; an authenticator app, its recovery codes, passkeys and the calendar link stay as they are."
          : "Every device that is signed in now is signed out."
      }
      summary={<ErrorSummary form={form} notice={actionData?.notice} />}
    >
      <PageMeta hasError={form.status === "error"}>Choose a new password</PageMeta>
      <Form method="post" noValidate>
        <NewPasswordFields
          password={fields.newPassword}
          confirmation={fields.confirmPassword}
          isAdmin={isAdmin}
          isRefused={form.status === "error"}
        />
        <SharedDeviceField field={fields.sharedDevice} />
        <Button variant="primary" type="submit">
          Save new password
        </Button>
      </Form>
    </NarrowPage>
  );
}
