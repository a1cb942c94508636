import type { RouterContextProvider } from "react-router";
import { appendRedirectParameter } from "../sign-in/redirect-target.server.ts";
import { expiryReason } from "./session-expiry.ts";
import { readSid } from "./session-cookie.server.ts";
import { findExpiredSession, getCookieHeader } from "./session.server.ts";
import { hasUnsentForm, type UnsentFormOutcome } from "./unsent-form.server.ts";

/** Query parameter of the sign-in page: the outcome of the form that led there, unless the form is stored. */
const OUTCOME_PARAMETER = "unsent";
const PAYMENT_PATH = "/appointments/pay";
const SESSION_ENDED_MESSAGE = "You were signed out on this device.";

/**
 * Returns the URL of the sign-in page, which leads back to `returnPath` if given. `outcome` is that of a form that was
 * posted without a session; it is only shown in a browser that had one.
 */
export async function buildSignInPathWithOutcome(
  context: Readonly<RouterContextProvider>,
  returnPath: string | null,
  outcome: UnsentFormOutcome | null,
): Promise<string> {
  const path = returnPath === null ? "/login" : appendRedirectParameter("/login", returnPath);
  if (outcome === null || outcome === "stored" || (outcome === "nothing-typed" && returnPath === null)) return path;
  if ((await readSid(getCookieHeader(context))) === null) return path;
  return `${path}${path.includes("?") ? "&" : "?"}${OUTCOME_PARAMETER}=${outcome}`;
}

/**
 * Returns the notice on the sign-in page at `url`, which leads on to `redirectTo`, about a session that the user did
 * not end, and about a form that was sent afterward; null if the browser had no session.
 */
export async function signedOutNotice(request: Request, url: URL, redirectTo: string): Promise<string | null> {
  const cookieHeader = request.headers.get("cookie");
  if ((await readSid(cookieHeader)) === null) return null;
  const expired = await findExpiredSession(cookieHeader);
  const isStored = redirectTo !== "/" && (await hasUnsentForm(request, redirectTo));
  const text = describeUnsentFormOutcome(isStored ? "stored" : url.searchParams.get(OUTCOME_PARAMETER), redirectTo);
  if (!expired) return text === null ? SESSION_ENDED_MESSAGE : `${SESSION_ENDED_MESSAGE} ${text}`;
  const reason = expiryReason(JSON.parse(expired.sess), expired.expire);
  return `${reason} ${text ?? "Nothing you sent is lost."}`;
}

function describeUnsentFormOutcome(outcome: string | null, redirectTo: string): string | null {
  if (outcome !== null && redirectTo === PAYMENT_PATH)
    return "Your payment was not sent, and your card was not charged.";
  if (outcome === "stored")
    return "Your form was not sent yet. What you typed is kept for one hour. Sign in, and you'll find it in the form again.";
  if (outcome === "discarded") return "What you typed on that page was not kept.";
  if (outcome === "nothing-typed") return "Your last step didn't go through. Sign in, and try it again.";
  return null;
}
