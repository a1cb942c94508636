import type { LoaderFunctionArgs } from "react-router";
import { personOf } from "../accounts/guards.server.ts";
import { redirectWith } from "../accounts/session.server.ts";
import { findIntakeDocument } from "./documents.server.ts";
import { INTAKE_SAVED } from "./rules.ts";
import { STATUS } from "../http/outcome.ts";

/** Without a script: the next page says where the form can be read, and the browser goes on to the file. */
export async function loader({ context }: LoaderFunctionArgs) {
  const found = await findIntakeDocument(personOf(context));
  if (!found.ok) throw new Response(found.message, { status: STATUS[found.reason] });
  return redirectWith(context, "/intake-form.txt", INTAKE_SAVED);
}
