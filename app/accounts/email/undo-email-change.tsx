import { data, Form, redirectDocument } from "react-router";
import { clientIpContext } from "../../http/request-context.server.ts";
import { HTTP_STATUS, type Refusal } from "../../http/outcome.ts";
import { Button } from "../../ui/button.tsx";
import type { PageHandle } from "../../ui/page-handle.ts";
import { PageMeta } from "../../ui/page-meta.tsx";
import { NarrowPage } from "../narrow-page.tsx";
import { BrokenLinkPage } from "../links/broken-link-page.tsx";
import { endSession, getPossiblyRestrictedSession, setRetryAfter } from "../sessions/session.server.ts";
import type { Route } from "./+types/undo-email-change";
import { checkUndoLink, undoEmailChange } from "./undo-email-change.server.ts";

export const handle: PageHandle = { unhydrated: true };

const TITLE = "Did you change your email address?";

/** Changes nothing, because mail clients and virus scanners open links too. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const link = await checkUndoLink(params.token, context.get(clientIpContext));
  return link.ok ? data({ refusal: null, ...link.value }) : toRefusalResponse(context, link);
}

export async function action({ params, context }: Route.ActionArgs) {
  const undone = await undoEmailChange(params.token, context.get(clientIpContext));
  if (!undone.ok) return toRefusalResponse(context, undone);
  if (getPossiblyRestrictedSession(context)?.person.id === undone.value.userId) await endSession(context);
  return redirectDocument(undone.value.resetPath ?? "/login");
}

function toRefusalResponse(context: Route.LoaderArgs["context"], refusal: Refusal) {
  setRetryAfter(context, refusal.retryAfterSeconds);
  return data(
    { refusal: refusal.message, email: null, cancelsErasure: false },
    { status: HTTP_STATUS[refusal.reason] },
  );
}

export default function UndoEmailChange({ loaderData, actionData }: Route.ComponentProps) {
  const refusal = actionData?.refusal ?? loaderData.refusal;
  if (refusal) return <BrokenLinkPage reason={refusal} />;
  return (
    <NarrowPage
      heading={TITLE}
      lead="Your account now has a different address. If that wasn't you, one tap changes it back to this one:"
    >
      <PageMeta>{TITLE}</PageMeta>
      <p className="font-bold wrap-anywhere">{loaderData.email}</p>
      <p>
        Everyone is signed out, on every device. Then you choose a new password. Did you change the address yourself?
        Just close this page. There is nothing to do.
      </p>
      {loaderData.cancelsErasure && (
        <p role="note" className="notice">
          After that change, somebody asked us to delete your account. The button stops that too: your account stays.
        </p>
      )}
      <Form method="post">
        <Button variant="primary" type="submit">
          It wasn't me. Change it back
        </Button>
      </Form>
    </NarrowPage>
  );
}
