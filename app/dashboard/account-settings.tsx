import { useState } from "react";
import { Form, useLocation } from "react-router";
import { requirePerson } from "../accounts/guards.server.ts";
import { PASSWORD_CHANGE_FAILED_MESSAGE } from "../accounts/passwords/password-rule.ts";
import { NewPasswordFields } from "../accounts/passwords/new-password-fields.tsx";
import { PasswordField } from "../accounts/passwords/password-field.tsx";
import {
  createFormErrorResponse,
  type FormErrorData,
  type FormErrorOptions,
} from "../accounts/form-error-response.server.ts";
import { changeOwnPassword } from "../accounts/passwords/change-password.server.ts";
import { redirectWithFlash } from "../accounts/sessions/flash.server.ts";
import { getPossiblyRestrictedSession, refreshKnownDeviceCookie } from "../accounts/sessions/session.server.ts";
import { passwordChangeSchema, type PasswordChangeValues } from "../accounts/account-schemas.ts";
import { clientIpContext, nodeRequestContext } from "../http/request-context.server.ts";
import { createFailureHandler } from "../http/errors.server.ts";
import { readForm } from "../http/form.server.ts";
import { Button } from "../ui/button.tsx";
import { RouteDialog } from "../ui/route-dialog.tsx";
import { CheckboxField } from "../ui/checkbox-field.tsx";
import { ErrorSummary } from "../ui/error-summary.tsx";
import { useServerValidatedForm } from "../ui/use-server-validated-form.ts";
import { PageMeta } from "../ui/page-meta.tsx";
import { loadAccountSettingsOverview, type SettingsOverview } from "./account-settings-overview.server.ts";
import { SettingsSections } from "./account-settings-sections.tsx";
import type { Route } from "./+types/account-settings";

export async function loader({ context }: Route.LoaderArgs) {
  const session = getPossiblyRestrictedSession(context);
  if (!session) throw new Error("This route has no guard.");
  return loadAccountSettingsOverview(requirePerson(context), session);
}

const CHANGED_PATH = "/dashboard/settings?changed";
const FORM_ERROR_OPTIONS = {
  title: "Password Change Failed",
  hiddenFields: ["currentPassword", "newPassword", "confirmPassword"],
} satisfies FormErrorOptions;

export async function action({ request, context }: Route.ActionArgs) {
  const submission = await readForm(request, passwordChangeSchema);
  if (submission.status !== "success") return createFormErrorResponse(context, submission, null, FORM_ERROR_OPTIONS);
  const source = { sid: getPossiblyRestrictedSession(context)?.sid ?? "", ip: context.get(clientIpContext) };
  const outcome = await changeOwnPassword(requirePerson(context), submission.value, source).catch(
    createFailureHandler(PASSWORD_CHANGE_FAILED_MESSAGE, "password change", context.get(nodeRequestContext)),
  );
  if (!outcome.ok) return createFormErrorResponse(context, submission, outcome, FORM_ERROR_OPTIONS);
  await refreshKnownDeviceCookie(context);
  return redirectWithFlash(context, CHANGED_PATH, {
    title: "Password Changed",
    description: "Your password has been successfully updated.",
  });
}

export default function AccountSettings({ loaderData, actionData }: Route.ComponentProps) {
  const { key } = useLocation();
  const [submittedKey, setSubmittedKey] = useState(key);
  // The fields are cleared only after a response, so that a failed request keeps what was typed.
  if (actionData !== null && submittedKey !== key) setSubmittedKey(key);
  return (
    <RouteDialog title="Account Settings" closeTo="/dashboard">
      <PageMeta hasError={Boolean(actionData)}>Account Settings</PageMeta>
      <SettingsSections settings={loaderData}>
        <li className="row setting">
          {/* Resets the form after submitting, as a page load does. */}
          <PasswordForm key={submittedKey} actionData={actionData} settings={loaderData} />
        </li>
      </SettingsSections>
    </RouteDialog>
  );
}

function describeRecentAccess({ passkeys, hasCalendarLink }: SettingsOverview["recentAccess"]): string {
  const names = passkeys.length === 1 ? `The passkey ${passkeys[0]}` : `The passkeys ${passkeys.join(", ")}`;
  if (passkeys.length === 0) return "The calendar link";
  return hasCalendarLink ? `${names}, and the calendar link` : names;
}

type PasswordFormProps = {
  actionData: FormErrorData | null | undefined;
  settings: Pick<SettingsOverview, "isAdmin" | "recentAccess">;
};

function PasswordForm({ actionData, settings: { isAdmin, recentAccess } }: PasswordFormProps) {
  const { search } = useLocation();
  const [form, fields] = useServerValidatedForm<Required<PasswordChangeValues>>({ lastResult: actionData?.result });
  const isChanged = new URLSearchParams(search).has("changed") && form.status !== "error";
  return (
    <details className="w-full" open={isChanged || form.status === "error"}>
      <summary className="setting-summary">
        <span className="min-w-0 flex-1 basis-36">
          <span className="block text-sm text-muted">Password</span>
          Set. We can't read it.
        </span>
        <span className="button button-quiet -mr-[min(0.75rem,3vw)]">
          Change<span className="sr-only"> your password</span>
        </span>
      </summary>
      <div className="grid gap-4 pt-3">
        {isChanged && (
          <p role="status" className="notice">
            Your password is changed. You were signed out on every other device.
          </p>
        )}
        <ErrorSummary form={form} notice={actionData?.notice} />
        <Form method="post" noValidate>
          <PasswordField field={fields.currentPassword} label="Current Password" autoComplete="current-password" />
          <NewPasswordFields
            password={fields.newPassword}
            confirmation={fields.confirmPassword}
            isAdmin={isAdmin}
            isRefused={form.status === "error"}
          />
          {(recentAccess.passkeys.length > 0 || recentAccess.hasCalendarLink) && (
            <CheckboxField
              field={fields.keepAdded}
              label={`Keep what was added in the last ${recentAccess.days} days`}
              hint={`${describeRecentAccess(recentAccess)}. If this is off, they are removed with the change. Leave it off if you don't recognize one of them.`}
              optional
            />
          )}
          <Button variant="primary" type="submit">
            Change Password
          </Button>
        </Form>
      </div>
    </details>
  );
}
