import { useState } from "react";
import { Form, useLocation } from "react-router";
import { z } from "zod";
import { fieldNames, parseForm, readNamedFormFields } from "../../http/form.server.ts";
import { mailMode } from "../../mail/mail-transport.server.ts";
import { phoneHref } from "../../practice/site-links.ts";
import { useSite } from "../../practice/site.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { ErrorSummary } from "../../ui/error-summary.tsx";
import { useServerValidatedForm } from "../../ui/use-server-validated-form.ts";
import { PageMeta } from "../../ui/page-meta.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { NarrowPage } from "../narrow-page.tsx";
import { createFormErrorResponse } from "../form-error-response.server.ts";
import { requirePerson } from "../guards.server.ts";
import { type EmailValues, emailFieldsSchema } from "../account-schemas.ts";
import { redirectWithFlash } from "../sessions/flash.server.ts";
import { getReauthenticationSource } from "../sessions/session.server.ts";
import {
  requireReauthenticationForPage,
  confirmedFactorSince,
  consumeIdentityConfirmation,
} from "../step-up/recent-authentication.server.ts";
import type { Route } from "./+types/change-email";
import { findPendingEmailAddress, requestEmailChange } from "./change-email.server.ts";
import { canEndOwnUndoLinks, endOwnUndoLinks } from "./end-undo-links.server.ts";

const TITLE = "Change email address";
const PATH = "/change-email";
const FORM_ERROR_OPTIONS = { title: "No Email Sent" };
const NO_FIELDS = z.object({});
const END_UNDO_LINK = "end-undo-link";

export async function loader({ context, url }: Route.LoaderArgs) {
  const person = requirePerson(context);
  return {
    email: person.email,
    requested: await findPendingEmailAddress(person),
    isSent: url.searchParams.has("sent"),
    canEndUndoLink: await canEndOwnUndoLinks(person),
    hasMail: mailMode !== "none",
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readNamedFormFields(request, ["intent", ...fieldNames(emailFieldsSchema)]);
  const intent = form.get("intent");
  form.delete("intent");
  const submission = parseForm(form, emailFieldsSchema);
  if (intent === END_UNDO_LINK) {
    await requireReauthenticationForPage(context, { request, url, form: new FormData() });
    return endUndoLink(context);
  }
  if (submission.status !== "success") return createFormErrorResponse(context, submission, null, FORM_ERROR_OPTIONS);
  await requireReauthenticationForPage(context, { request, url, form });
  const outcome = await requestEmailChange(
    requirePerson(context),
    submission.value.email,
    getReauthenticationSource(context).sid,
  );
  if (!outcome.ok) return createFormErrorResponse(context, submission, outcome, FORM_ERROR_OPTIONS);
  await consumeIdentityConfirmation(context);
  return redirectWithFlash(context, `${PATH}?sent`, { title: "Check your new mailbox" });
}

async function endUndoLink(context: Route.ActionArgs["context"]) {
  const outcome = await endOwnUndoLinks(requirePerson(context), {
    sid: getReauthenticationSource(context).sid,
    factorSince: confirmedFactorSince(context, PATH),
  });
  // Also after a refusal: the person can then confirm with another factor.
  await consumeIdentityConfirmation(context);
  if (!outcome.ok)
    return createFormErrorResponse(context, parseForm(new FormData(), NO_FIELDS), outcome, { title: "Not Ended" });
  return redirectWithFlash(context, PATH, {
    title: "Link ended",
    description: "The link in your old mailbox no longer works.",
  });
}

/** Page that asks for the new address of the account. The link mailed to that address makes the change. */
export default function ChangeEmail({ loaderData, actionData }: Route.ComponentProps) {
  const { email, requested, isSent, canEndUndoLink, hasMail } = loaderData;
  const { key } = useLocation();
  const [sentKey, setSentKey] = useState(key);
  // `actionData` is null if there was no response: the field then keeps what was typed.
  if (actionData === undefined && sentKey !== key) setSentKey(key);
  const [form, fields] = useServerValidatedForm<EmailValues>({
    id: `change-email-${sentKey}`,
    lastResult: actionData?.result,
  });
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
      {canEndUndoLink !== null && <UndoLinkSection canEnd={canEndUndoLink} />}
      {back}
    </NarrowPage>
  );
}

/** Ends the link in the earlier mailbox, for a person who left it because others read it. */
function UndoLinkSection({ canEnd }: { canEnd: boolean }) {
  const { phone } = useSite().practice;
  return (
    <section aria-labelledby="undo-link">
      <h2 id="undo-link" className="text-xl">
        Does somebody else read your old mailbox?
      </h2>
      <p>The link that we emailed there can still take back the change, and with it your account.</p>
      <p>Did you not change the address? Then use that link instead, and don’t end it.</p>
      {canEnd ? (
        <Form method="post" action={PATH} noValidate>
          <p>
            To end it, confirm it’s you with the code of the authenticator app that you had before the change. We tell
            the old address that the link was ended.
          </p>
          <Button name="intent" value={END_UNDO_LINK} busyText="One moment…">
            End that link: the old mailbox isn’t mine anymore
          </Button>
        </Form>
      ) : (
        <p>
          Call us, and we end it: <a href={phoneHref(phone)}>{phone}</a>. You could do it here yourself if you had had
          an authenticator app for a week when the address changed: a thief with your password doesn’t have that.
        </p>
      )}
    </section>
  );
}
