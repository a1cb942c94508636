import { parseForm, readNamedFormFields } from "../../http/form.server.ts";
import { escapeHtml } from "../../http/escape-html.ts";
import { emailHtmlResponse, messageNotFoundResponse } from "../email-html-response.server.ts";
import { isWordingName } from "../../wording-names.ts";
import type { Route } from "./+types/wording-preview";
import { findEditableWording, renderWordingSample, getPlaceholderRules } from "./edit-wording.server.ts";
import { createWordingSchema } from "./wording-schema.ts";

/** Returns the sample of a message as the HTML of its email message, in the current wording. */
export async function loader({ params: { name } }: Route.LoaderArgs) {
  if (!isWordingName(name)) throw messageNotFoundResponse();
  return emailHtmlResponse(renderWordingSample(name, (await findEditableWording(name)).wording).html);
}

/** Returns the sample in the wording that was typed, without saving that wording. */
export async function action({ request, params: { name } }: Route.ActionArgs) {
  if (!isWordingName(name)) throw messageNotFoundResponse();
  const submission = parseForm(
    await readNamedFormFields(request, ["subject", "body"]),
    createWordingSchema(getPlaceholderRules(name)),
  );
  if (submission.status === "success") return emailHtmlResponse(renderWordingSample(name, submission.value).html);
  const sentences = Object.values(submission.error ?? {}).flat();
  const items = sentences.map((sentence) => `<li>${escapeHtml(String(sentence))}</li>`).join("");
  const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Error: No preview</title></head><body><main><h1>No preview yet</h1><ul>${items}</ul><p>Close this page, and correct the text there.</p></main></body></html>`;
  return emailHtmlResponse(page, 422);
}
