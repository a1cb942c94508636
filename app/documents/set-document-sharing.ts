import { type ActionFunctionArgs, redirect } from "react-router";
import { findFamilyName } from "../accounts/family-names.server.ts";
import { requirePerson } from "../accounts/guards.server.ts";
import { redirectWithFlash } from "../accounts/sessions/flash.server.ts";
import { parseId } from "../http/field-schemas.ts";
import { readNamedFormFields } from "../http/form.server.ts";
import { HTTP_STATUS } from "../http/outcome.ts";
import { DOCUMENTS_PATH, documentReturnPath } from "./document-paths.ts";
import { setDocumentSharingAndNotify } from "./documents.server.ts";

/** Handles the Share and Stop sharing buttons of the administrator's list. */
export async function action({ request, context, params, url }: ActionFunctionArgs) {
  const isShared = (await readNamedFormFields(request, ["isShared"])).get("isShared") === "true";
  const done = await setDocumentSharingAndNotify(requirePerson(context), parseId(params.id), isShared);
  if (!done.ok) throw new Response(done.message, { status: HTTP_STATUS[done.reason] });
  const name = await findFamilyName(done.value.userId);
  const description = `${name} ${isShared ? "can now" : "can no longer"} see ${done.value.fileName}.`;
  return redirectWithFlash(context, documentReturnPath(url.search, done.value.userId), {
    title: isShared ? "Document Shared" : "Document No Longer Shared",
    description,
  });
}

export const loader = () => redirect(DOCUMENTS_PATH);
