import type { LoaderFunctionArgs } from "react-router";
import { requirePerson } from "../accounts/guards.server.ts";
import { HTTP_STATUS } from "../http/outcome.ts";
import { parseId } from "../http/field-schemas.ts";
import { exportRequest } from "./export-request.server.ts";

/** Responds with everything that is held about a person without an account, for the administrator. */
export async function loader({ context, request, params }: LoaderFunctionArgs) {
  const outcome = await exportRequest(requirePerson(context), parseId(params.id), {
    isRead: request.method !== "HEAD",
  });
  const headers = { "Cache-Control": "private, no-store" };
  if (!outcome.ok)
    return new Response(`${outcome.message}\n`, {
      status: HTTP_STATUS[outcome.reason],
      headers: { ...headers, "Content-Type": "text/plain; charset=utf-8" },
    });
  return new Response(`${JSON.stringify(outcome.value, null, 2)}\n`, {
    headers: {
      ...headers,
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": `attachment; filename="request-${params.id}-everything.json"`,
    },
  });
}
