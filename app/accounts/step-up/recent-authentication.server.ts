import { type MiddlewareFunction, redirectDocument, type RouterContextProvider } from "react-router";
import { recordAuditNow } from "../../audit/record-audit.server.ts";
import { now } from "../../clock.ts";
import { MINUTE_MS } from "../../time-units.ts";
import { accepted, invalidField, type Outcome, type Refusal, refused } from "../../http/outcome.ts";
import { refererPath, appendRedirectParameter } from "../sign-in/redirect-target.server.ts";
import { DOWNLOAD_PARAMETER, buildInterruptedDownloadLink } from "./interrupted-download.ts";
import { verifyOwnPassword } from "../passwords/own-password.server.ts";
import type { AssertionCredential } from "../passkeys/passkey-credential-schemas.ts";
import { verifyOwnPasskey } from "../passkeys/verify-passkey.server.ts";
import { familyIdOf } from "../person.ts";
import {
  findAuthenticatorAppState,
  requiresSecondFactor,
  verifyOwnSecondFactorCode,
} from "../second-factor/second-factor.server.ts";
import { getPossiblyRestrictedSession } from "../sessions/session.server.ts";
import { consumeIdentityConfirmationLimits } from "../sign-in/credential-limits.server.ts";
import {
  flushSessionUpdates,
  type Session,
  type SessionData,
  updateSession,
} from "../sessions/session-store.server.ts";
import { saveUnsentForm } from "../sessions/unsent-form.server.ts";

/** How long a password, code or passkey counts as recent, in the session in which it was entered. */
export const RECENT_AUTHENTICATION_MINUTES = 10;
export const CONFIRM_IDENTITY_PATH = "/confirm-identity";

type Context = Readonly<RouterContextProvider>;
/** A request, and the form that was sent with it. */
type InterruptedRequest = { request: Request; url: URL; form: Request | FormData };
type Credentials = { password?: string | null; code?: string | null };

/** Refusal for endpoints under /api, whose callers sign in again. */
export const stepUpRefusal: Refusal = refused(
  "forbidden",
  `Please sign in again. This works for ${RECENT_AUTHENTICATION_MINUTES} minutes after a sign-in.`,
);

/**
 * Checks whether the person entered the password, code or passkey in this request's session within the last ten
 * minutes.
 */
export function isRecentlyAuthenticated(context: Context): boolean {
  const session = getPossiblyRestrictedSession(context);
  return session !== null && isRecent(getLastAuthenticationTime(session.data));
}

/**
 * Checks whether the password, code or passkey was entered within the last ten minutes for the page at `path`, and the
 * page has not used it yet.
 */
export function hasRecentlyConfirmedFor(context: Context, path: string): boolean {
  const { authenticatedAt = 0, authenticatedFor } = getPossiblyRestrictedSession(context)?.data ?? {};
  return authenticatedFor === pathnameOf(path) && isRecent(authenticatedAt);
}

/**
 * Returns when a session's password, code or passkey was last entered, including its sign-in, in milliseconds since
 * 1970.
 */
export function getLastAuthenticationTime({ signedInAt, authenticatedAt = 0 }: SessionData): number {
  return Math.max(signedInAt, authenticatedAt);
}

/**
 * Returns since when the account has had the app whose code confirmed the person's identity for the page at `path` (UTC);
 * null if it was the password or a passkey, or if `hasRecentlyConfirmedFor` is false.
 */
export function confirmedFactorSince(context: Context, path: string): Date | null {
  const since = getPossiblyRestrictedSession(context)?.data.authenticatedFactorSince;
  return since !== undefined && hasRecentlyConfirmedFor(context, path) ? new Date(since) : null;
}

function isRecent(time: number): boolean {
  return now().getTime() - time < RECENT_AUTHENTICATION_MINUTES * MINUTE_MS;
}

/**
 * Redirects to the page that asks for the password or code, unless it was entered within the last ten minutes. That
 * page leads back to the page of the request, whose form then contains the typed fields in `form` again.
 */
export async function requireRecentAuthentication(context: Context, interrupted: InterruptedRequest): Promise<void> {
  if (!isRecentlyAuthenticated(context)) throw await saveFormAndBuildConfirmRedirect(context, interrupted);
}

/**
 * Does the same as `requireRecentAuthentication`, for changes that could end the owner's access: accepts only the
 * password, code or passkey that was entered for this page. A copy of the session also includes the sign-in, and
 * confirmations for other pages.
 */
export async function requireReauthenticationForPage(context: Context, interrupted: InterruptedRequest): Promise<void> {
  if (!hasRecentlyConfirmedFor(context, interrupted.url.pathname))
    throw await saveFormAndBuildConfirmRedirect(context, interrupted);
}

/** Uses up the confirmation that `requireReauthenticationForPage` accepted, so that the next change asks again. */
export async function consumeIdentityConfirmation(context: Context): Promise<void> {
  const session = getPossiblyRestrictedSession(context);
  if (!session) return;
  updateSession(session, ({ authenticatedFor: _, authenticatedFactorSince: __, ...data }) => data);
  await flushSessionUpdates(session);
}

/** Builds the redirect to the page that asks for the password or code. Saves the fields of a posted form. */
export async function saveFormAndBuildConfirmRedirect(
  context: Context,
  { request, url, form }: InterruptedRequest,
): Promise<Response> {
  const isPost = request.method === "POST";
  const ownPath = url.pathname + url.search;
  const download = isPost ? null : buildInterruptedDownloadLink(ownPath);
  // A download does not replace the page from which it was started, so a message on that page links to the file.
  const origin = isPost || download ? refererPath(request, url) : null;
  const returnPath = origin ?? ownPath;
  if (isPost) await saveUnsentForm(context, form, returnPath);
  const confirmPath = appendRedirectParameter(CONFIRM_IDENTITY_PATH, returnPath);
  if (!origin || !download) return redirectDocument(confirmPath);
  const separator = confirmPath.includes("?") ? "&" : "?";
  return redirectDocument(`${confirmPath}${separator}${DOWNLOAD_PARAMETER}=${encodeURIComponent(download.href)}`);
}

/**
 * Redirects to the page that asks for the password or code. Middleware of routes that a stolen session must not reach.
 */
export const recentAuthenticationMiddleware: MiddlewareFunction<Response> = async ({ request, context, url }, next) => {
  await requireRecentAuthentication(context, { request, url, form: request });
  return next();
};

/**
 * Verifies the person's code if there is a second factor, otherwise the password, and stores the time in this session
 * only, with the page for which it was entered. `ip` is the client's. Refusals: invalid (`code`, `password`), tooMany,
 * unauthorized.
 */
export async function reauthenticate(
  context: Context,
  fields: Credentials,
  { ip, path }: { ip: string; path: string },
): Promise<Outcome<null>> {
  const session = getPossiblyRestrictedSession(context);
  if (!session) return refused("unauthorized", "Please sign in.");
  const rateLimitRefusal = await consumeIdentityConfirmationLimits(session.person.id, session.sid);
  if (rateLimitRefusal) return rateLimitRefusal;
  const verified = await verifyOwnCredential(session, fields, ip);
  return verified.ok ? recordAuthentication(session, path, verified.value) : verified;
}

/**
 * Does the same as `reauthenticate` with one of the person's passkeys. `cookieHeader` contains the cookie of the
 * challenge.
 */
export async function reauthenticateWithPasskey(
  context: Context,
  assertion: AssertionCredential,
  source: { cookieHeader: string | null; ip: string; path: string },
): Promise<Outcome<null>> {
  const session = getPossiblyRestrictedSession(context);
  if (!session) return refused("unauthorized", "Please sign in.");
  const rateLimitRefusal = await consumeIdentityConfirmationLimits(session.person.id, session.sid);
  if (rateLimitRefusal) return rateLimitRefusal;
  const verified = await verifyOwnPasskey(session, assertion, source);
  return verified.ok ? recordAuthentication(session, source.path, null) : verified;
}

async function recordAuthentication(session: Session, path: string, factorSince: Date | null): Promise<Outcome<null>> {
  const { person } = session;
  const familyId = familyIdOf(person);
  await recordAuditNow({ action: "identity-confirmed", actorId: person.id, familyId, objectId: person.id });
  updateSession(session, ({ authenticatedFactorSince: _, ...data }) => ({
    ...data,
    ...(factorSince && { authenticatedFactorSince: factorSince.getTime() }),
    authenticatedAt: now().getTime(),
    authenticatedFor: pathnameOf(path),
  }));
  await flushSessionUpdates(session);
  return accepted(null);
}

function pathnameOf(path: string): string {
  return path.replace(/[?#].*/s, "");
}

/** Returns since when the account has had the app whose code was right; null for a password. */
async function verifyOwnCredential(
  { person, sid }: Session,
  { password, code }: Credentials,
  ip: string,
): Promise<Outcome<Date | null>> {
  if (!(await requiresSecondFactor(person.id))) {
    if (!password) return invalidField("password", "Enter your password.");
    const verified = await verifyOwnPassword(person, password, { sid, ip, field: "password" });
    return verified.ok ? accepted(null) : verified;
  }
  const { confirmedAt } = await findAuthenticatorAppState(person);
  const verified = await verifyOwnSecondFactorCode(person, code, { sid, ip });
  // The second factor was turned off in the meantime, so nothing was verified.
  if (verified.ok && verified.value === "not-enrolled") return invalidField("password", "Enter your password.");
  return verified.ok ? accepted(confirmedAt) : verified;
}
