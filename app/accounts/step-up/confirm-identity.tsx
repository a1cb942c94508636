import { Form, redirectDocument } from "react-router";
import { clientIpContext } from "../../http/request-context.server.ts";
import { parseForm, readNamedFormFields } from "../../http/form.server.ts";
import { mailMode } from "../../mail/mail-transport.server.ts";
import { phoneHref } from "../../practice/site-links.ts";
import { useSite } from "../../practice/site.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorSummary } from "../../ui/error-summary.tsx";
import { useServerValidatedForm } from "../../ui/use-server-validated-form.ts";
import { PageMeta } from "../../ui/page-meta.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { NarrowPage } from "../narrow-page.tsx";
import { createFormErrorResponse } from "../form-error-response.server.ts";
import { requirePerson } from "../guards.server.ts";
import { sanitizeRedirectPath } from "../sign-in/redirect-target.server.ts";
import { passkeyReauthenticationSchema } from "../passkeys/passkey-credential-schemas.ts";
import { PasskeyForm } from "../passkeys/passkey-form.tsx";
import { PasswordField } from "../passwords/password-field.tsx";
import { type ReauthenticationValues, reauthenticationSchema } from "../account-schemas.ts";
import { findSecondFactorStatus } from "../second-factor/second-factor.server.ts";
import { redirectWithFlash } from "../sessions/flash.server.ts";
import { findUnsentForm } from "../sessions/unsent-form.server.ts";
import type { Route } from "./+types/confirm-identity";
import { DOWNLOAD_PARAMETER, buildInterruptedDownloadLink } from "./interrupted-download.ts";
import {
  reauthenticate,
  reauthenticateWithPasskey,
  CONFIRM_IDENTITY_PATH,
  hasRecentlyConfirmedFor,
} from "./recent-authentication.server.ts";

const TITLE = "Confirm it’s you";
const FORM_ERROR_OPTIONS = { title: "Not Confirmed", hiddenFields: ["password", "code", "credential"] };
type Context = Route.ActionArgs["context"];

export async function loader({ context, url }: Route.LoaderArgs) {
  const redirectTo = sanitizeRedirectPath(url.searchParams.get("redirectTo"));
  if (hasRecentlyConfirmedFor(context, redirectTo)) throw redirectDocument(redirectTo);
  const { id, isAdmin } = requirePerson(context);
  const ownPath = `${CONFIRM_IDENTITY_PATH}${url.search}`;
  return { ...(await findSecondFactorStatus(id)), isAdmin, hasMail: mailMode !== "none", ownPath };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readNamedFormFields(request, ["password", "code", "credential"]);
  const redirectTo = sanitizeRedirectPath(url.searchParams.get("redirectTo"));
  const failure = form.has("credential")
    ? await handlePasskeyConfirmation(context, request, form, redirectTo)
    : await handlePasswordOrCodeConfirmation(context, form, redirectTo);
  if (failure) return failure;
  const link = buildInterruptedDownloadLink(url.searchParams.get(DOWNLOAD_PARAMETER)) ?? undefined;
  const unsentForm = await findUnsentForm(context, request);
  const isUnsentFormStored = unsentForm?.isConfirmation && unsentForm.path === redirectTo;
  // The form itself says that it is not sent yet.
  if (isUnsentFormStored) return redirectDocument(redirectTo);
  const description = link ? "Here is your file." : "Please go on.";
  const notice = { title: "Thank you", description, link };
  return redirectWithFlash(context, redirectTo, notice, true);
}

async function handlePasskeyConfirmation(context: Context, request: Request, form: FormData, path: string) {
  const submission = parseForm(form, passkeyReauthenticationSchema);
  if (submission.status !== "success") return createFormErrorResponse(context, submission, null, FORM_ERROR_OPTIONS);
  const source = { cookieHeader: request.headers.get("cookie"), ip: context.get(clientIpContext), path };
  const confirmed = await reauthenticateWithPasskey(context, submission.value.credential, source);
  return confirmed.ok ? null : createFormErrorResponse(context, submission, confirmed, FORM_ERROR_OPTIONS);
}

async function handlePasswordOrCodeConfirmation(context: Context, form: FormData, path: string) {
  const submission = parseForm(form, reauthenticationSchema);
  if (submission.status !== "success") return createFormErrorResponse(context, submission, null, FORM_ERROR_OPTIONS);
  const confirmed = await reauthenticate(context, submission.value, { ip: context.get(clientIpContext), path });
  return confirmed.ok ? null : createFormErrorResponse(context, submission, confirmed, FORM_ERROR_OPTIONS);
}

/** Page that asks for the password, code or passkey again, before pages that a stolen session must not reach. */
export default function ConfirmIdentity({ loaderData, actionData }: Route.ComponentProps) {
  const { needsCode, hasAuthenticatorApp, hasPasskey, isAdmin, hasMail } = loaderData;
  const [form, fields] = useServerValidatedForm<Required<ReauthenticationValues>>({ lastResult: actionData?.result });
  const { phone } = useSite().practice;
  return (
    <NarrowPage
      heading={TITLE}
      lead="The next step opens or changes something important, so we ask once more."
      summary={<ErrorSummary form={form} notice={actionData?.notice} />}
    >
      <PageMeta hasError={form.status === "error"}>{TITLE}</PageMeta>
      <Form method="post" noValidate>
        {needsCode ? (
          <TextField
            field={fields.code}
            label={hasAuthenticatorApp ? "Code" : "Recovery code"}
            hint={hasAuthenticatorApp && "The six numbers from your authenticator app, or one of your recovery codes."}
            autoComplete="one-time-code"
          />
        ) : (
          <PasswordField field={fields.password} label="Your password" autoComplete="current-password" />
        )}
        <Button variant="primary" busyText="One moment…">
          Continue
        </Button>
      </Form>
      {hasPasskey && (
        <PasskeyForm purpose="use" action={loaderData.ownPath}>
          <Button>Use a passkey</Button>
        </PasskeyForm>
      )}
      {!isAdmin && (
        <p>
          {hasMail && !needsCode ? (
            <>
              <a href="/forgot-password">Forgot your password?</a> We'll email you a link, or give you one by
              phone:{" "}
            </>
          ) : (
            "Forgot it? Call us: "
          )}
          <a href={phoneHref(phone)}>{phone}</a>.
        </p>
      )}
      <p>
        <a href="/dashboard">Not now</a>
      </p>
    </NarrowPage>
  );
}
