import { findFamilyName } from "../../accounts/family-names.server.ts";
import { requirePerson } from "../../accounts/guards.server.ts";
import { createFormErrorResponse } from "../../accounts/form-error-response.server.ts";
import { redirectWithFlash } from "../../accounts/sessions/flash.server.ts";
import { isScannerConfigured } from "../../files/virus-scan.server.ts";
import { parseId } from "../../http/field-schemas.ts";
import { parseForm } from "../../http/form.server.ts";
import { type Refusal, refused } from "../../http/outcome.ts";
import { mailMode } from "../../mail/mail-transport.server.ts";
import { RouteDialog } from "../../ui/route-dialog.tsx";
import type { Route } from "./+types/upload-document";
import { DOCUMENTS_PATH } from "../document-paths.ts";
import { getRawUploadFields, getUploadOutcome } from "./upload-middleware.server.ts";
import { uploadVisibilityText, uploadFailureNotice, UPLOADED_NOTICE } from "./upload-notices.ts";
import { findUploadOptionsWithAudit } from "./upload-options.server.ts";
import { uploadSchema } from "../document-schemas.ts";
import { UPLOAD_TITLE, UploadForm } from "./upload-form.tsx";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const person = requirePerson(context);
  const preset = {
    userId: presetFamilyId(params, url),
    appointmentId: url.searchParams.get("appointmentId") ?? "",
  };
  const { nextAppointmentId, ...choices } = await findUploadOptionsWithAudit(person, parseId(preset.userId));
  const familyId = person.isAdmin ? parseId(preset.userId) : null;
  const isKnown = choices.families.some(({ id }) => id === familyId);
  // A family usually uploads for its next visit.
  preset.appointmentId ||= String(nextAppointmentId ?? "");
  const closePath = pathAfterUpload(isKnown ? familyId : null);
  const presetName = isKnown && familyId !== null ? await findFamilyName(familyId) : null;
  const isMailed = mailMode === "smtp";
  return {
    ...choices,
    isAdmin: person.isAdmin,
    preset,
    closePath,
    familyName: presetName,
    isMailed,
    isScanned: isScannerConfigured,
  };
}

/** Returns the id, from the URL, of the family that the administrator uploads for; empty if there is none. */
function presetFamilyId(params: { id?: string }, url: URL): string {
  return params.id ?? url.searchParams.get("userId") ?? "";
}

/** Returns the documents section of the family's page, or the list of documents if `familyId` is null. */
function pathAfterUpload(familyId: number | null): string {
  return familyId === null ? DOCUMENTS_PATH : `/families/${familyId}#documents`;
}

/** Handles the form without JavaScript. `storeUploadMiddleware` has already stored the file. */
export async function action({ context, params, url }: Route.ActionArgs) {
  const outcome = getUploadOutcome(context) ?? refused("unsupported", "Please send the form with a file.");
  if (outcome.ok) {
    const { userId, fileName, isSharedWithClient } = outcome.value;
    if (!requirePerson(context).isAdmin)
      return redirectWithFlash(context, DOCUMENTS_PATH, { ...UPLOADED_NOTICE, description: fileName });
    const family = { name: await findFamilyName(userId), isMailed: mailMode === "smtp" };
    const description = `${fileName}: ${uploadVisibilityText(isSharedWithClient, family)}`;
    const closePath = pathAfterUpload(parseId(presetFamilyId(params, url)) && userId);
    return redirectWithFlash(context, closePath, { ...UPLOADED_NOTICE, description });
  }
  return uploadErrorResponse(context, outcome);
}

function uploadErrorResponse(context: Route.ActionArgs["context"], refusal: Refusal) {
  const formData = new FormData();
  for (const [name, value] of Object.entries(getRawUploadFields(context))) formData.set(name, value);
  const { title, description } = uploadFailureNotice(refusal);
  return createFormErrorResponse(
    context,
    parseForm(formData, uploadSchema),
    { ...refusal, message: description },
    { title },
  );
}

export default function UploadDocument({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <RouteDialog
      title={UPLOAD_TITLE}
      description={loaderData.familyName && `for ${loaderData.familyName}`}
      closeTo={loaderData.closePath}
    >
      <UploadForm {...loaderData} formError={actionData} />
    </RouteDialog>
  );
}
