import { data, Form, redirectDocument } from "react-router";
import { HTTP_STATUS } from "../../http/outcome.ts";
import { Button } from "../../ui/button.tsx";
import type { PageHandle } from "../../ui/page-handle.ts";
import { PageMeta } from "../../ui/page-meta.tsx";
import { NarrowPage } from "../narrow-page.tsx";
import { BrokenLinkPage } from "../links/broken-link-page.tsx";
import { getPerson } from "../guards.server.ts";
import { getLinkSource } from "../links/rate-limited-link-lookup.server.ts";
import { appendRedirectParameter } from "../sign-in/redirect-target.server.ts";
import { flash } from "../sessions/flash.server.ts";
import { refreshKnownDeviceCookie, setRetryAfter } from "../sessions/session.server.ts";
import type { Route } from "./+types/confirm-email";
import { checkConfirmationLink, redeemConfirmationLink } from "./confirm-email.server.ts";

export const handle: PageHandle = { unhydrated: true };

const CONFIRMED_NOTICE = { title: "Address Confirmed", description: "Thank you. Our messages come to this address." };
const CHANGED_NOTICE = {
  title: "Address Changed",
  description: "From now on you sign in with your new address, and our messages come there.",
};

/** Changes nothing, because mail clients and virus scanners open links too. */
export async function loader({ params, context }: Route.LoaderArgs) {
  return toConfirmationLinkResponse(context, await checkConfirmationLink(params.token, getLinkSource(context)));
}

/**
 * Confirms the address only in a session of the account. Otherwise the owner of an address could, by pressing a button
 * in our message, confirm it for another person who registered with it.
 */
export async function action({ params, context, url }: Route.ActionArgs) {
  const source = getLinkSource(context);
  const person = getPerson(context);
  const link = await checkConfirmationLink(params.token, source);
  if (!link.ok) return toConfirmationLinkResponse(context, link);
  const redirectToSignIn = () => redirectDocument(appendRedirectParameter("/login", url.pathname));
  if (!person) throw redirectToSignIn();
  const outcome = await redeemConfirmationLink(params.token, { ...source, person });
  if (!outcome.ok && outcome.reason === "unauthorized") throw redirectToSignIn();
  if (!outcome.ok) return toConfirmationLinkResponse(context, outcome);
  if (outcome.value.isChange) await refreshKnownDeviceCookie(context);
  flash(context, outcome.value.isChange ? CHANGED_NOTICE : CONFIRMED_NOTICE);
  throw redirectDocument("/dashboard");
}

function toConfirmationLinkResponse(
  context: Route.LoaderArgs["context"],
  outcome: Awaited<ReturnType<typeof checkConfirmationLink>>,
) {
  const isSignedIn = getPerson(context) !== null;
  if (outcome.ok) {
    const { email, isChange } = outcome.value;
    return data({ refusal: null, email, isChange, isSignedIn });
  }
  setRetryAfter(context, outcome.retryAfterSeconds);
  const refused = { refusal: outcome.message, email: null, isChange: false, isSignedIn };
  return data(refused, { status: HTTP_STATUS[outcome.reason] });
}

export default function ConfirmEmail({ loaderData, actionData }: Route.ComponentProps) {
  const refusal = actionData?.refusal ?? loaderData.refusal;
  if (refusal) return <BrokenLinkPage reason={refusal} />;
  const result = loaderData.isChange
    ? "your account uses this address. Your other devices are signed out."
    : "we know that our messages reach you.";
  const signInInstruction = loaderData.isChange ? "sign in with your old address first" : "sign in first";
  return (
    <NarrowPage
      heading="Is this your email address?"
      lead={loaderData.isSignedIn ? `One tap, and ${result}` : `We ask you to ${signInInstruction}. Then ${result}`}
    >
      <PageMeta>Is this your email address?</PageMeta>
      <p className="font-bold wrap-anywhere">{loaderData.email}</p>
      {loaderData.isChange ? (
        <p>Didn't ask for this? Just close this page: nothing changes unless you press the button.</p>
      ) : (
        <p>
          Didn't make an account with us? Then someone else used your address. Don't confirm it. Please{" "}
          <a href="/forgot-password">choose your own password</a> or call us.
        </p>
      )}
      <Form method="post">
        <Button variant="primary" type="submit">
          Yes, confirm my address
        </Button>
      </Form>
    </NarrowPage>
  );
}
