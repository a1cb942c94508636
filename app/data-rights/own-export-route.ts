import type { LoaderFunctionArgs } from "react-router";
import { requirePerson } from "../accounts/guards.server.ts";
import { fileOrRefusalResponse } from "../http/file-response.server.ts";
import { ownExportResponse } from "./family-data-export.server.ts";

/** Handles the download button of the page. API clients use /api/me/export. */
export async function loader({ context, request }: LoaderFunctionArgs) {
  return fileOrRefusalResponse(await ownExportResponse(requirePerson(context), request, context));
}
