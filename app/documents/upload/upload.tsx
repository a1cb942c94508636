import { requirePerson } from "../../accounts/guards.server.ts";
import { formError } from "../../accounts/form-error.server.ts";
import { redirectWithFlash } from "../../accounts/sessions/flash.server.ts";
import { parseId } from "../../http/field-schemas.ts";
import { parseForm } from "../../http/form.server.ts";
import { type Refusal, refused } from "../../http/outcome.ts";
import { RouteDialog } from "../../ui/route-dialog.tsx";
import type { Route } from "./+types/upload";
import { DOCUMENTS_PATH } from "../paths.ts";
import { rawUploadFields, uploadOutcome } from "./upload-middleware.server.ts";
import { uploadFailureNotice, UPLOADED_NOTICE } from "./upload-notices.ts";
import { findUploadOptions } from "./upload-options.server.ts";
import { uploadSchema } from "../schemas.ts";
import { UPLOAD_TITLE, UploadForm } from "./upload-form.tsx";

export async function loader({ context, url }: Route.LoaderArgs) {
  const person = requirePerson(context);
  const preset = {
    userId: url.searchParams.get("userId") ?? "",
    appointmentId: url.searchParams.get("appointmentId") ?? "",
  };
  const { nextAppointmentId, ...choices } = await findUploadOptions(person, parseId(preset.userId));
  // A family mostly uploads for the visit that comes next.
  preset.appointmentId ||= String(nextAppointmentId ?? "");
  return { ...choices, isAdmin: person.isAdmin, preset };
}

/** The action of the form without script. `uploadMiddleware` has stored the file before it runs. */
export function action({ context }: Route.ActionArgs) {
  const outcome = uploadOutcome(context) ?? refused("unsupported", "Please send the form with a file.");
  if (outcome.ok)
    return redirectWithFlash(context, DOCUMENTS_PATH, { ...UPLOADED_NOTICE, description: outcome.value.fileName });
  return uploadErrorResponse(context, outcome);
}

function uploadErrorResponse(context: Route.ActionArgs["context"], refusal: Refusal) {
  const formData = new FormData();
  for (const [name, value] of Object.entries(rawUploadFields(context))) formData.set(name, value);
  const { title, description } = uploadFailureNotice(refusal);
  return formError(context, parseForm(formData, uploadSchema), { ...refusal, message: description }, { title });
}

export default function UploadDocument({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <RouteDialog title={UPLOAD_TITLE} closeTo={DOCUMENTS_PATH}>
      <UploadForm {...loaderData} formError={actionData} />
    </RouteDialog>
  );
}
