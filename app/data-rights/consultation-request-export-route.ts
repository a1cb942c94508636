import type { LoaderFunctionArgs } from "react-router";
import { requirePerson } from "../accounts/guards.server.ts";
import { parseId } from "../http/field-schemas.ts";
import { fileOrRefusalResponse } from "../http/file-response.server.ts";
import { accepted } from "../http/outcome.ts";
import { exportConsultationRequest } from "./export-consultation-request.server.ts";

/** Responds with everything that is held about a person without an account, for the administrator. */
export async function loader({ context, request, params }: LoaderFunctionArgs) {
  const outcome = await exportConsultationRequest(requirePerson(context), parseId(params.id), {
    isRead: request.method !== "HEAD",
  });
  if (!outcome.ok) return fileOrRefusalResponse(outcome);
  const headers = {
    "Cache-Control": "private, no-store",
    "Content-Type": "application/json; charset=utf-8",
    "Content-Disposition": `attachment; filename="request-${params.id}-everything.json"`,
  };
  return fileOrRefusalResponse(accepted(new Response(`${JSON.stringify(outcome.value, null, 2)}\n`, { headers })));
}
