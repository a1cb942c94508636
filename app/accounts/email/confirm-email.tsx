import { data, Form, redirectDocument } from "react-router";
import { clientIpContext } from "../../http/context.server.ts";
import { HTTP_STATUS } from "../../http/outcome.ts";
import { Button } from "../../ui/button.tsx";
import type { PageHandle } from "../../ui/page-handle.ts";
import { PageTitle } from "../../ui/page-title.tsx";
import { AccountPage } from "../account-page.tsx";
import { BrokenLinkPage } from "../broken-link-page.tsx";
import { getPerson } from "../guards.server.ts";
import { flash } from "../sessions/flash.server.ts";
import { setRetryAfter } from "../sessions/session.server.ts";
import type { Route } from "./+types/confirm-email";
import { checkConfirmation, confirmEmail } from "./confirm-email.server.ts";

export const handle: PageHandle = { static: true };

const DONE = { title: "Address Confirmed", description: "Thank you. Our messages come to this address." };

/** Changes nothing: mail programs and virus scanners open links, too. */
export async function loader({ params, context }: Route.LoaderArgs) {
  return toPage(context, await checkConfirmation(params.token, context.get(clientIpContext)));
}

export async function action({ params, context }: Route.ActionArgs) {
  const outcome = await confirmEmail(params.token, context.get(clientIpContext));
  if (outcome.ok && getPerson(context)) {
    flash(context, DONE);
    throw redirectDocument("/dashboard");
  }
  // Named, or the status would be the loader's, for which the link is used up.
  return outcome.ok ? data({ refusal: null, email: outcome.value.email }, { status: 200 }) : toPage(context, outcome);
}

function toPage(
  context: Route.LoaderArgs["context"],
  outcome: Awaited<ReturnType<typeof checkConfirmation | typeof confirmEmail>>,
) {
  if (outcome.ok) return data({ refusal: null, email: outcome.value.email });
  setRetryAfter(context, outcome.retryAfterSeconds);
  return data({ refusal: outcome.message, email: null }, { status: HTTP_STATUS[outcome.reason] });
}

export default function ConfirmEmail({ loaderData, actionData }: Route.ComponentProps) {
  const isDone = actionData?.refusal === null;
  const refusal = isDone ? null : (actionData?.refusal ?? loaderData.refusal);
  if (refusal)
    return (
      <BrokenLinkPage
        title="This link no longer works"
        reason={refusal}
        back={{ text: "Go to sign in", href: "/login" }}
      />
    );
  if (isDone)
    return (
      <AccountPage heading="Your address is confirmed" lead={DONE.description}>
        <PageTitle>Your address is confirmed</PageTitle>
        <p>
          <a href="/login">Go to sign in</a>
        </p>
      </AccountPage>
    );
  return (
    <AccountPage heading="Is this your email address?" lead="One tap, and we know that our messages reach you.">
      <PageTitle>Is this your email address?</PageTitle>
      <p className="font-bold wrap-anywhere">{loaderData.email}</p>
      <Form method="post">
        <Button variant="primary" type="submit">
          Yes, confirm my address
        </Button>
      </Form>
    </AccountPage>
  );
}
