import { useState } from "react";
import { Form, useLocation } from "react-router";
import { fieldNames, parseForm, readFormData } from "../../http/form.server.ts";
import { mailMode } from "../../mail/transport.server.ts";
import { phoneHref } from "../../practice/site-links.ts";
import { useSite } from "../../practice/site.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { ErrorSummary } from "../../ui/error-summary.tsx";
import { usePageForm } from "../../ui/page-form.ts";
import { PageMeta } from "../../ui/page-meta.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { NarrowPage } from "../narrow-page.tsx";
import { formError } from "../form-error.server.ts";
import { requirePerson } from "../guards.server.ts";
import { type EmailValues, emailFieldsSchema } from "../account-schemas.ts";
import { redirectWithFlash } from "../sessions/flash.server.ts";
import { getReauthenticationSource } from "../sessions/session.server.ts";
import {
  requireReauthenticationForPage,
  consumeIdentityConfirmation,
} from "../step-up/recent-authentication.server.ts";
import type { Route } from "./+types/change-email";
import { findRequestedEmail, requestEmailChange } from "./change-email.server.ts";

const TITLE = "Change email address";
const PATH = "/change-email";
const FORM_ERROR_OPTIONS = { title: "No Email Sent" };

export async function loader({ context, url }: Route.LoaderArgs) {
  const person = requirePerson(context);
  return {
    email: person.email,
    requested: await findRequestedEmail(person),
    isSent: url.searchParams.has("sent"),
    hasMail: mailMode !== "none",
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readFormData(request, fieldNames(emailFieldsSchema));
  const submission = parseForm(form, emailFieldsSchema);
  if (submission.status !== "success") return formError(context, submission, null, FORM_ERROR_OPTIONS);
  await requireReauthenticationForPage(context, { request, url, form });
  const outcome = await requestEmailChange(
    requirePerson(context),
    submission.value.email,
    getReauthenticationSource(context).sid,
  );
  if (!outcome.ok) return formError(context, submission, outcome, FORM_ERROR_OPTIONS);
  await consumeIdentityConfirmation(context);
  return redirectWithFlash(context, `${PATH}?sent`, { title: "Check your new mailbox" });
}

/** Page that asks for the new address of the account. The link mailed to that address makes the change. */
export default function ChangeEmail({ loaderData, actionData }: Route.ComponentProps) {
  const { email, requested, isSent, hasMail } = loaderData;
  const { key } = useLocation();
  const [sentKey, setSentKey] = useState(key);
  // `actionData` is null if there was no response: the field then keeps what was typed.
  if (actionData === undefined && sentKey !== key) setSentKey(key);
  const [form, fields] = usePageForm<EmailValues>({ id: `change-email-${sentKey}`, lastResult: actionData?.result });
  const { phone } = useSite().practice;
  const back = (
    <p>
      <a href="/dashboard/settings">Back to Account Settings</a>
    </p>
  );
  if (!hasMail)
    return (
      <NarrowPage heading={TITLE} lead="We can’t send mail right now, so the address can’t be changed here.">
        <PageMeta>{TITLE}</PageMeta>
        <LinkButton variant="primary" href={phoneHref(phone)}>
          Call {phone}
        </LinkButton>
        {back}
      </NarrowPage>
    );
  return (
    <NarrowPage
      heading={TITLE}
      lead="We'll email a link to your new address. Nothing changes until you open it and press the button."
      summary={<ErrorSummary form={form} notice={actionData?.notice} />}
    >
      <PageMeta hasError={form.status === "error"}>{TITLE}</PageMeta>
      {(requested ?? isSent) && (
        <div className="notice wrap-anywhere" role={isSent ? "status" : undefined}>
          <p>
            {requested ? (
              <>
                Please open the link that we emailed to <strong>{requested}</strong>.
              </>
            ) : (
              "Can’t find our email? Wait a day, or call us."
            )}
          </p>
          <p>It works for one hour. Nothing there? Check your spam folder, or ask again below.</p>
        </div>
      )}
      <p className="wrap-anywhere">
        Your email address now: <strong>{email}</strong>
      </p>
      {/* The key empties the field each time a link is mailed, as a page load would. */}
      <Form key={sentKey} method="post" action={PATH} noValidate>
        <TextField
          field={fields.email}
          label="New email address"
          hint="You sign in with it, and all our messages go there."
          type="email"
          autoComplete="email"
        />
        <Button variant="primary" busyText="One moment…">
          Email me a link
        </Button>
      </Form>
      <p>
        After the change your other devices are signed out. We'll tell your old address, too. If it was confirmed, a
        link there can undo the change for seven days.
      </p>
      {back}
    </NarrowPage>
  );
}
