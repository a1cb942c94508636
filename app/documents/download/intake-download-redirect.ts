import { type LoaderFunctionArgs, redirect } from "react-router";
import { requirePerson } from "../../accounts/guards.server.ts";
import { flash } from "../../accounts/sessions/flash.server.ts";
import { findIntakeDocument } from "../documents.server.ts";
import { INTAKE_SAVED_NOTICE } from "../intake-document.ts";
import { HTTP_STATUS } from "../../http/outcome.ts";

/** Handles the download link without JavaScript: stores a notice for the next page and redirects to the file. */
export async function loader({ context }: LoaderFunctionArgs) {
  const found = await findIntakeDocument(requirePerson(context));
  if (!found.ok) throw new Response(found.message, { status: HTTP_STATUS[found.reason] });
  flash(context, INTAKE_SAVED_NOTICE);
  return redirect("/intake-form.txt");
}
