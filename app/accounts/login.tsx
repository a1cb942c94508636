import { useForm } from "@conform-to/react";
import { Form, redirectDocument } from "react-router";
import { clientIpContext } from "../http/request-context.server.ts";
import { Button } from "../ui/button.tsx";
import type { PageHandle } from "../ui/page-handle.ts";
import { PageMeta } from "../ui/page-meta.tsx";
import type { Route } from "./+types/login";
import { mailMode } from "../mail/mail-transport.server.ts";
import {
  appendAccountDestination,
  chosenServiceFromUrl,
  resolveSignInDestination,
} from "../practice/account-destination.ts";
import { phoneHref } from "../practice/site-links.ts";
import { useSite } from "../practice/site.ts";
import { SharedDeviceField } from "./sessions/shared-device-field.tsx";
import { ErrorSummary } from "../ui/error-summary.tsx";
import { TextField } from "../ui/text-field.tsx";
import { NarrowPage } from "./narrow-page.tsx";
import { verifySignInForm } from "./sign-in/sign-in-form.server.ts";
import { getLinkSource } from "./links/rate-limited-link-lookup.server.ts";
import { findMaskedEmailForConfirmationPath } from "./email/masked-current-email.server.ts";
import { resolveSignInRedirect } from "./guards.server.ts";
import { parseSignInRedirect } from "./sign-in/redirect-target.server.ts";
import { signedOutNotice } from "./sessions/signed-out-notice.server.ts";
import { PasswordField } from "./passwords/password-field.tsx";
import { PasskeyForm, PasskeyScript } from "./passkeys/passkey-form.tsx";
import { pendingSignInCookie } from "./second-factor/pending-sign-in.server.ts";
import { appendCookie, getPossiblyRestrictedSession } from "./sessions/session.server.ts";
import { completeSignIn, createPasswordChangePathIfWeak } from "./sign-in/sign-in.server.ts";
import { createFormErrorResponse } from "./form-error-response.server.ts";
import type { SignInValues } from "./account-schemas.ts";

export const handle: PageHandle = { unhydrated: true, cache: true };

export const WELCOME_NOTICE = { title: "Welcome back!", description: "You have successfully logged in." };

export async function loader({ context, request, url }: Route.LoaderArgs) {
  const { redirectTo, service } = parseSignInRedirect(url);
  const isPasswordChanged = url.searchParams.has("changed");
  const destination = resolveSignInDestination(redirectTo, service);
  if (getPossiblyRestrictedSession(context)) throw redirectDocument(resolveSignInRedirect(context, destination));
  return {
    service,
    registerUrl: appendAccountDestination("/register", { redirectTo, service }),
    forgotPasswordUrl: appendAccountDestination("/forgot-password", { redirectTo, service }),
    passkeyUrl: appendAccountDestination("/login/passkey", { redirectTo, service }),
    isPasswordChanged,
    presentAddress: await findMaskedEmailForConfirmationPath(redirectTo, getLinkSource(context)),
    // A forged URL can only make a session shorter.
    isSharedDevice: url.searchParams.has("shared"),
    signedOutNotice: isPasswordChanged ? null : await signedOutNotice(request, url, redirectTo),
    hasMail: mailMode !== "none",
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const { submission, outcome } = await verifySignInForm(request, context.get(clientIpContext));
  const sharedDevice = submission.status === "success" && submission.value.sharedDevice;
  if (outcome?.ok && outcome.value.needsCode) {
    const { account, accessVersion, isPasswordTooWeak } = outcome.value;
    const pendingSignIn = { userId: account.id, accessVersion, sharedDevice: sharedDevice === true, isPasswordTooWeak };
    appendCookie(context, await pendingSignInCookie(pendingSignIn));
    return redirectDocument(appendAccountDestination("/login/code", parseSignInRedirect(url)));
  }
  const change = outcome?.ok ? await createPasswordChangePathIfWeak(outcome.value) : null;
  if (change?.ok) return redirectDocument(change.value);
  const options = { notice: WELCOME_NOTICE, sharedDevice, service: chosenServiceFromUrl(url) };
  const result = change ?? (outcome?.ok ? await completeSignIn(context, outcome.value, options) : outcome);
  if (!result?.ok)
    return createFormErrorResponse(context, submission, result, { title: "Login Failed", hiddenFields: ["password"] });
  return redirectDocument(resolveSignInRedirect(context, url.searchParams.get("redirectTo")));
}

export default function Login({ loaderData, actionData }: Route.ComponentProps) {
  const [form, fields] = useForm<SignInValues>({
    lastResult: actionData?.result,
    defaultValue: { sharedDevice: loaderData.isSharedDevice },
  });
  const { phone } = useSite().practice;
  return (
    <NarrowPage
      heading="Sign In"
      lead="Welcome back. Your appointments and documents are where you left them."
      summary={<ErrorSummary form={form} notice={actionData?.notice} />}
    >
      <PageMeta
        hasError={form.status === "error"}
        description="Sign in to your family's account: appointments, documents and your intake form."
      >
        Sign In
      </PageMeta>
      {loaderData.isPasswordChanged && (
        <p role="status" className="notice">
          Your password is changed. Sign in with it and with your code.
        </p>
      )}
      {loaderData.presentAddress && (
        <p role="note" className="notice">
          Sign in with your old address, <bdi className="wrap-anywhere">{loaderData.presentAddress}</bdi>, to confirm
          the new one.
        </p>
      )}
      {loaderData.signedOutNotice && (
        <p role="note" className="notice">
          {loaderData.signedOutNotice}
        </p>
      )}
      {loaderData.service && (
        <p>We saved your choice, {loaderData.service}. You can continue with it right after this.</p>
      )}
      <Form method="post" noValidate>
        <TextField field={fields.email} label="Email" type="email" autoComplete="email" />
        <PasswordField field={fields.password} label="Password" autoComplete="current-password" />
        <SharedDeviceField field={fields.sharedDevice} />
        <Button variant="primary" type="submit">
          Sign In
        </Button>
      </Form>
      <PasskeyForm purpose="use" action={loaderData.passkeyUrl}>
        <input type="hidden" name="sharedDevice" />
        <Button>Use a passkey</Button>
      </PasskeyForm>
      <PasskeyScript />
      <p>
        Don't have an account?{" "}
        <a href={loaderData.registerUrl} className="link-target">
          Create one here
        </a>
      </p>
      <p>
        <a href={loaderData.forgotPasswordUrl}>Forgot your password?</a>{" "}
        {loaderData.hasMail
          ? "We'll email you a link, or give you one by phone:"
          : "We'll give you a link over the phone:"}{" "}
        <a href={phoneHref(phone)}>{phone}</a>.
      </p>
      <p>
        <a href="/" className="link-target">
          Back to homepage
        </a>
      </p>
    </NarrowPage>
  );
}
