import { data, useLocation } from "react-router";
import { requirePerson } from "../accounts/guards.server.ts";
import { fullName } from "../accounts/person.ts";
import { redirectUnlessOutage, redirectWithFlash } from "../accounts/sessions/flash.server.ts";
import {
  deleteConsultationRequest,
  findPendingConsultationRequest,
  findPendingConsultationRequestWithAudit,
} from "../consultation-requests/consultation-requests.server.ts";
import { nodeRequestContext } from "../http/request-context.server.ts";
import { createFailureHandler } from "../http/errors.server.ts";
import { parseId } from "../http/field-schemas.ts";
import { HTTP_STATUS } from "../http/outcome.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { PageMeta } from "../ui/page-meta.tsx";
import type { Route } from "./+types/delete-consultation-request";
import { dialogReturnPath } from "./return-path.ts";
import { notFoundResponse } from "./not-found-response.ts";

const TITLE = "Delete this consultation request?";

export async function loader({ context, params }: Route.LoaderArgs) {
  const request = await findPendingConsultationRequestWithAudit(requirePerson(context), parseId(params.id));
  if (!request) throw notFoundResponse("There is no such consultation request.");
  return { name: fullName(request), needs: request.serviceNeeds };
}

export async function action({ context, params, url }: Route.ActionArgs) {
  const person = requirePerson(context);
  const request = await findPendingConsultationRequest(person, parseId(params.id));
  const result = await deleteConsultationRequest(person, params.id).catch(
    createFailureHandler("", "deleting a request", context.get(nodeRequestContext)),
  );
  const returnPath = dialogReturnPath(url.search);
  if (result.ok) {
    const description = request ? `It was from ${fullName(request)}.` : undefined;
    return redirectWithFlash(context, returnPath, { title: "Consultation Request Deleted", description });
  }
  const failureMessage = `Failed to delete consultation request. Please try again. ${result.message}`.trim();
  const notice = { title: "Delete Failed", description: failureMessage, style: "destructive" } as const;
  const redirected = redirectUnlessOutage(context, returnPath, notice, result);
  return redirected ?? data({ failed: failureMessage }, { status: HTTP_STATUS[result.reason] });
}

export default function DeleteConsultationRequest({ loaderData: { name, needs }, actionData }: Route.ComponentProps) {
  const { search } = useLocation();
  return (
    <>
      <PageMeta hasError={Boolean(actionData)}>{`${TITLE} ${name}`}</PageMeta>
      <ConfirmDialog
        title={TITLE}
        subject={name}
        details={<span className="line-clamp-6">{needs}</span>}
        consequence="This action cannot be undone. We don't tell the person who asked."
        confirmText="Delete request"
        busyText="Deleting…"
        cancelText="Keep request"
        closeTo={dialogReturnPath(search)}
      >
        {actionData && (
          <p role="alert" className="font-bold text-danger">
            {actionData.failed}
          </p>
        )}
      </ConfirmDialog>
    </>
  );
}
