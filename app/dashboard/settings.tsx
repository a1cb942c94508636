import { useState } from "react";
import { Form, useLocation } from "react-router";
import { requirePerson } from "../accounts/guards.server.ts";
import { PASSWORD_UNCHANGED } from "../accounts/passwords/password-rule.ts";
import { NewPasswordFields } from "../accounts/passwords/new-password-fields.tsx";
import { PasswordField } from "../accounts/passwords/password-field.tsx";
import { formError, type FormErrorData, type FormErrorOptions } from "../accounts/form-error.server.ts";
import { changePassword, findOwnAccount } from "../accounts/authentication.server.ts";
import { fullName } from "../accounts/person.ts";
import { redirectWithFlash } from "../accounts/sessions/flash.server.ts";
import { getSession } from "../accounts/sessions/session.server.ts";
import { passwordChangeSchema, type PasswordChange } from "../accounts/schemas.ts";
import { COMPLIANCE_PATH } from "../practice/site-links.ts";
import { CONSENTS_PATH } from "../consents/paths.ts";
import { clientIpContext, nodeRequestContext } from "../http/context.server.ts";
import { failureHandler } from "../http/errors.server.ts";
import { readForm } from "../http/form.server.ts";
import { YOUR_DATA_PATH } from "../data-rights/paths.ts";
import { Button, LinkButton } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { ErrorSummary } from "../ui/error-summary.tsx";
import { usePageForm } from "../ui/page-form.ts";
import { PageTitle } from "../ui/page-title.tsx";
import type { Route } from "./+types/settings";

export async function loader({ context }: Route.LoaderArgs) {
  const account = await findOwnAccount(requirePerson(context));
  return {
    email: account.email,
    name: fullName(account),
    phone: account.phone,
    isAdmin: account.isAdmin,
    accountType: account.isAdmin ? "Administrator" : "Client",
    isFamily: !account.isAdmin,
  };
}

const CHANGED_PATH = "/dashboard/settings?changed";
const FORM_FAILURE = {
  title: "Password Change Failed",
  hiddenFields: ["currentPassword", "newPassword", "confirmPassword"],
} satisfies FormErrorOptions;

export async function action({ request, context }: Route.ActionArgs) {
  const submission = await readForm(request, passwordChangeSchema);
  if (submission.status !== "success") return formError(context, submission, null, FORM_FAILURE);
  const from = { sid: getSession(context)?.sid ?? "", ip: context.get(clientIpContext) };
  const outcome = await changePassword(requirePerson(context), submission.value, from).catch(
    failureHandler(PASSWORD_UNCHANGED, "password change", context.get(nodeRequestContext)),
  );
  if (!outcome.ok) return formError(context, submission, outcome, FORM_FAILURE);
  return redirectWithFlash(context, CHANGED_PATH, {
    title: "Password Changed",
    description: "Your password has been successfully updated.",
  });
}

export default function Settings({ loaderData, actionData }: Route.ComponentProps) {
  const { key } = useLocation();
  const [submittedKey, setSubmittedKey] = useState(key);
  // Without a response the fields keep what was typed.
  if (actionData !== null && submittedKey !== key) setSubmittedKey(key);
  return (
    <Dialog title="Account Settings" closeTo="/dashboard">
      <PageTitle hasError={Boolean(actionData)}>Account Settings</PageTitle>
      <dl className="facts">
        <dt>Email</dt>
        <dd>{loaderData.email}</dd>
        <dt>Name</dt>
        <dd>{loaderData.name}</dd>
        <dt>Phone</dt>
        <dd>{loaderData.phone ?? "Not given"}</dd>
        <dt>Account type</dt>
        <dd>{loaderData.accountType}</dd>
      </dl>
      <p className="actions">
        <LinkButton to="/dashboard/profile" preventScrollReset>
          Change name or phone
        </LinkButton>
        <LinkButton href="/change-email">Change email address</LinkButton>
      </p>
      {loaderData.isAdmin && (
        <>
          <h3>Public page</h3>
          <p>
            <LinkButton to="/consultant-profile">What families read about you</LinkButton>
          </p>
          <h3>This site</h3>
          <p>
            <LinkButton to="/system-status">System status</LinkButton>
          </p>
          <h3>Mail</h3>
          <p>
            <LinkButton to="/mail-wording">Wording of messages</LinkButton>
          </p>
        </>
      )}
      <h3>Calendar</h3>
      <p>
        <LinkButton to="/dashboard/settings/calendar" preventScrollReset>
          Visits in your calendar
        </LinkButton>
      </p>
      <h3>Security</h3>
      <p className="actions">
        <LinkButton to="/dashboard/settings/devices" preventScrollReset>
          Signed-in devices
        </LinkButton>
        <LinkButton href="/second-factor">Two-step sign-in</LinkButton>
        <LinkButton href="/passkeys">Passkeys</LinkButton>
        {loaderData.isAdmin ? (
          <>
            <LinkButton to="/activity">Access log</LinkButton>
            <LinkButton to={COMPLIANCE_PATH}>Requests and incidents</LinkButton>
          </>
        ) : (
          <LinkButton to="/access-log">Who opened your child&apos;s file</LinkButton>
        )}
      </p>
      {loaderData.isFamily && (
        <>
          <h3>Privacy</h3>
          <p className="actions">
            <LinkButton to={YOUR_DATA_PATH} preventScrollReset>
              Your data
            </LinkButton>
            <LinkButton to={CONSENTS_PATH}>Agreements</LinkButton>
          </p>
        </>
      )}
      <h3>Change Password</h3>
      {/* Resets the form after submitting, as a page load does. */}
      <PasswordForm key={submittedKey} actionData={actionData} isAdmin={loaderData.isAdmin} />
    </Dialog>
  );
}

type PasswordFormProps = { actionData: FormErrorData | null | undefined; isAdmin: boolean };

function PasswordForm({ actionData, isAdmin }: PasswordFormProps) {
  const { search } = useLocation();
  const [form, fields] = usePageForm<PasswordChange>({ lastResult: actionData?.result });
  return (
    <>
      {search === "?changed" && form.status !== "error" && (
        <p role="status" className="notice">
          Your password is changed. On every other device you were signed out.
        </p>
      )}
      <ErrorSummary form={form} notice={actionData?.notice} />
      <Form method="post" noValidate>
        <PasswordField field={fields.currentPassword} label="Current Password" autoComplete="current-password" />
        <NewPasswordFields password={fields.newPassword} confirmation={fields.confirmPassword} isAdmin={isAdmin} />
        <Button variant="primary" type="submit">
          Change Password
        </Button>
      </Form>
    </>
  );
}
