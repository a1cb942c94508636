import { Form } from "react-router";
import { formError } from "../accounts/form-error.server.ts";
import { requirePerson } from "../accounts/guards.server.ts";
import { fullName } from "../accounts/person.ts";
import { redirectWithFlash } from "../accounts/sessions/flash.server.ts";
import { getSession } from "../accounts/sessions/session.server.ts";
import { requireRecentAuthentication } from "../accounts/step-up/recent-authentication.server.ts";
import { fieldNames, parseForm, readFormData } from "../http/form.server.ts";
import "../ui/styles/print.css";
import { formatPracticeTime } from "../practice/format-time.server.ts";
import { useSite } from "../practice/site.ts";
import { Button, LinkButton } from "../ui/button.tsx";
import { formatLongDay } from "../ui/dates.ts";
import { ErrorSummary } from "../ui/error-summary.tsx";
import { usePageForm } from "../ui/page-form.ts";
import { PageMeta } from "../ui/page-meta.tsx";
import { TextField } from "../ui/text-field.tsx";
import type { Route } from "./+types/consent";
import { CONSENTS_PATH, consentPath } from "./paths.ts";
import { type SignConsentFields, signConsentSchema } from "./consent-schema.ts";
import { findConsent, signConsent } from "./consents.server.ts";
import { SignatureDetails } from "./signature-details.tsx";
import { withdrawConsent } from "./withdraw-consent.server.ts";

const NOT_SIGNED = { title: "Not Signed" };

export async function loader({ context, params }: Route.LoaderArgs) {
  const person = requirePerson(context);
  const found = await findConsent(person, params.document);
  if (!found.ok) throw new Response(found.message, { status: 404, statusText: "Not Found" });
  const { document, signed } = found.value;
  const { versions, ...shown } = document;
  const isOutdated = signed !== null && signed.version !== versions[0].version;
  return {
    ...shown,
    offered: versions[0],
    since: formatLongDay(versions[0].version),
    ownName: fullName(person),
    isOutdated,
    signed: signed && {
      name: signed.signedName,
      details: signed.details,
      signedOn: formatPracticeTime(signed.signedAt),
      endsOn: signed.endsAt && formatPracticeTime(signed.endsAt),
      version: formatLongDay(signed.version),
      paragraphs: signed.paragraphs,
    },
  };
}

/** Signs the document, or withdraws the signature. */
export async function action({ context, params, request, url }: Route.ActionArgs) {
  const person = requirePerson(context);
  const form = await readFormData(request, [...fieldNames(signConsentSchema), "intent"]);
  await requireRecentAuthentication(context, { request, url, form });
  if (form.get("intent") === "withdraw") {
    const withdrawn = await withdrawConsent(person, params.document);
    if (!withdrawn.ok) throw new Response(withdrawn.message, { status: 404, statusText: "Not Found" });
    const description = "It does not count any more. We have told the consultant.";
    return redirectWithFlash(context, CONSENTS_PATH, { title: "Taken back", description });
  }
  form.delete("intent");
  const submission = parseForm(form, signConsentSchema);
  if (submission.status !== "success") return formError(context, submission, null, NOT_SIGNED);
  const signed = await signConsent(person, params.document, submission.value, getSession(context)?.sid);
  if (!signed.ok && signed.reason === "notFound")
    throw new Response(signed.message, { status: 404, statusText: "Not Found" });
  if (!signed.ok) return formError(context, submission, signed, NOT_SIGNED);
  const description = "You can print it, or take it back, on this page.";
  return redirectWithFlash(context, consentPath(params.document), { title: "Signed", description });
}

/** Shows one document: its text and its signature. */
export default function Consent({ loaderData: consent, actionData }: Route.ComponentProps) {
  const { practice } = useSite();
  const [form, fields] = usePageForm<Required<SignConsentFields>>({ lastResult: actionData?.result });
  const { title, signed, offered, isOutdated } = consent;
  const paragraphs = signed && !isOutdated ? signed.paragraphs : offered.paragraphs;
  return (
    <main id="main" tabIndex={-1} className="narrow-page">
      <PageMeta hasError={form.status === "error"}>{title}</PageMeta>
      <ErrorSummary form={form} notice={actionData?.notice} />
      <div data-print className="grid gap-4">
        <h1>{title}</h1>
        <p className="text-muted">
          {practice.name}. Text of {consent.since}.
        </p>
        {paragraphs.map((text) => (
          <p key={text}>{text}</p>
        ))}
        {signed && !isOutdated && <SignatureDetails signed={signed} detailsLabel={consent.detailsLabel} />}
      </div>
      {signed && isOutdated && (
        <p role="note" className="notice">
          You signed an earlier text on {signed.signedOn}. It counts until you sign this one or take it back.
        </p>
      )}
      {(!signed || isOutdated) && (
        <Form method="post" noValidate>
          <input type="hidden" name="version" value={offered.version} />
          {consent.detailsLabel && (
            <TextField field={fields.details} label={consent.detailsLabel} hint={consent.detailsHint} rows={3} />
          )}
          <TextField
            field={fields.signedName}
            label="Sign with your full name"
            hint={`Type it as in your account: ${consent.ownName}.`}
            autoComplete="name"
          />
          <Button name="intent" value="sign" variant="primary" busyText="Signing…">
            I have read it and agree
          </Button>
        </Form>
      )}
      <div className="actions">
        {signed && (
          <>
            <Button type="button" className="scripted" onClick={() => window.print()}>
              Print
            </Button>
            <Form method="post" className="contents">
              <Button name="intent" value="withdraw" variant="danger" busyText="Taking back…">
                Take it back
              </Button>
            </Form>
          </>
        )}
        <LinkButton to={CONSENTS_PATH}>All agreements</LinkButton>
      </div>
    </main>
  );
}
