import { useForm } from "@conform-to/react";
import { data, Form, redirectDocument } from "react-router";
import { clientIpContext } from "../../http/request-context.server.ts";
import { parseForm, readNamedFormFields } from "../../http/form.server.ts";
import { mailMode } from "../../mail/mail-transport.server.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorSummary } from "../../ui/error-summary.tsx";
import type { PageHandle } from "../../ui/page-handle.ts";
import { PageMeta } from "../../ui/page-meta.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { NarrowPage } from "../narrow-page.tsx";
import { createFormErrorResponse } from "../form-error-response.server.ts";
import { allowSecondFactorSetup } from "../guards.server.ts";
import { PasswordField } from "../passwords/password-field.tsx";
import { secondFactorCodeSchema, currentPasswordSchema, removeSecondFactorSchema } from "../account-schemas.ts";
import { flash } from "../sessions/flash.server.ts";
import { OTHER_SESSIONS_ENDED_MESSAGE } from "../sessions/other-sessions-ended.ts";
import { getPossiblyRestrictedSession } from "../sessions/session.server.ts";
import type { Route } from "./+types/second-factor-settings";
import { RecoveryCodes } from "./recovery-codes.tsx";
import {
  cancelSecondFactorSetup,
  beginSecondFactorSetup,
  activateSecondFactor,
  findAuthenticatorAppState,
  qrCode,
  deactivateSecondFactor,
} from "./second-factor.server.ts";
import { AuthenticatorAppSecret } from "./authenticator-app-secret.tsx";

export const handle: PageHandle = { unhydrated: true };

const PATH = "/second-factor";
const TITLE = "Two-step sign-in";
const FORM_ERROR_OPTIONS = { title: "Not Changed", hiddenFields: ["password", "code"] };
type Fields = { password: string; code: string };

/** Also available to a session that is restricted to setting up a second factor (`restriction`). */
export const middleware = [allowSecondFactorSetup(PATH)];

function requireSession(context: Parameters<typeof getPossiblyRestrictedSession>[0]) {
  const session = getPossiblyRestrictedSession(context);
  if (!session) throw new Error("This route has no guard.");
  return session;
}

export async function loader({ context }: Route.LoaderArgs) {
  const { person, restriction, emailConfirmedAt } = requireSession(context);
  const { confirmedAt, remainingCodeCount, isSettingUp } = await findAuthenticatorAppState(person);
  return {
    isOn: confirmedAt !== null,
    remainingCodeCount,
    isRequired: restriction !== null,
    isSettingUp,
    isEmailUnconfirmed: !person.isAdmin && emailConfirmedAt === null,
    hasMail: mailMode !== "none",
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { person, sid } = requireSession(context);
  const source = { sid, ip: context.get(clientIpContext) };
  const form = await readNamedFormFields(request, ["step", "password", "code"]);
  const step = form.get("step");
  form.delete("step");
  if (step === "confirm") {
    const submission = parseForm(form, secondFactorCodeSchema);
    if (submission.status !== "success") return createFormErrorResponse(context, submission, null, FORM_ERROR_OPTIONS);
    const outcome = await activateSecondFactor(person, submission.value.code, source);
    return outcome.ok ? data(outcome.value) : createFormErrorResponse(context, submission, outcome, FORM_ERROR_OPTIONS);
  }
  if (step === "remove") {
    const submission = parseForm(form, removeSecondFactorSchema);
    if (submission.status !== "success") return createFormErrorResponse(context, submission, null, FORM_ERROR_OPTIONS);
    const outcome = await deactivateSecondFactor(person, submission.value, source);
    if (!outcome.ok) return createFormErrorResponse(context, submission, outcome, FORM_ERROR_OPTIONS);
    flash(context, { title: "Second Step Turned Off", description: OTHER_SESSIONS_ENDED_MESSAGE }, PATH);
    return redirectDocument(PATH);
  }
  if (step === "restart") {
    await cancelSecondFactorSetup(person);
    return redirectDocument(PATH);
  }
  const submission = parseForm(form, currentPasswordSchema);
  if (submission.status !== "success") return createFormErrorResponse(context, submission, null, FORM_ERROR_OPTIONS);
  const outcome = await beginSecondFactorSetup(person, submission.value.password, source);
  if (!outcome.ok) return createFormErrorResponse(context, submission, outcome, FORM_ERROR_OPTIONS);
  // The secret is shown only in this response, to the person who has just entered the password.
  return data({ setup: { ...outcome.value, qr: qrCode(outcome.value.uri) } });
}

export default function SecondFactorSettings({ loaderData, actionData }: Route.ComponentProps) {
  const failure = actionData && "result" in actionData ? actionData : null;
  const [form, fields] = useForm<Fields>({ lastResult: failure?.result });
  const { isOn, isRequired, remainingCodeCount, isSettingUp, isEmailUnconfirmed, hasMail } = loaderData;
  const setup = actionData && "setup" in actionData ? actionData.setup : null;
  const needsCode = isOn || isSettingUp;
  if (actionData && "recoveryCodes" in actionData) return <RecoveryCodes codes={actionData.recoveryCodes} />;
  return (
    <NarrowPage
      heading={TITLE}
      lead={
        isRequired
          ? "Your account can open every family's records. Before you go on, protect it with a code from your phone."
          : "With a second step nobody gets in with your password alone. Your phone shows a new code every 30 seconds."
      }
      summary={<ErrorSummary form={form} notice={failure?.notice} />}
    >
      <PageMeta hasError={form.status === "error"}>{TITLE}</PageMeta>
      {isOn && (
        <p className="notice">
          The second step is on. You have {remainingCodeCount} recovery {remainingCodeCount === 1 ? "code" : "codes"}{" "}
          left.
        </p>
      )}
      {isEmailUnconfirmed && (
        <p role="note" className="notice">
          Nobody has confirmed your email address yet, so it may be somebody else's. Until it is confirmed, a link to
          choose a new password turns the second step off.
          {hasMail && (
            <>
              {" "}
              <a href="/messages">Confirm your email address</a> first.
            </>
          )}
        </p>
      )}
      {setup && <AuthenticatorAppSecret setup={setup} />}
      {isSettingUp && !setup && (
        <p>The set-up key was shown once, when you gave your password. Your app shows six numbers for it now.</p>
      )}
      <Form method="post" noValidate>
        <input type="hidden" name="step" value={isOn ? "remove" : isSettingUp ? "confirm" : "begin"} />
        {!isSettingUp && (
          <PasswordField field={fields.password} label="Your password" autoComplete="current-password" />
        )}
        {needsCode && (
          <TextField
            field={fields.code}
            label={isOn ? "Code, or a recovery code" : "The six numbers your app shows"}
            autoComplete="one-time-code"
          />
        )}
        <Button variant={isOn ? "danger" : "primary"} type="submit">
          {isOn ? "Turn off" : isSettingUp ? "Turn on" : "Set up"}
        </Button>
      </Form>
      {isSettingUp && !setup && (
        <Form method="post">
          <input type="hidden" name="step" value="restart" />
          <Button>Start again with a new key</Button>
        </Form>
      )}
      <p>
        <a href="/passkeys">{isRequired ? "Use a passkey instead" : "Your passkeys"}</a>
      </p>
      {isRequired ? (
        <Form method="post" action="/logout">
          <Button>Sign out</Button>
        </Form>
      ) : (
        <p>
          <a href="/dashboard/settings">Back to Account Settings</a>
        </p>
      )}
    </NarrowPage>
  );
}
