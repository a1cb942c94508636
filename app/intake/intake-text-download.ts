import { recordAuditRead } from "../audit/record-audit.server.ts";
import type { LoaderFunctionArgs } from "react-router";
import { requirePerson } from "../accounts/guards.server.ts";
import { env } from "../env.server.ts";
import { HTTP_STATUS } from "../http/outcome.ts";
import { readFamilyIdParameter } from "./family-id-from-query.ts";
import { findIntakeForm, toSubmittedIntakeFormData } from "./intake-forms.server.ts";
import { formatIntakeText } from "./format-intake-text.ts";

/** Returns the submitted form as a text file: a family's own form, or for the administrator the form of `?userId=`. */
export async function loader({ context, request, url }: LoaderFunctionArgs) {
  const family = readFamilyIdParameter(url.searchParams);
  const form = family.ok ? await findIntakeForm(requirePerson(context), family.value) : family;
  const headers = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "private, no-store" };
  if (!form.ok) return new Response(`${form.message}\n`, { status: HTTP_STATUS[form.reason], headers });
  if (request.method !== "HEAD")
    await recordAuditRead({ action: "intake-downloaded", familyId: form.value.userId, objectId: form.value.id });
  const text = formatIntakeText(toSubmittedIntakeFormData(form.value), env.practice);
  return new Response(text, {
    headers: { ...headers, "Content-Disposition": 'attachment; filename="intake-form.txt"' },
  });
}

export function action() {
  return new Response("This file can only be read.\n", { status: 405, headers: { Allow: "GET, HEAD" } });
}
