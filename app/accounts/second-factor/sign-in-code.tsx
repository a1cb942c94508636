import { useForm } from "@conform-to/react";
import { Form, redirectDocument } from "react-router";
import { clientIpContext } from "../../http/request-context.server.ts";
import { readForm } from "../../http/form.server.ts";
import { appendAccountDestination, chosenServiceFromUrl } from "../../practice/account-destination.ts";
import { phoneHref } from "../../practice/site-links.ts";
import { useSite } from "../../practice/site.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorSummary } from "../../ui/error-summary.tsx";
import type { PageHandle } from "../../ui/page-handle.ts";
import { PageMeta } from "../../ui/page-meta.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { NarrowPage } from "../narrow-page.tsx";
import { createFormErrorResponse } from "../form-error-response.server.ts";
import { getPerson, resolveSignInRedirect } from "../guards.server.ts";
import { parseSignInRedirect } from "../sign-in/redirect-target.server.ts";
import { parseKnownDeviceCookie } from "../known-device.server.ts";
import { WELCOME_NOTICE } from "../login.tsx";
import { completeSignIn, createPasswordChangePathIfWeak, verifySignInCode } from "../sign-in/sign-in.server.ts";
import { secondFactorCodeSchema, type CodeValues } from "../account-schemas.ts";
import { appendCookie } from "../sessions/session.server.ts";
import type { Route } from "./+types/sign-in-code";
import { PasskeyForm, PasskeyScript } from "../passkeys/passkey-form.tsx";
import { expiredPendingSignInCookie, readPendingSignIn } from "./pending-sign-in.server.ts";
import { findSecondFactorStatus } from "./second-factor.server.ts";

export const handle: PageHandle = { unhydrated: true };

const FORM_ERROR_OPTIONS = { title: "Login Failed", hiddenFields: ["code"] };

export async function loader({ context, request, url }: Route.LoaderArgs) {
  const signInRedirect = parseSignInRedirect(url);
  if (getPerson(context)) throw redirectDocument(signInRedirect.redirectTo);
  const pendingSignIn = await readPendingSignIn(request.headers.get("cookie"));
  const loginPath = appendAccountDestination("/login", signInRedirect);
  if (!pendingSignIn) throw redirectDocument(loginPath);
  const { hasAuthenticatorApp, hasPasskey } = await findSecondFactorStatus(pendingSignIn.userId);
  return {
    hasAuthenticatorApp,
    hasPasskey,
    loginPath,
    passkeyPath: appendAccountDestination("/login/passkey", signInRedirect),
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const cookieHeader = request.headers.get("cookie");
  const pending = await readPendingSignIn(cookieHeader);
  if (!pending) throw redirectDocument(appendAccountDestination("/login", parseSignInRedirect(url)));
  const submission = await readForm(request, secondFactorCodeSchema);
  if (submission.status !== "success") return createFormErrorResponse(context, submission, null, FORM_ERROR_OPTIONS);
  const source = { ip: context.get(clientIpContext), device: await parseKnownDeviceCookie(cookieHeader) };
  const verified = await verifySignInCode(pending, submission.value.code, source);
  const change = verified.ok ? await createPasswordChangePathIfWeak(verified.value) : null;
  if (change?.ok) {
    appendCookie(context, await expiredPendingSignInCookie());
    return redirectDocument(change.value);
  }
  const { sharedDevice } = pending;
  const options = { notice: WELCOME_NOTICE, sharedDevice, service: chosenServiceFromUrl(url) };
  const result = change ?? (verified.ok ? await completeSignIn(context, verified.value, options) : verified);
  if (!result.ok) return createFormErrorResponse(context, submission, result, FORM_ERROR_OPTIONS);
  appendCookie(context, await expiredPendingSignInCookie());
  return redirectDocument(resolveSignInRedirect(context, url.searchParams.get("redirectTo")));
}

/** Page of the second step of a sign-in, after the password. */
export default function SignInCode({ loaderData, actionData }: Route.ComponentProps) {
  const { hasAuthenticatorApp, hasPasskey, loginPath, passkeyPath } = loaderData;
  const [form, fields] = useForm<CodeValues>({ lastResult: actionData?.result });
  const { phone } = useSite().practice;
  return (
    <NarrowPage
      heading="Enter your code"
      lead={
        hasAuthenticatorApp
          ? "Your password was right. Now open your authenticator app and type the six numbers it shows."
          : "Your password was right. Now use your passkey, or type one of your recovery codes."
      }
      summary={<ErrorSummary form={form} notice={actionData?.notice} />}
    >
      <PageMeta hasError={form.status === "error"}>Enter your code</PageMeta>
      <Form method="post" noValidate>
        <TextField
          field={fields.code}
          label={hasAuthenticatorApp ? "Code" : "Recovery code"}
          hint={hasAuthenticatorApp && "Don't have your phone? Type one of your recovery codes."}
          autoComplete="one-time-code"
        />
        <Button variant="primary" type="submit">
          Sign In
        </Button>
      </Form>
      {hasPasskey && (
        <>
          <PasskeyForm purpose="use" action={passkeyPath}>
            <input type="hidden" name="sharedDevice" />
            <Button>Use a passkey</Button>
          </PasskeyForm>
          <PasskeyScript />
        </>
      )}
      <p>
        Lost your phone and your recovery codes? Call <a href={phoneHref(phone)}>{phone}</a>.
      </p>
      <p>
        <a href={loginPath}>Start again</a>
      </p>
    </NarrowPage>
  );
}
