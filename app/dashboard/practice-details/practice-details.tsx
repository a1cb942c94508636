import { Form } from "react-router";
import { createFormErrorResponse, type FormErrorOptions } from "../../accounts/form-error-response.server.ts";
import { requirePerson } from "../../accounts/guards.server.ts";
import { redirectWithFlash } from "../../accounts/sessions/flash.server.ts";
import { countPracticePlaceRecipients, type PlaceAudience } from "../../booking/place/practice-place.server.ts";
import { formatCountWithNoun } from "../../format-count-with-noun.ts";
import { fieldNames, parseForm, readNamedFormFields } from "../../http/form.server.ts";
import { requireRecentAuthentication } from "../../accounts/step-up/recent-authentication.server.ts";
import { cachedPracticeDetails } from "../../practice/practice-details.server.ts";
import { PRACTICE_DETAILS_PATH } from "../../practice/site-links.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorSummary } from "../../ui/error-summary.tsx";
import { useServerValidatedForm } from "../../ui/use-server-validated-form.ts";
import { PageMeta } from "../../ui/page-meta.tsx";
import { TextField } from "../../ui/text-field.tsx";
import type { Route } from "./+types/practice-details";
import { practiceDetailsSchema } from "./practice-details-schema.ts";
import { setPracticeDetailsAndNotify } from "./set-practice-details-and-notify.server.ts";

const TITLE = "Address and tax number";
const FORM_ERROR_OPTIONS = { title: "Nothing was changed" } satisfies FormErrorOptions;

export async function loader({ context }: Route.LoaderArgs) {
  const { address, taxId, meetingPlace } = cachedPracticeDetails();
  const audience = audienceText(await countPracticePlaceRecipients(requirePerson(context)));
  return {
    details: { address: address ?? "", taxId: taxId ?? "", meetingPlace: meetingPlace ?? "" },
    consequence: audience === null ? "" : ` If you change it, ${audience}.`,
  };
}

export async function action({ context, request, url }: Route.ActionArgs) {
  const form = await readNamedFormFields(request, fieldNames(practiceDetailsSchema));
  const submission = parseForm(form, practiceDetailsSchema);
  if (submission.status !== "success") return createFormErrorResponse(context, submission, null, FORM_ERROR_OPTIONS);
  await requireRecentAuthentication(context, { request, url, form });
  const audience = audienceText(await setPracticeDetailsAndNotify(requirePerson(context), submission.value));
  return redirectWithFlash(context, PRACTICE_DETAILS_PATH, {
    title: "Saved",
    description: `Invoices, receipts and messages show it from now on.${audience === null ? "" : ` About the place, ${audience}.`}`,
  });
}

/** Returns who is told of a new place, as a part of a sentence; null if nobody is. */
function audienceText({ families, peopleWithoutAccount }: PlaceAudience): string | null {
  const familiesText = `${formatCountWithNoun(families, "family", "families")} ${families === 1 ? "gets" : "get"} a message`;
  const peopleText = `please tell ${formatCountWithNoun(peopleWithoutAccount, "person", "people")} without an account`;
  return (
    [...(families > 0 ? [familiesText] : []), ...(peopleWithoutAccount > 0 ? [peopleText] : [])].join("; ") || null
  );
}

/** Edits the practice's details on invoices and receipts, and the place of in-person visits. */
export default function PracticeDetailsPage({ loaderData, actionData }: Route.ComponentProps) {
  const [form, fields] = useServerValidatedForm<Route.ComponentProps["loaderData"]["details"]>({
    lastResult: actionData?.result,
    defaultValue: loaderData.details,
  });
  return (
    <main id="main" tabIndex={-1} className="page">
      <PageMeta hasError={form.status === "error"}>{TITLE}</PageMeta>
      <ErrorSummary form={form} notice={actionData?.notice} />
      <h1>{TITLE}</h1>
      <Form method="post" id={form.id} noValidate className="grid max-w-2xl gap-6">
        <TextField
          field={fields.address}
          label="Address of the practice"
          hint="On invoices and receipts, for insurers. One line, such as 12 Broad Street, Long Branch, NJ 07740."
          maxLength={200}
          optional
        />
        <TextField
          field={fields.taxId}
          label="Tax number (EIN)"
          hint="On invoices and receipts, such as 12-3456789."
          maxLength={20}
          optional
        />
        <TextField
          field={fields.meetingPlace}
          label="Place of visits in person"
          hint={`Families read it in their messages and calendars. Leave it empty to agree on a place with each family.${loaderData.consequence}`}
          maxLength={200}
          optional
        />
        <Button variant="primary" busyText="Saving…" className="justify-self-start">
          Save
        </Button>
      </Form>
    </main>
  );
}
