import { useForm } from "@conform-to/react";
import { Form, redirectDocument } from "react-router";
import { clientIpContext, nodeRequestContext } from "../http/request-context.server.ts";
import { createFailureHandler } from "../http/errors.server.ts";
import { fieldNames, parseForm, readNamedFormFields } from "../http/form.server.ts";
import {
  appendAccountDestination,
  chosenServiceFromUrl,
  resolveSignInDestination,
} from "../practice/account-destination.ts";
import { ACCOUNT_REQUIRED_MESSAGE } from "../practice/site-content.ts";
import { Button } from "../ui/button.tsx";
import { ErrorSummary } from "../ui/error-summary.tsx";
import type { PageHandle } from "../ui/page-handle.ts";
import { PageMeta } from "../ui/page-meta.tsx";
import { TextField } from "../ui/text-field.tsx";
import type { Route } from "./+types/register";
import { EMAIL_TAKEN_MESSAGE } from "./email/email-taken-message.ts";
import { questionLikelyEmailTypo } from "./email/email-typo.server.ts";
import { QUESTIONED_EMAIL_FIELD, QuestionedEmailField } from "./email/questioned-email-field.tsx";
import { NarrowPage } from "./narrow-page.tsx";
import { getPerson } from "./guards.server.ts";
import { PHONE_PATTERN } from "./person.ts";
import { sanitizeRedirectPath, parseSignInRedirect } from "./sign-in/redirect-target.server.ts";
import { NewPasswordFields } from "./passwords/new-password-fields.tsx";
import { registerFamilyAccount } from "./registration.server.ts";
import { createFormErrorResponse, type FormErrorOptions } from "./form-error-response.server.ts";
import { createFlash } from "./sessions/flash.server.ts";
import { startSession } from "./sessions/session.server.ts";
import { SharedDeviceField } from "./sessions/shared-device-field.tsx";
import { registrationFormSchema, type RegistrationForm } from "./account-schemas.ts";
import { TermsAgreement } from "./terms-agreement.tsx";

export const handle: PageHandle = { unhydrated: true, cache: true };

export function loader({ context, url }: Route.LoaderArgs) {
  const { redirectTo, service } = parseSignInRedirect(url);
  if (getPerson(context)) throw redirectDocument(resolveSignInDestination(redirectTo, service));
  return {
    fromBooking: url.searchParams.get("from") === "booking",
    service,
    loginUrl: appendAccountDestination("/login", { redirectTo, service }),
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readNamedFormFields(request, [...fieldNames(registrationFormSchema), QUESTIONED_EMAIL_FIELD]);
  const submission = parseForm(form, registrationFormSchema);
  const question = questionLikelyEmailTypo(form, BUTTON_LABEL);
  if (submission.status !== "success" || question)
    return createFormErrorResponse(context, submission, question, FORM_ERROR_OPTIONS);
  const account = await registerFamilyAccount(submission.value, context.get(clientIpContext)).catch(
    createFailureHandler("An error occurred during registration.", "registration", context.get(nodeRequestContext)),
  );
  if (!account.ok) return createFormErrorResponse(context, submission, account, FORM_ERROR_OPTIONS);
  await startSession(context, account.value, {
    notices: [createFlash({ title: "Account Created!" })],
    isFirst: true,
    isShared: submission.value.sharedDevice === true,
    chosenService: chosenServiceFromUrl(url),
  });
  return redirectDocument(sanitizeRedirectPath(url.searchParams.get("redirectTo")));
}

const BUTTON_LABEL = "Create Account";
const FORM_ERROR_OPTIONS = {
  title: "Registration Failed",
  hiddenFields: ["password", "confirmPassword"],
} satisfies FormErrorOptions;

export default function Register({ loaderData, actionData }: Route.ComponentProps) {
  const [form, fields] = useForm<RegistrationForm>({ lastResult: actionData?.result });
  return (
    <NarrowPage
      heading="Create Account"
      lead="One account for your family: appointments, documents and your intake form in one private place."
      summary={<ErrorSummary form={form} notice={actionData?.notice} />}
    >
      <PageMeta
        hasError={form.status === "error"}
        description="Create your family's account to book appointments and keep documents in one private place."
      >
        Create Account
      </PageMeta>
      {form.errors?.includes(EMAIL_TAKEN_MESSAGE) && (
        <p className="mb-6">
          <a href={loaderData.loginUrl} className="link-target">
            Sign in
          </a>
        </p>
      )}
      {loaderData.fromBooking && (
        <p role="note" className="notice">
          {ACCOUNT_REQUIRED_MESSAGE}
        </p>
      )}
      {loaderData.service && (
        <p>We saved your choice, {loaderData.service}. You can continue with it right after this.</p>
      )}
      <Form method="post" noValidate>
        <TextField field={fields.firstName} label="First Name" autoComplete="given-name" />
        <TextField field={fields.lastName} label="Last Name" autoComplete="family-name" />
        <TextField field={fields.email} label="Email" type="email" autoComplete="email" />
        <QuestionedEmailField email={fields.email} lastResult={actionData?.result} />
        <TextField field={fields.phone} label="Phone" optional type="tel" autoComplete="tel" pattern={PHONE_PATTERN} />
        <NewPasswordFields
          password={fields.password}
          confirmation={fields.confirmPassword}
          label="Password"
          isRefused={form.status === "error"}
        />
        <SharedDeviceField field={fields.sharedDevice} />
        <TermsAgreement />
        <Button variant="primary" type="submit">
          {BUTTON_LABEL}
        </Button>
      </Form>
      <p>
        Already have an account?{" "}
        <a href={loaderData.loginUrl} className="link-target">
          Sign in here
        </a>
      </p>
      <p>
        <a href="/" className="link-target">
          Back to homepage
        </a>
      </p>
    </NarrowPage>
  );
}
