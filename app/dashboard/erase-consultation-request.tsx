import { data, useLocation } from "react-router";
import { requirePerson } from "../accounts/guards.server.ts";
import { redirectUnlessOutage, redirectWithFlash } from "../accounts/sessions/flash.server.ts";
import { notFoundResponse } from "./not-found-response.ts";
import { dialogReturnPath } from "./return-path.ts";
import { formatCountWithNoun } from "../format-count-with-noun.ts";
import { createFailureHandler } from "../http/errors.server.ts";
import { parseId } from "../http/field-schemas.ts";
import { HTTP_STATUS } from "../http/outcome.ts";
import { nodeRequestContext } from "../http/request-context.server.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { PageMeta } from "../ui/page-meta.tsx";
import { RouteDialog } from "../ui/route-dialog.tsx";
import type { Route } from "./+types/erase-consultation-request";
import { requestExportPath } from "../data-rights/data-rights-paths.ts";
import { eraseConsultationRequest, previewRequestErasure } from "../data-rights/erase-consultation-request.server.ts";

const TITLE = "Delete everything of this request?";

export async function loader({ context, params }: Route.LoaderArgs) {
  const preview = await previewRequestErasure(requirePerson(context), parseId(params.id));
  if (preview.ok) return { refusal: null, preview: preview.value };
  if (preview.reason === "notFound") throw notFoundResponse(preview.message);
  return data({ refusal: preview.message, preview: null }, { status: HTTP_STATUS[preview.reason] });
}

export async function action({ context, params, url }: Route.ActionArgs) {
  const outcome = await eraseConsultationRequest(requirePerson(context), parseId(params.id)).catch(
    createFailureHandler("", "deleting a person without an account", context.get(nodeRequestContext)),
  );
  const returnPath = dialogReturnPath(url.search);
  if (outcome.ok) {
    const { name, hasMore } = outcome.value;
    const description = hasMore
      ? `What belongs to this request of ${name} is deleted. Other records with the same address are still here: another request, an account, an invitation, or an open case.`
      : `We hold nothing about ${name} any more but the payments in your books.`;
    return redirectWithFlash(context, returnPath, { title: "Request Deleted", description });
  }
  if (outcome.reason === "notFound") throw notFoundResponse(outcome.message);
  const message = `Nothing was deleted. ${outcome.message}`.trim();
  const notice = { title: "Not Deleted", description: message, style: "destructive" } as const;
  const redirected = redirectUnlessOutage(context, returnPath, notice, outcome);
  return redirected ?? data({ failed: message }, { status: HTTP_STATUS[outcome.reason] });
}

export default function EraseRequest({ loaderData: { preview, refusal }, actionData }: Route.ComponentProps) {
  const { search } = useLocation();
  const closeTo = dialogReturnPath(search);
  if (!preview)
    return (
      <RouteDialog title={TITLE} closeTo={closeTo}>
        <PageMeta>{TITLE}</PageMeta>
        <p role="alert">{refusal}</p>
      </RouteDialog>
    );
  const { id, name, hasVisit, paymentCount, isAddressShared } = preview;
  return (
    <>
      <PageMeta hasError={Boolean(actionData)}>{`${TITLE} ${name}`}</PageMeta>
      <ConfirmDialog
        title={TITLE}
        subject={name}
        details={
          <>
            Only if the person asks for it, or you no longer need to keep the records. Need a copy?{" "}
            <a href={requestExportPath(id)}>Download everything</a> first.
          </>
        }
        consequence={
          <>
            {hasVisit ? "The request, its visit and all mail about them are" : "The request and all mail about it are"}{" "}
            deleted at once, and we don&apos;t tell the person. This can&apos;t be undone.
            {paymentCount > 0 &&
              ` ${formatCountWithNoun(paymentCount, "payment")} will stay in your books, without a name.`}{" "}
            {isAddressShared &&
              "Other mail to this address, an invitation and closed cases stay, because the address occurs elsewhere, too. "}
            Backups keep what they hold until they are deleted.
          </>
        }
        confirmText="Delete everything"
        busyText="Deleting…"
        cancelText="Keep it"
        closeTo={closeTo}
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
