import type { LoaderFunctionArgs } from "react-router";
import { requirePerson } from "../../accounts/guards.server.ts";
import { requireRecentAuthentication } from "../../accounts/step-up/recent-authentication.server.ts";
import { redirectWithFlash } from "../../accounts/sessions/flash.server.ts";
import { HTTP_STATUS } from "../../http/outcome.ts";
import { DOCUMENTS_PATH } from "../document-paths.ts";
import { isExportSizedSelection, zipDocuments } from "./zip-documents.server.ts";
import { contentDisposition } from "./content-disposition.ts";
import { admitDownload } from "./download-limits.server.ts";
import { createResponseBody, fileHeaders } from "./serve-document.server.ts";

/**
 * Streams several documents as one ZIP file: `?id=1&id=2`. Asks for the password or code first if the selection is as
 * large as an export.
 */
export async function loader({ context, url, request }: LoaderFunctionArgs) {
  const ids = url.searchParams.getAll("id");
  if (ids.length === 0) {
    return redirectWithFlash(context, DOCUMENTS_PATH, {
      title: "No Document Chosen",
      description: "Check the documents you want in one file.",
      style: "destructive",
    });
  }
  if (await isExportSizedSelection(requirePerson(context), ids))
    await requireRecentAuthentication(context, { request, url, form: request });
  const downloadSlotRefusal = request.method === "HEAD" ? null : await admitDownload(context);
  if (downloadSlotRefusal) {
    const headers = { "Retry-After": String(downloadSlotRefusal.retryAfterSeconds) };
    throw new Response(downloadSlotRefusal.message, { status: HTTP_STATUS[downloadSlotRefusal.reason], headers });
  }
  const zip = await zipDocuments(requirePerson(context), ids, { isRead: request.method !== "HEAD" });
  if (!zip.ok) throw new Response(zip.message, { status: HTTP_STATUS[zip.reason] });
  const headers = fileHeaders("application/zip", contentDisposition("attachment", "documents.zip"));
  if (request.method === "HEAD") {
    await zip.value.close();
    return new Response(null, { headers });
  }
  return new Response(createResponseBody(zip.value, "alert: an archive of documents was cut off", context), {
    headers,
  });
}
