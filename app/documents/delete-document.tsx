import { data } from "react-router";
import { findFamilyName } from "../accounts/family-names.server.ts";
import { requirePerson } from "../accounts/guards.server.ts";
import { recordAuditRead } from "../audit/record-audit.server.ts";
import { redirectWithFlash, flashNow } from "../accounts/sessions/flash.server.ts";
import { parseId } from "../http/field-schemas.ts";
import { HTTP_STATUS } from "../http/outcome.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { PageMeta } from "../ui/page-meta.tsx";
import type { Route } from "./+types/delete-document";
import { DOCUMENTS_PATH, documentReturnPath } from "./document-paths.ts";
import { deleteDocument, findDeletableDocument } from "./documents.server.ts";

const TITLE = "Delete this document?";
/** Not shown as a failure, because the document is gone as the person intended. */
const ALREADY_DELETED_NOTICE = { title: "Nothing to delete", description: "This document is no longer there." };

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const person = requirePerson(context);
  const found = await findDeletableDocument(person, parseId(params.id));
  if (!found.ok) throw new Response(found.message, { status: HTTP_STATUS[found.reason] });
  const { id: objectId, userId: familyId, fileName } = found.value;
  await recordAuditRead({ action: "document-name-opened", familyId, objectId });
  return {
    fileName,
    others: person.isAdmin ? "the family" : "your consultant",
    returnPath: person.isAdmin ? documentReturnPath(url.search, familyId) : DOCUMENTS_PATH,
  };
}

export async function action({ context, params, url }: Route.ActionArgs) {
  const person = requirePerson(context);
  const done = await deleteDocument(person, parseId(params.id));
  if (done.ok) {
    const { fileName, userId } = done.value;
    const description = person.isAdmin ? `${fileName}, of ${await findFamilyName(userId)}` : fileName;
    const returnPath = person.isAdmin ? documentReturnPath(url.search, userId) : DOCUMENTS_PATH;
    return redirectWithFlash(context, returnPath, { title: "Document Deleted", description });
  }
  if (done.reason === "notFound") return redirectWithFlash(context, DOCUMENTS_PATH, ALREADY_DELETED_NOTICE);
  flashNow(context, { title: "Deletion Failed", description: "Failed to delete document.", style: "destructive" });
  return data({ failed: done.message }, { status: HTTP_STATUS[done.reason] });
}

export default function DeleteDocument({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <ConfirmDialog
      title={TITLE}
      subject={<bdi>{loaderData.fileName}</bdi>}
      consequence={`It will be gone for you and for ${loaderData.others}. This can't be undone.`}
      confirmText="Delete document"
      busyText="Deleting…"
      cancelText="Keep it"
      closeTo={loaderData.returnPath}
    >
      <PageMeta hasError={Boolean(actionData)}>{`${TITLE} ${loaderData.fileName}`}</PageMeta>
      {actionData && (
        <p role="alert" className="font-bold text-danger">
          Failed to delete document. {actionData.failed}
        </p>
      )}
    </ConfirmDialog>
  );
}
