import type { LoaderFunctionArgs } from "react-router";
import { requirePerson } from "../accounts/guards.server.ts";
import { redirectWithFlash } from "../accounts/session.server.ts";
import { nodeResponseContext } from "../http/context.server.ts";
import { HTTP_STATUS } from "../http/outcome.ts";
import { LIST } from "./addresses.ts";
import { archiveDocuments } from "./archive.server.ts";
import { contentDisposition } from "./content-disposition.ts";
import { openDownload } from "./downloads.server.ts";
import { asStream, fileHeaders } from "./send.server.ts";

/** Several documents as one ZIP file, made while it is sent: `?id=1&id=2`. */
export async function loader({ context, url, request }: LoaderFunctionArgs) {
  const ids = url.searchParams.getAll("id");
  if (ids.length === 0) {
    return redirectWithFlash(context, LIST, {
      title: "No Document Chosen",
      description: "Tick the documents you want in one file.",
      style: "destructive",
    });
  }
  const tooMany = request.method === "HEAD" ? null : openDownload(context);
  if (tooMany) {
    const headers = { "Retry-After": String(tooMany.retryAfterSeconds) };
    throw new Response(tooMany.message, { status: HTTP_STATUS[tooMany.reason], headers });
  }
  const archive = await archiveDocuments(requirePerson(context), ids);
  if (!archive.ok) throw new Response(archive.message, { status: HTTP_STATUS[archive.reason] });
  const headers = fileHeaders("application/zip", contentDisposition("attachment", "documents.zip"));
  if (request.method === "HEAD") {
    await archive.value.end();
    return new Response(null, { headers });
  }
  return new Response(
    asStream(archive.value, "alert: an archive of documents was cut off", context.get(nodeResponseContext)),
    { headers },
  );
}
