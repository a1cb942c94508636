import { data } from "react-router";
import { HTTP_STATUS, type Refusal } from "../http/outcome.ts";
import { LinkButton } from "../ui/button.tsx";
import { PageMeta } from "../ui/page-meta.tsx";
import { RouteDialog } from "../ui/route-dialog.tsx";

/**
 * Returns the response of a dialog whose change of an account is not possible now. Throws the not-found page for an
 * unknown family.
 */
export function accountRefusalOrThrowNotFound({ reason, message }: Refusal) {
  if (reason === "notFound") throw new Response(message, { status: HTTP_STATUS.notFound, statusText: "Not Found" });
  return data({ refusal: message, account: null }, { status: HTTP_STATUS[reason] });
}

type AccountRefusalDialogProps = { title: string; message: string; closeTo: string };

/** Shows the reason instead of the dialog's question. */
export function AccountRefusalDialog({ title, message, closeTo }: AccountRefusalDialogProps) {
  return (
    <RouteDialog title={title} closeTo={closeTo}>
      <PageMeta>{title}</PageMeta>
      <p>{message}</p>
      <LinkButton to={closeTo} preventScrollReset data-first-focus>
        Back to the family
      </LinkButton>
    </RouteDialog>
  );
}
