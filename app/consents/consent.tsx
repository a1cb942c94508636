import { Suspense } from "react";
import { Form, Link } from "react-router";
import { createFormErrorResponse } from "../accounts/form-error-response.server.ts";
import { requirePerson } from "../accounts/guards.server.ts";
import { fullName, type Person } from "../accounts/person.ts";
import { redirectWithFlash } from "../accounts/sessions/flash.server.ts";
import { getPossiblyRestrictedSession } from "../accounts/sessions/session.server.ts";
import { recordAuditRead } from "../audit/record-audit.server.ts";
import { requireRecentAuthentication } from "../accounts/step-up/recent-authentication.server.ts";
import { parseId } from "../http/field-schemas.ts";
import { fieldNames, parseForm, readNamedFormFields } from "../http/form.server.ts";
import "../ui/styles/print.css";
import { useSite } from "../practice/site.ts";
import { Button, LinkButton } from "../ui/button.tsx";
import { formatLongPlainDate } from "../ui/format-date-time.ts";
import { ErrorSummary } from "../ui/error-summary.tsx";
import { useServerValidatedForm } from "../ui/use-server-validated-form.ts";
import { lazyComponent } from "../ui/lazy-component.ts";
import { PageMeta } from "../ui/page-meta.tsx";
import { TextField } from "../ui/text-field.tsx";
import type { Route } from "./+types/consent";
import { CONSENTS_PATH, consentPath, signedConsentPath } from "./consent-paths.ts";
import { type SignConsentValues, signConsentSchema } from "./consent-schema.ts";
import {
  findConsentDocumentWithSignature,
  findConsentSignature,
  listConsentSignatures,
  signConsent,
} from "./consents.server.ts";
import { formatSignedConsent } from "./format-signed-consent.server.ts";
import { withdrawConsent } from "./withdraw-consent.server.ts";

/** Loaded on demand: most families read a text that they have not signed. */
const SignedPage = lazyComponent(async () => (await import("./signed-consent-page.tsx")).SignedConsentPage);
const WithdrawForm = lazyComponent(async () => (await import("./signed-consent-page.tsx")).WithdrawConsentForm);
const EarlierSignatures = lazyComponent(async () => (await import("./signed-consent-page.tsx")).EarlierSignatures);

const FORM_ERROR_OPTIONS = { title: "Not Signed" };

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const person = requirePerson(context);
  const found = await findConsentDocumentWithSignature(person, params.document);
  if (!found.ok) throw notFoundResponse(found.message);
  const { document, signed } = found.value;
  const { versions, ...offered } = document;
  const signature = url.searchParams.get("signature");
  const requestedSignature =
    signature === null ? null : await requireOwnConsentSignature(person, params.document, signature);
  const shown = requestedSignature ?? signed;
  if (shown)
    await recordAuditRead({ action: "consent-opened", familyId: person.id, objectType: "consent", objectId: shown.id });
  const signatures = (await listConsentSignatures(person, person.id)).filter(
    ({ documentId }) => documentId === document.id,
  );
  return {
    ...offered,
    offered: versions[0],
    versionDate: formatLongPlainDate(versions[0].version),
    ownName: fullName(person),
    isOutdated: signed !== null && signed.version !== versions[0].version,
    signed: signed && formatSignedConsent(signed),
    chosen: requestedSignature && formatSignedConsent(requestedSignature),
    earlier: signatures.filter(({ id }) => id !== signed?.id).map(formatSignedConsent),
  };
}

const notFoundResponse = (message: string) => new Response(message, { status: 404, statusText: "Not Found" });

/** Returns a signature of the document, active or not. Throws a response if the family has no such signature. */
async function requireOwnConsentSignature(person: Person, documentId: string, signature: string) {
  const found = await findConsentSignature(person, person.id, parseId(signature));
  if (!found.ok) throw notFoundResponse(found.message);
  if (found.value.documentId !== documentId) throw notFoundResponse("There is no such signature.");
  return found.value;
}

/** Signs the document, or withdraws the signature. */
export async function action({ context, params, request, url }: Route.ActionArgs) {
  const person = requirePerson(context);
  const form = await readNamedFormFields(request, [...fieldNames(signConsentSchema), "intent"]);
  await requireRecentAuthentication(context, { request, url, form });
  if (form.get("intent") === "withdraw") {
    const withdrawn = await withdrawConsent(person, params.document);
    if (!withdrawn.ok) throw notFoundResponse(withdrawn.message);
    const description = "It no longer counts. We have told the consultant.";
    return redirectWithFlash(context, CONSENTS_PATH, { title: "Taken back", description });
  }
  form.delete("intent");
  const submission = parseForm(form, signConsentSchema);
  if (submission.status !== "success") return createFormErrorResponse(context, submission, null, FORM_ERROR_OPTIONS);
  const signed = await signConsent(
    person,
    params.document,
    submission.value,
    getPossiblyRestrictedSession(context)?.sid,
  );
  if (!signed.ok && signed.reason === "notFound") throw notFoundResponse(signed.message);
  if (!signed.ok) return createFormErrorResponse(context, submission, signed, FORM_ERROR_OPTIONS);
  const description = "You can print it, or take it back, on this page.";
  return redirectWithFlash(context, consentPath(params.document), { title: "Signed", description });
}

/** Shows one document: the text that is offered or was signed. With `?signature=`, the text of that signature. */
export default function Consent({ loaderData: consent, actionData }: Route.ComponentProps) {
  const { id, chosen, signed, isOutdated, earlier } = consent;
  if (!chosen && (!signed || isOutdated)) return <OfferedConsentPage consent={consent} actionData={actionData} />;
  return (
    <Suspense>
      {chosen ? (
        <SignedPage id={id} signed={chosen} />
      ) : (
        signed && <SignedPage id={id} signed={signed} earlier={earlier} canWithdraw />
      )}
    </Suspense>
  );
}

type ConsentData = Route.ComponentProps["loaderData"];

function OfferedConsentPage({
  consent,
  actionData,
}: {
  consent: ConsentData;
  actionData: Route.ComponentProps["actionData"];
}) {
  const { practice } = useSite();
  const [form, fields] = useServerValidatedForm<Required<SignConsentValues>>({ lastResult: actionData?.result });
  const { id, title, signed, offered, earlier } = consent;
  return (
    <main id="main" tabIndex={-1} className="narrow-page">
      <PageMeta hasError={form.status === "error"}>{title}</PageMeta>
      <ErrorSummary form={form} notice={actionData?.notice} />
      <h1>{title}</h1>
      <p className="text-muted">
        {practice.name}. Text of {consent.versionDate}.
      </p>
      {offered.paragraphs.map((text) => (
        <p key={text}>{text}</p>
      ))}
      {signed && (
        <p role="note" className="notice">
          You signed an earlier text on {signed.signedOn}. It counts until you sign this one or take it back.{" "}
          <Link to={signedConsentPath(id, signed.id)}>Read or print what you signed</Link>
        </p>
      )}
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
      <Suspense>{earlier.length > 0 && <EarlierSignatures id={id} earlier={earlier} />}</Suspense>
      <div className="actions">
        <Suspense>{signed && <WithdrawForm />}</Suspense>
        <LinkButton to={CONSENTS_PATH}>All agreements</LinkButton>
      </div>
    </main>
  );
}
