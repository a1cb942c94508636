import { type MiddlewareFunction, redirectDocument, type RouterContextProvider } from "react-router";
import { recordAccess } from "../../audit/record.server.ts";
import { now } from "../../clock.ts";
import { MINUTE_MS } from "../../duration.ts";
import { accepted, invalidField, type Outcome, type Refusal, refused } from "../../http/outcome.ts";
import { refererPath, addRedirectTo } from "../guards.server.ts";
import { verifyOwnPassword } from "../passwords/own-password.server.ts";
import type { Assertion } from "../passkeys/credential-schemas.ts";
import { verifyOwnPasskey } from "../passkeys/verify-passkey.server.ts";
import { familyIdOf } from "../person.ts";
import { hasSecondFactor, verifyOwnCode } from "../second-factor/second-factor.server.ts";
import { getSession } from "../sessions/session.server.ts";
import { saveSession, type Session, updateSession } from "../sessions/session-store.server.ts";
import { saveUnsentForm } from "../sessions/unsent-form.server.ts";

/** How long a password, code or passkey counts, in the session that it was given in. */
export const RECENT_MINUTES = 10;
export const CONFIRM_IDENTITY_PATH = "/confirm-identity";

type Context = Readonly<RouterContextProvider>;
type Credentials = { password?: string | null; code?: string | null };

/** For endpoints under /api, whose callers sign in again. */
export const stepUpRefusal: Refusal = refused(
  "forbidden",
  `Please sign in again. This works for ${RECENT_MINUTES} minutes after a sign-in.`,
);

/** Whether the person of this request's session gave the password, code or passkey within the last ten minutes. */
export function isRecentlyAuthenticated(context: Context): boolean {
  const session = getSession(context);
  if (!session) return false;
  const { signedInAt, authenticatedAt = 0 } = session.data;
  return now().getTime() - Math.max(signedInAt, authenticatedAt) < RECENT_MINUTES * MINUTE_MS;
}

/**
 * Redirects to the page that asks for the password or code, unless it was given within the last ten minutes. That page
 * leads back to the page of the request, whose form then contains the typed fields in `form` again.
 */
export async function requireRecentAuthentication(
  context: Context,
  { request, url, form }: { request: Request; url: URL; form: Request | FormData },
): Promise<void> {
  if (isRecentlyAuthenticated(context)) return;
  const isPost = request.method === "POST";
  // A download does not replace the page that it was started from.
  const origin = isPost || /\.(?:zip|csv)$/.test(url.pathname) ? refererPath(request, url) : null;
  const returnPath = origin ?? url.pathname + url.search;
  if (isPost) await saveUnsentForm(context, form, returnPath);
  throw redirectDocument(addRedirectTo(CONFIRM_IDENTITY_PATH, returnPath));
}

/** Middleware of routes that a stolen session must not reach. */
export const recentAuthenticationMiddleware: MiddlewareFunction<Response> = async ({ request, context, url }, next) => {
  await requireRecentAuthentication(context, { request, url, form: request });
  return next();
};

/**
 * Verifies the person's code where there is a second factor, else the password, and stores the time in this session
 * alone. `ip` is the client's. Refusals: invalid (`code`, `password`), tooMany, unauthorized.
 */
export async function authenticateAgain(context: Context, fields: Credentials, ip: string): Promise<Outcome<null>> {
  const session = getSession(context);
  if (!session) return refused("unauthorized", "Please sign in.");
  const verified = await verifyCredentials(session, fields, ip);
  return verified.ok ? recordAuthentication(session) : verified;
}

/** Like `authenticateAgain`, with one of the person's passkeys; the cookie is that of the challenge. */
export async function authenticateAgainWithPasskey(
  context: Context,
  assertion: Assertion,
  source: { cookieHeader: string | null; ip: string },
): Promise<Outcome<null>> {
  const session = getSession(context);
  if (!session) return refused("unauthorized", "Please sign in.");
  const verified = await verifyOwnPasskey(session, assertion, source);
  return verified.ok ? recordAuthentication(session) : verified;
}

async function recordAuthentication(session: Session): Promise<Outcome<null>> {
  const { person } = session;
  const familyId = familyIdOf(person);
  await recordAccess({ action: "identity-confirmed", actorId: person.id, familyId, objectId: person.id });
  updateSession(session, (data) => ({ ...data, authenticatedAt: now().getTime() }));
  await saveSession(session);
  return accepted(null);
}

async function verifyCredentials(
  { person, sid }: Session,
  { password, code }: Credentials,
  ip: string,
): Promise<Outcome<unknown>> {
  if (!(await hasSecondFactor(person.id))) {
    return password
      ? verifyOwnPassword(person, password, { sid, ip, field: "password" })
      : invalidField("password", "Enter your password.");
  }
  const verified = await verifyOwnCode(person, code, { sid, ip });
  // Turned off meanwhile: nothing was verified.
  const isAbsent = verified.ok && verified.value === "absent";
  return isAbsent ? invalidField("password", "Enter your password.") : verified;
}
