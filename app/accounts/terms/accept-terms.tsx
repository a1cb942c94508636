import { Form } from "react-router";
import { z } from "zod";
import { readForm } from "../../http/form.server.ts";
import { requiredSingleLine } from "../../http/field-schemas.ts";
import { TERMS_VERSION } from "../../practice/site-content.ts";
import { Button } from "../../ui/button.tsx";
import { formatLongPlainDate } from "../../ui/format-date-time.ts";
import { ErrorSummary } from "../../ui/error-summary.tsx";
import { useServerValidatedForm } from "../../ui/use-server-validated-form.ts";
import { PageMeta } from "../../ui/page-meta.tsx";
import { createFormErrorResponse } from "../form-error-response.server.ts";
import { requirePerson } from "../guards.server.ts";
import { redirectWithFlash } from "../sessions/flash.server.ts";
import type { Route } from "./+types/accept-terms";
import { acceptTerms } from "./accept-terms.server.ts";

const TITLE = "Our terms and privacy policy";

export function loader() {
  return { version: TERMS_VERSION, since: formatLongPlainDate(TERMS_VERSION) };
}

export async function action({ request, context }: Route.ActionArgs) {
  const formErrorOptions = { title: "Not Saved" };
  const schema = z.object({ version: requiredSingleLine("The version", 20, "Please read the terms, then agree.") });
  const submission = await readForm(request, schema);
  if (submission.status !== "success") return createFormErrorResponse(context, submission, null, formErrorOptions);
  const outcome = await acceptTerms(requirePerson(context), submission.value.version);
  if (!outcome.ok) return createFormErrorResponse(context, submission, outcome, formErrorOptions);
  return redirectWithFlash(context, "/dashboard", {
    title: "Thank you",
    description: "We've recorded that you agree.",
  });
}

/** Page that asks a family that accepted earlier terms to accept the current ones. */
export default function AcceptTerms({ loaderData: { version, since }, actionData }: Route.ComponentProps) {
  const [form] = useServerValidatedForm({ lastResult: actionData?.result });
  return (
    <main id="main" tabIndex={-1} className="narrow-page">
      <PageMeta hasError={form.status === "error"}>{TITLE}</PageMeta>
      <ErrorSummary form={form} notice={actionData?.notice} />
      <h1>{TITLE}</h1>
      <p>
        These are the versions in effect since {since}. Please read them: the{" "}
        <a href="/terms-of-service">terms of service</a> and the <a href="/privacy-policy">privacy policy</a>.
      </p>
      <p>
        Don't agree? Call us, and we'll talk it over. You can also download everything we hold about you, or delete your
        account, under Account Settings.
      </p>
      <Form method="post">
        <input type="hidden" name="version" value={version} />
        <Button variant="primary" busyText="Saving…">
          I have read them and agree
        </Button>
      </Form>
    </main>
  );
}
