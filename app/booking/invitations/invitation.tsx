import { useForm } from "@conform-to/react";
import { data, Form, redirectDocument } from "react-router";
import { NarrowPage } from "../../accounts/narrow-page.tsx";
import { BrokenLinkPage } from "../../accounts/links/broken-link-page.tsx";
import { createFormErrorResponse, type FormErrorOptions } from "../../accounts/form-error-response.server.ts";
import { getPerson } from "../../accounts/guards.server.ts";
import { PHONE_PATTERN } from "../../accounts/person.ts";
import { NewPasswordFields } from "../../accounts/passwords/new-password-fields.tsx";
import { type InvitedRegistrationValues, invitedRegistrationSchema } from "../../accounts/account-schemas.ts";
import { createFlash } from "../../accounts/sessions/flash.server.ts";
import { setRetryAfter, startSession } from "../../accounts/sessions/session.server.ts";
import { clientIpContext, nodeRequestContext } from "../../http/request-context.server.ts";
import { createFailureHandler } from "../../http/errors.server.ts";
import { readForm } from "../../http/form.server.ts";
import { HTTP_STATUS } from "../../http/outcome.ts";
import { formatPracticeDateTime } from "../../practice/format-practice-date-time.server.ts";
import { useSite } from "../../practice/site.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { ErrorSummary } from "../../ui/error-summary.tsx";
import type { PageHandle } from "../../ui/page-handle.ts";
import { PageMeta } from "../../ui/page-meta.tsx";
import { TextField } from "../../ui/text-field.tsx";
import type { Route } from "./+types/invitation";
import { BOOKING_INTAKE_PATH, claimPath, invitationPath } from "../appointment-paths.ts";
import { acceptInvitation, checkInvitation } from "./accept-invitation.server.ts";
import { SharedDeviceField } from "../../accounts/sessions/shared-device-field.tsx";
import { TermsAgreement } from "../../accounts/terms-agreement.tsx";

export const handle: PageHandle = { unhydrated: true };

/** Changes nothing, because mail programs open links automatically. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const link = await checkInvitation(params.token, context.get(clientIpContext));
  if (!link.ok) {
    setRetryAfter(context, link.retryAfterSeconds);
    return data({ refusal: link.message, invited: null }, { status: HTTP_STATUS[link.reason] });
  }
  const { expiresAt, hasVisit, ...invited } = link.value;
  const isSignedIn = getPerson(context) !== null;
  const visitPath = hasVisit ? claimPath(params.token) : null;
  return data({
    refusal: null,
    invited: { ...invited, until: formatPracticeDateTime(expiresAt), isSignedIn, visitPath },
  });
}

export async function action({ request, params, context }: Route.ActionArgs) {
  // A signed-in person already has an account. The page then explains what to do.
  if (getPerson(context)) return redirectDocument(invitationPath(params.token));
  const submission = await readForm(request, invitedRegistrationSchema);
  if (submission.status !== "success") return createFormErrorResponse(context, submission, null, FORM_ERROR_OPTIONS);
  const accepted = await acceptInvitation(params.token, submission.value, context.get(clientIpContext)).catch(
    createFailureHandler("An error occurred during registration.", "invitation", context.get(nodeRequestContext)),
  );
  if (!accepted.ok) return createFormErrorResponse(context, submission, accepted, FORM_ERROR_OPTIONS);
  const { account, hasVisit } = accepted.value;
  const nextStep = "Please tell us about your child next. You can stop at any step and continue later.";
  const description = hasVisit ? `Your visit is in it. ${nextStep}` : nextStep;
  await startSession(context, account, {
    notices: [createFlash({ title: "Account Created!", description })],
    isFirst: true,
    isShared: submission.value.sharedDevice === true,
  });
  return redirectDocument(BOOKING_INTAKE_PATH);
}

const FORM_ERROR_OPTIONS = {
  title: "Registration Failed",
  hiddenFields: ["password", "confirmPassword"],
} satisfies FormErrorOptions;

const TITLE = "Open your family's account";

export default function Invitation({ loaderData, actionData }: Route.ComponentProps) {
  const { invited } = loaderData;
  if (!invited) return <BrokenLinkPage title="This invitation no longer works" reason={loaderData.refusal} />;
  return invited.isSignedIn || invited.hasAccount ? (
    <ExistingAccountNotice {...invited} />
  ) : (
    <InvitationRegistrationForm invited={invited} actionData={actionData} />
  );
}

type Invited = NonNullable<Route.ComponentProps["loaderData"]["invited"]>;

function ExistingAccountNotice({ email, isSignedIn, visitPath, isVisitCancelled }: Invited) {
  const { person } = useSite();
  const nextPath = visitPath ?? "/dashboard";
  return (
    <NarrowPage heading="You already have an account" lead="Invitations are for families who don't have one yet.">
      <PageMeta>You already have an account</PageMeta>
      {isVisitCancelled && <p className="notice">Your visit was canceled. You can book a new one in your account.</p>}
      {isSignedIn ? (
        <p>
          You are signed in as <span className="wrap-anywhere">{person?.email}</span>.
          {person?.email !== email && (
            <>
              {" "}
              The invitation is for <span className="wrap-anywhere">{email}</span>. If you want an account with that
              address, sign out first and open the link again.
            </>
          )}
        </p>
      ) : (
        <p>
          There is an account with the address <span className="wrap-anywhere">{email}</span>. Please sign in to it.
        </p>
      )}
      {isSignedIn ? (
        <LinkButton variant="primary" href={nextPath}>
          {visitPath ? "Add the visit to this account" : "Go to your dashboard"}
        </LinkButton>
      ) : (
        <LinkButton variant="primary" href={`/login?redirectTo=${encodeURIComponent(nextPath)}`}>
          {visitPath ? "Sign in and add the visit" : "Sign in"}
        </LinkButton>
      )}
      {!isSignedIn && (
        <p>
          <a href="/forgot-password">I forgot my password</a>
        </p>
      )}
    </NarrowPage>
  );
}

type NewAccountProps = { invited: Invited; actionData: Route.ComponentProps["actionData"] };

function InvitationRegistrationForm({ invited, actionData }: NewAccountProps) {
  const { practice } = useSite();
  const { firstName, lastName, email, until, visitPath, isVisitCancelled } = invited;
  const [form, fields] = useForm<InvitedRegistrationValues>({
    lastResult: actionData?.result,
    defaultValue: { firstName, lastName },
  });
  return (
    <NarrowPage
      heading={TITLE}
      lead={`${practice.name} invites you. One account for your family: visits, papers and your intake form in one private place.`}
      summary={<ErrorSummary form={form} notice={actionData?.notice} />}
    >
      <PageMeta hasError={form.status === "error"}>{TITLE}</PageMeta>
      {visitPath && <p className="notice">A visit is waiting for you. It will be in your account.</p>}
      {isVisitCancelled && (
        <p className="notice">Your visit was canceled. You can still open your account and book a new one.</p>
      )}
      <p>
        You will sign in with <strong className="wrap-anywhere">{email}</strong>. This link works once, until {until}.
      </p>
      <Form method="post" noValidate>
        <TextField field={fields.firstName} label="First Name" autoComplete="given-name" />
        <TextField field={fields.lastName} label="Last Name" autoComplete="family-name" />
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
          Create Account
        </Button>
      </Form>
    </NarrowPage>
  );
}
