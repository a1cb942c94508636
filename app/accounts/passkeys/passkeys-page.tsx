import { useForm } from "@conform-to/react";
import { data, redirectDocument } from "react-router";
import { parseForm, readNamedFormFields } from "../../http/form.server.ts";
import { ErrorSummary } from "../../ui/error-summary.tsx";
import type { PageHandle } from "../../ui/page-handle.ts";
import { PageMeta } from "../../ui/page-meta.tsx";
import { NarrowPage } from "../narrow-page.tsx";
import { createFormErrorResponse } from "../form-error-response.server.ts";
import { allowSecondFactorSetup } from "../guards.server.ts";
import { RecoveryCodes } from "../second-factor/recovery-codes.tsx";
import { findSecondFactorStatus } from "../second-factor/second-factor.server.ts";
import { describeUserAgent } from "../sessions/device-name.ts";
import { flash } from "../sessions/flash.server.ts";
import { OTHER_SESSIONS_ENDED_MESSAGE } from "../sessions/other-sessions-ended.ts";
import { endSession, getPossiblyRestrictedSession } from "../sessions/session.server.ts";
import { CONFIRM_IDENTITY_PATH, isRecentlyAuthenticated } from "../step-up/recent-authentication.server.ts";
import type { Route } from "./+types/passkeys-page";
import { type NewPasskeyValues, newPasskeySchema, passkeyIdSchema } from "./passkey-credential-schemas.ts";
import { NewPasskeyForm, PASSKEYS_PATH, PasskeyList } from "./passkey-list.tsx";
import {
  addPasskeyAndRevokeAccess,
  listPasskeys,
  MAX_PASSKEYS,
  removePasskeyAndRevokeAccess,
} from "./passkeys.server.ts";

export const handle: PageHandle = { unhydrated: true };

const TITLE = "Passkeys";
const ADD_ERROR_OPTIONS = { title: "Passkey Not Added", hiddenFields: ["credential"] };
const REMOVE_ERROR_OPTIONS = { title: "Passkey Not Removed" };

/** Also available to a session that is restricted to setting up a second factor (`restriction`). */
export const middleware = [allowSecondFactorSetup(PASSKEYS_PATH)];

function confirmIdentityPath(): string {
  return `${CONFIRM_IDENTITY_PATH}?redirectTo=${encodeURIComponent(PASSKEYS_PATH)}`;
}

function requireSession(context: Parameters<typeof getPossiblyRestrictedSession>[0]) {
  const session = getPossiblyRestrictedSession(context);
  if (!session) throw new Error("This route has no guard.");
  return session;
}

export async function loader({ context, request }: Route.LoaderArgs) {
  const { person, restriction } = requireSession(context);
  const [passkeys, { needsCode }] = await Promise.all([listPasskeys(person), findSecondFactorStatus(person.id)]);
  return {
    passkeys,
    needsCode,
    isRequired: restriction !== null,
    confirmPath: confirmIdentityPath(),
    canChange: isRecentlyAuthenticated(context),
    isFull: passkeys.length >= MAX_PASSKEYS,
    device: describeUserAgent(request.headers.get("user-agent")),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { person, sid, restriction } = requireSession(context);
  if (!isRecentlyAuthenticated(context)) {
    // A restricted session can't open the page that asks for the password again.
    if (restriction) await endSession(context);
    throw redirectDocument(
      restriction ? `/login?redirectTo=${encodeURIComponent(PASSKEYS_PATH)}` : confirmIdentityPath(),
    );
  }
  const form = await readNamedFormFields(request, ["step", "name", "credential", "id"]);
  const step = form.get("step");
  form.delete("step");
  if (step === "remove") {
    form.delete("credential");
    const submission = parseForm(form, passkeyIdSchema);
    if (submission.status !== "success")
      return createFormErrorResponse(context, submission, null, REMOVE_ERROR_OPTIONS);
    const outcome = await removePasskeyAndRevokeAccess({ person, sid }, submission.value.id);
    if (!outcome.ok) return createFormErrorResponse(context, submission, outcome, REMOVE_ERROR_OPTIONS);
    flash(context, { title: "Passkey Removed", description: OTHER_SESSIONS_ENDED_MESSAGE }, PASSKEYS_PATH);
    return redirectDocument(PASSKEYS_PATH);
  }
  const submission = parseForm(form, newPasskeySchema);
  if (submission.status !== "success") return createFormErrorResponse(context, submission, null, ADD_ERROR_OPTIONS);
  const outcome = await addPasskeyAndRevokeAccess(context, submission.value, request.headers.get("cookie"));
  if (!outcome.ok) return createFormErrorResponse(context, submission, outcome, ADD_ERROR_OPTIONS);
  const { recoveryCodes } = outcome.value;
  if (recoveryCodes.length > 0) return data({ recoveryCodes });
  flash(context, { title: "Passkey Added", description: OTHER_SESSIONS_ENDED_MESSAGE }, PASSKEYS_PATH);
  return redirectDocument(PASSKEYS_PATH);
}

export default function Passkeys({ loaderData, actionData }: Route.ComponentProps) {
  const { passkeys, device, isRequired, needsCode } = loaderData;
  const failure = actionData && "result" in actionData ? actionData : null;
  const [form, fields] = useForm<NewPasskeyValues>({ lastResult: failure?.result, defaultValue: { name: device } });
  if (actionData && "recoveryCodes" in actionData) {
    return (
      <RecoveryCodes
        codes={actionData.recoveryCodes}
        lead="Your passkey is ready. If you lose the device with it, your password and one of these codes let you in. Each works once."
      />
    );
  }
  return (
    <NarrowPage
      heading={TITLE}
      lead="A passkey signs you in with your fingerprint, your face or your device's PIN. There is nothing to remember, and nobody can guess it."
      summary={<ErrorSummary form={form} notice={failure?.notice} />}
    >
      <PageMeta hasError={form.status === "error"}>{TITLE}</PageMeta>
      {isRequired && <p className="notice">With a passkey you also have your second step, and can go on.</p>}
      <PasskeyList passkeys={passkeys} canChange={loaderData.canChange} />
      <NewPasskeyForm name={fields.name} {...loaderData} />
      <p>
        {needsCode
          ? "Lost a device? Sign in with your password and a code, or one of your recovery codes. Then remove its passkey here."
          : "Lost a device? Sign in with your password, then remove its passkey here."}
      </p>
      {isRequired ? (
        <p>
          <a href="/second-factor">Use an authenticator app instead</a>
        </p>
      ) : (
        <p>
          <a href="/dashboard/settings">Back to Account Settings</a>
        </p>
      )}
    </NarrowPage>
  );
}
