import { useForm } from "@conform-to/react";
import { redirectDocument } from "react-router";
import { clientIpContext } from "../../http/request-context.server.ts";
import { readForm } from "../../http/form.server.ts";
import { appendAccountDestination, chosenServiceFromUrl } from "../../practice/account-destination.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorSummary } from "../../ui/error-summary.tsx";
import type { PageHandle } from "../../ui/page-handle.ts";
import { PageMeta } from "../../ui/page-meta.tsx";
import { NarrowPage } from "../narrow-page.tsx";
import { createFormErrorResponse } from "../form-error-response.server.ts";
import { getPerson, resolveSignInRedirect } from "../guards.server.ts";
import { parseSignInRedirect } from "../sign-in/redirect-target.server.ts";
import { parseKnownDeviceCookie } from "../known-device.server.ts";
import { WELCOME_NOTICE } from "../login.tsx";
import { expiredPendingSignInCookie } from "../second-factor/pending-sign-in.server.ts";
import { appendCookie } from "../sessions/session.server.ts";
import { createPasswordChangePathIfWeak } from "../sign-in/sign-in.server.ts";
import type { Route } from "./+types/sign-in-with-passkey";
import { completePasskeySignIn } from "./complete-passkey-sign-in.server.ts";
import { assertionSchema } from "./passkey-credential-schemas.ts";
import { PasskeyForm, PasskeyScript } from "./passkey-form.tsx";
import { verifyPasskeySignIn } from "./verify-passkey.server.ts";

export const handle: PageHandle = { unhydrated: true };

const TITLE = "Sign in with a passkey";
const FORM_ERROR_OPTIONS = { title: "Login Failed", hiddenFields: ["credential"] };

export async function loader({ context, url }: Route.LoaderArgs) {
  const signInRedirect = parseSignInRedirect(url);
  if (getPerson(context)) throw redirectDocument(signInRedirect.redirectTo);
  return {
    ownPath: appendAccountDestination("/login/passkey", signInRedirect),
    passwordPath: appendAccountDestination("/login", signInRedirect),
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const submission = await readForm(request, assertionSchema);
  if (submission.status !== "success") return createFormErrorResponse(context, submission, null, FORM_ERROR_OPTIONS);
  const { credential, sharedDevice } = submission.value;
  const cookieHeader = request.headers.get("cookie");
  const source = { ip: context.get(clientIpContext), device: await parseKnownDeviceCookie(cookieHeader) };
  const verified = await verifyPasskeySignIn(credential, cookieHeader, source);
  const change = verified.ok ? await createPasswordChangePathIfWeak(verified.value) : null;
  if (change?.ok) {
    appendCookie(context, await expiredPendingSignInCookie());
    return redirectDocument(change.value);
  }
  const options = { cookieHeader, notice: WELCOME_NOTICE, sharedDevice, service: chosenServiceFromUrl(url) };
  const result = change ?? (verified.ok ? await completePasskeySignIn(context, verified.value, options) : verified);
  if (!result.ok) return createFormErrorResponse(context, submission, result, FORM_ERROR_OPTIONS);
  return redirectDocument(resolveSignInRedirect(context, url.searchParams.get("redirectTo")));
}

/** Page to which the sign-in page posts its passkey, and on which a refused passkey can be tried again. */
export default function SignInWithPasskey({ loaderData, actionData }: Route.ComponentProps) {
  const [form] = useForm({ lastResult: actionData?.result });
  return (
    <NarrowPage
      heading={TITLE}
      lead="Your device asks for your fingerprint, your face or its PIN."
      summary={<ErrorSummary form={form} notice={actionData?.notice} />}
    >
      <PageMeta hasError={form.status === "error"} description="Sign in to your family's account with a passkey.">
        {TITLE}
      </PageMeta>
      <div>
        <p data-without-passkeys>This browser can't use passkeys here.</p>
        <PasskeyForm purpose="use" action={loaderData.ownPath}>
          <label className="choice">
            <input type="checkbox" name="sharedDevice" value="on" />
            <span>This is not my device</span>
          </label>
          <Button variant="primary">Use a passkey</Button>
        </PasskeyForm>
      </div>
      <p>
        <a href={loaderData.passwordPath}>Sign in with your password</a>
      </p>
      <PasskeyScript />
    </NarrowPage>
  );
}
