import { Form } from "react-router";
import { createFormErrorResponse, type FormErrorOptions } from "../../accounts/form-error-response.server.ts";
import { requirePerson } from "../../accounts/guards.server.ts";
import { redirectWithFlash } from "../../accounts/sessions/flash.server.ts";
import { requireRecentAuthentication } from "../../accounts/step-up/recent-authentication.server.ts";
import { readFormWithFile } from "../../http/form.server.ts";
import { cachedConsultantProfile } from "../../practice/consultant-profile.server.ts";
import { Button } from "../../ui/button.tsx";
import { CheckboxField } from "../../ui/checkbox-field.tsx";
import { ErrorSummary } from "../../ui/error-summary.tsx";
import { FormAutosave } from "../../ui/form-autosave/form-autosave.tsx";
import { useServerValidatedForm } from "../../ui/use-server-validated-form.ts";
import { PageMeta } from "../../ui/page-meta.tsx";
import { TextField } from "../../ui/text-field.tsx";
import type { Route } from "./+types/consultant-profile";
import { PortraitField } from "./portrait-field.tsx";
import { consultantProfileSchema } from "./consultant-profile-schema.ts";
import { setConsultantProfile } from "./set-consultant-profile.server.ts";
import "../../practice/consultant-introduction.css";

const TITLE = "About you";
const PATH = "/consultant-profile";
const FORM_ERROR_OPTIONS = { title: "Nothing was changed" } satisfies FormErrorOptions;

export function loader() {
  const { name = "", bio = "", license = "", portrait = null } = cachedConsultantProfile() ?? {};
  return { values: { name, bio, license }, portrait };
}

export async function action({ context, request, url }: Route.ActionArgs) {
  const { submission, fields, file } = await readFormWithFile(request, consultantProfileSchema, "portrait");
  if (submission.status !== "success") return createFormErrorResponse(context, submission, null, FORM_ERROR_OPTIONS);
  await requireRecentAuthentication(context, { request, url, form: fields });
  const outcome = await setConsultantProfile(requirePerson(context), submission.value, file);
  if (!outcome.ok) return createFormErrorResponse(context, submission, outcome, FORM_ERROR_OPTIONS);
  return redirectWithFlash(context, PATH, { title: "Saved", description: "Families see it from now on." });
}

type Fields = { name: string; bio: string; license: string; portrait: string; removePortrait: string };

/**
 * Edits what families read about the consultant: on the public page, next to a booked visit and in the waiting room.
 */
export default function ConsultantProfilePage({ loaderData: { values, portrait }, actionData }: Route.ComponentProps) {
  const [form, fields] = useServerValidatedForm<Fields>({ lastResult: actionData?.result, defaultValue: values });
  return (
    <main id="main" tabIndex={-1} className="page">
      <PageMeta hasError={form.status === "error"}>{TITLE}</PageMeta>
      <ErrorSummary form={form} notice={actionData?.notice} />
      <h1>{TITLE}</h1>
      <p className="max-w-2xl">
        Families read this on your <a href="/">public page</a>, when they have booked, and in the waiting room.
      </p>
      <Form
        method="post"
        encType="multipart/form-data"
        id={form.id}
        key={portrait}
        noValidate
        className="grid max-w-2xl gap-6"
      >
        <FormAutosave name={PATH} />
        <TextField field={fields.name} label="Your name" autoComplete="name" maxLength={80} />
        <TextField
          field={fields.bio}
          label="A few words to families"
          hint="About three sentences, as you would say them at the first visit."
          rows={5}
          maxLength={600}
          optional
        />
        <TextField
          field={fields.license}
          label="License or degrees"
          hint="One line, such as M.A., BCBA."
          maxLength={160}
          optional
        />
        <PortraitField field={fields.portrait} portrait={portrait} />
        {portrait && <CheckboxField field={fields.removePortrait} label="Remove the picture" optional />}
        <Button variant="primary" busyText="Saving…" className="justify-self-start">
          Save
        </Button>
      </Form>
    </main>
  );
}
