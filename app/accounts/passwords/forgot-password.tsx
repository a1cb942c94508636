import { useForm } from "@conform-to/react";
import { Form } from "react-router";
import { clientIpContext } from "../../http/request-context.server.ts";
import { readForm } from "../../http/form.server.ts";
import { mailMode } from "../../mail/mail-transport.server.ts";
import { appendAccountDestination } from "../../practice/account-destination.ts";
import { phoneHref } from "../../practice/site-links.ts";
import { useSite } from "../../practice/site.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { ErrorSummary } from "../../ui/error-summary.tsx";
import type { PageHandle } from "../../ui/page-handle.ts";
import { PageMeta } from "../../ui/page-meta.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { NarrowPage } from "../narrow-page.tsx";
import { createFormErrorResponse } from "../form-error-response.server.ts";
import { parseSignInRedirect } from "../sign-in/redirect-target.server.ts";
import { emailFieldsSchema, type EmailValues } from "../account-schemas.ts";
import type { Route } from "./+types/forgot-password";
import { requestResetLink } from "./request-reset-link.server.ts";

export const handle: PageHandle = { unhydrated: true, cache: true };

export function loader({ url }: Route.LoaderArgs) {
  return { hasMail: mailMode !== "none", loginUrl: appendAccountDestination("/login", parseSignInRedirect(url)) };
}

export async function action({ request, context }: Route.ActionArgs) {
  const submission = await readForm(request, emailFieldsSchema);
  const outcome =
    submission.status === "success"
      ? await requestResetLink(submission.value.email, context.get(clientIpContext))
      : null;
  if (!outcome?.ok) return createFormErrorResponse(context, submission, outcome, { title: "No Email Sent" });

  return { sent: outcome.value.message, result: null, notice: undefined };
}

export default function ForgotPassword({ loaderData, actionData }: Route.ComponentProps) {
  const [form, fields] = useForm<EmailValues>({ lastResult: actionData?.result });
  const { phone } = useSite().practice;
  const callInstruction = (
    <p>
      You can always call us: <a href={phoneHref(phone)}>{phone}</a>. We'll give you a link over the phone.
    </p>
  );
  const consultantInstruction = (
    <p className="hint">Are you the consultant? The person who runs this site sets your password.</p>
  );
  const back = (
    <p>
      <a href={loaderData.loginUrl} className="link-target">
        Back to sign in
      </a>
    </p>
  );
  if (!loaderData.hasMail)
    return (
      <NarrowPage heading="Forgot your password?" lead="Please call us. We'll give you a link over the phone.">
        <PageMeta description="Call us for a link to choose a new password for your family's account.">
          Forgot your password?
        </PageMeta>
        <LinkButton variant="primary" href={phoneHref(phone)}>
          Call {phone}
        </LinkButton>
        {consultantInstruction}
        {back}
      </NarrowPage>
    );
  if (actionData && "sent" in actionData)
    return (
      <NarrowPage heading="Check your email" lead={actionData.sent}>
        <PageMeta>Check your email</PageMeta>
        {callInstruction}
        {back}
      </NarrowPage>
    );
  return (
    <NarrowPage
      heading="Forgot your password?"
      lead="Type the email address of your account. We'll email you a link to choose a new password."
      summary={<ErrorSummary form={form} notice={actionData?.notice} />}
    >
      <PageMeta
        hasError={form.status === "error"}
        description="Get a link by email to choose a new password for your family's account."
      >
        Forgot your password?
      </PageMeta>
      <Form method="post" noValidate>
        <TextField field={fields.email} label="Email" type="email" autoComplete="email" />
        <Button variant="primary" type="submit">
          Email me a link
        </Button>
      </Form>
      {callInstruction}
      {consultantInstruction}
      {back}
    </NarrowPage>
  );
}
