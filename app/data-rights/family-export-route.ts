import type { LoaderFunctionArgs } from "react-router";
import { requirePerson } from "../accounts/guards.server.ts";
import { fileResponse } from "../http/file-response.server.ts";
import { parseId } from "../http/field-schemas.ts";
import { familyExportResponse } from "./export.server.ts";

/** Responds with everything that is held about a family, for the administrator. */
export async function loader({ context, request, params }: LoaderFunctionArgs) {
  return fileResponse(await familyExportResponse(requirePerson(context), parseId(params.id), request, context));
}
