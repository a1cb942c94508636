import type { LoaderFunctionArgs } from "react-router";
import { requirePerson } from "../accounts/guards.server.ts";
import { fileOrRefusalResponse } from "../http/file-response.server.ts";
import { parseId } from "../http/field-schemas.ts";
import { familyExportResponse } from "./family-data-export.server.ts";

/** Responds with everything that is held about a family, for the administrator. */
export async function loader({ context, request, params }: LoaderFunctionArgs) {
  return fileOrRefusalResponse(
    await familyExportResponse(requirePerson(context), parseId(params.id), request, context),
  );
}
