import { data, Form, Link } from "react-router";
import { createFormErrorResponse, type FormErrorOptions } from "../../accounts/form-error-response.server.ts";
import { requirePerson } from "../../accounts/guards.server.ts";
import { redirectWithFlash } from "../../accounts/sessions/flash.server.ts";
import { requireRecentAuthentication } from "../../accounts/step-up/recent-authentication.server.ts";
import { parseForm, readNamedFormFields } from "../../http/form.server.ts";
import { isWordingName, type WordingName } from "../../wording-names.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorSummary } from "../../ui/error-summary.tsx";
import { FormAutosave } from "../../ui/form-autosave/form-autosave.tsx";
import { useServerValidatedForm } from "../../ui/use-server-validated-form.ts";
import { PageMeta } from "../../ui/page-meta.tsx";
import { TextField } from "../../ui/text-field.tsx";
import type { Route } from "./+types/edit-wording";
import {
  findEditableWording,
  renderWordingSample,
  saveWordingAndNotify,
  getPlaceholderRules,
} from "./edit-wording.server.ts";
import { MAX_BODY_LENGTH, MAX_SUBJECT_LENGTH } from "./wording-limits.ts";
import { createWordingSchema } from "./wording-schema.ts";

const LIST_PATH = "/mail-wording";
const NOT_SAVED = { title: "Not Saved" } satisfies FormErrorOptions;
type WordingFields = { subject: string; body: string };

function requireWordingName(name: string | undefined): WordingName {
  if (!isWordingName(name)) throw new Response("There is no such message.", { status: 404, statusText: "Not Found" });
  return name;
}

export async function loader({ params }: Route.LoaderArgs) {
  const name = requireWordingName(params.name);
  const editableWording = await findEditableWording(name);
  return { ...editableWording, name, sample: renderWordingSample(name, editableWording.wording) };
}

export async function action({ request, params, context, url }: Route.ActionArgs) {
  const name = requireWordingName(params.name);
  const form = await readNamedFormFields(request, ["intent", "subject", "body"]);
  const intent = form.get("intent");
  form.delete("intent");
  if (intent === "reset") {
    await requireRecentAuthentication(context, { request, url, form: new FormData() });
    await saveWordingAndNotify(requirePerson(context), name, null);
    return redirectWithFlash(context, LIST_PATH, { title: "Our own words again" });
  }
  const submission = parseForm(form, createWordingSchema(getPlaceholderRules(name)));
  if (submission.status !== "success") return createFormErrorResponse(context, submission, null, NOT_SAVED);
  if (intent === "preview")
    return data({
      result: { status: "success" as const, initialValue: submission.value },
      notice: null,
      sample: renderWordingSample(name, submission.value),
    });
  await requireRecentAuthentication(context, { request, url, form });
  await saveWordingAndNotify(requirePerson(context), name, submission.value);
  return redirectWithFlash(context, LIST_PATH, {
    title: "Saved",
    description: "Messages from now on have your words. Those already sent stay as they are.",
  });
}

/** Page that edits the subject and text of one message. Shows the placeholders, and how a family sees the message. */
export default function EditWording({ loaderData, actionData }: Route.ComponentProps) {
  const { name, title, triggerDescription, isEdited, wording, placeholders, buttonLabel } = loaderData;
  const [form, fields] = useServerValidatedForm<WordingFields>({
    lastResult: actionData?.result,
    defaultValue: wording,
  });
  const preview = actionData && "sample" in actionData ? actionData.sample : null;
  const sample = preview ?? loaderData.sample;
  return (
    <main id="main" tabIndex={-1} className="page">
      <PageMeta hasError={form.status === "error"}>{title}</PageMeta>
      <ErrorSummary form={form} notice={actionData?.notice} />
      <h1>{title}</h1>
      {preview && (
        <p role="status" className="notice">
          Nothing is saved yet. <a href="#preview">See the preview</a>, and save when it is right.
        </p>
      )}
      <p>{triggerDescription}. The greeting, the details of a visit and our phone number are added automatically.</p>
      {/* The sample opens in a separate page. Only the browser itself can post a form to it. */}
      <Form method="post" id={form.id} noValidate reloadDocument className="grid gap-6">
        <FormAutosave name={`${LIST_PATH}/${name}`} isUnsaved={actionData !== undefined} />
        <Card title="Your words">
          <TextField
            field={fields.subject}
            label="Subject"
            hint="Others may see it on a locked phone. Write no child’s name, no diagnosis, no service and no amount."
            maxLength={MAX_SUBJECT_LENGTH}
          />
          <TextField
            field={fields.body}
            label="Text"
            hint="Leave a blank line between paragraphs."
            rows={14}
            maxLength={MAX_BODY_LENGTH}
          />
          <div className="actions">
            <Button variant="primary" name="intent" value="save" busyText="Saving…">
              Save
            </Button>
            <Button name="intent" value="preview">
              Preview
            </Button>
            <Button formAction={`${LIST_PATH}/${name}/preview`} formTarget="_blank">
              Preview as mail
            </Button>
          </div>
        </Card>
      </Form>
      <div id="preview">
        <Card title={preview ? "Preview of what you typed" : "As it is now"}>
          <p className="wrap-anywhere">
            Subject: <strong>{sample.subject}</strong>
          </p>
          <pre className="font-[inherit] whitespace-pre-wrap wrap-anywhere">{sample.text}</pre>
        </Card>
      </div>
      <Card title="What is filled in">
        <p>Write these with their braces. Each mail has its own value there.</p>
        <dl className="facts wrap-anywhere">
          {placeholders.map((placeholder) => (
            <div key={placeholder.name} className="contents">
              <dt>
                <code>{`{${placeholder.name}}`}</code>
                {placeholder.isRequired && " (must stay)"}
              </dt>
              <dd>{placeholder.sample ?? `The button “${buttonLabel}”. Put it on a line of its own.`}</dd>
            </div>
          ))}
        </dl>
      </Card>
      {isEdited && (
        <Form method="post">
          <Button variant="danger" name="intent" value="reset" busyText="One moment…">
            Use our own words again
          </Button>
        </Form>
      )}
      <p>
        <Link to={LIST_PATH}>Back to all messages</Link>
      </p>
    </main>
  );
}
