import { type MiddlewareFunction, redirect, redirectDocument, type RouterContextProvider } from "react-router";
import { HTTP_STATUS } from "../http/outcome.ts";
import { discardUnsentForm, saveUnsentForm } from "./sessions/unsent-form.server.ts";
import type { Person } from "./person.ts";
import { getPossiblyRestrictedSession } from "./sessions/session.server.ts";
import { buildSignInPathWithOutcome } from "./sessions/signed-out-notice.server.ts";
import { appendRedirectParameter, refererPath, sanitizeRedirectPath } from "./sign-in/redirect-target.server.ts";

/** Path that extends the session. It does not submit any form of the page. */
const KEEPALIVE_PATH = "/stay-signed-in";

/** The only page that each kind of restricted session may open. */
const ALLOWED_PATH_BY_RESTRICTION = { "second-factor": "/second-factor", "pending-erasure": "/keep-account" } as const;

/**
 * Returns the signed-in person; null for a visitor, for an administrator who has yet to set up the second factor, and
 * for a family whose account is about to be erased.
 */
export function getPerson(context: Readonly<RouterContextProvider>): Person | null {
  const session = getPossiblyRestrictedSession(context);
  return session && !session.restriction ? session.person : null;
}

/**
 * Returns the person whose account is about to be erased, and until when it can be kept (UTC); null for everyone else.
 */
export function getPersonPendingErasure(
  context: Readonly<RouterContextProvider>,
): { person: Person; eraseAfter: Date } | null {
  const session = getPossiblyRestrictedSession(context);
  return session?.eraseAfter ? { person: session.person, eraseAfter: session.eraseAfter } : null;
}

/** Returns the person who may set up a second factor: any signed-in person, including an administrator who has to. */
export function getPersonForSecondFactorSetup(context: Readonly<RouterContextProvider>): Person | null {
  const session = getPossiblyRestrictedSession(context);
  return session && session.restriction !== "pending-erasure" ? session.person : null;
}

/** Does the same as `getPerson`, for error pages: also returns null when the session lookup failed. */
export function tryGetPerson(context: Readonly<RouterContextProvider>): Person | null {
  try {
    return getPerson(context);
  } catch {
    return null;
  }
}

/** Returns the signed-in person. Throws on a route without a guard. */
export function requirePerson(context: Readonly<RouterContextProvider>): Person {
  const person = getPerson(context);
  if (!person) throw new Error("This route has no guard.");
  return person;
}

/**
 * Redirects visitors to the sign-in page, which leads back to the requested page. Does the same when the session has
 * ended by the time a form is processed. Saves the fields of a posted form.
 */
export const signedInMiddleware: MiddlewareFunction<Response> = async ({ request, context, url }, next) => {
  const isPost = request.method === "POST";
  const referrer = isPost ? refererPath(request, url) : null;
  const returnPath = referrer ?? url.pathname + url.search;
  const restriction = getPossiblyRestrictedSession(context)?.restriction;
  if (restriction) throw redirectDocument(ALLOWED_PATH_BY_RESTRICTION[restriction]);
  if (!getPerson(context)) {
    const outcome = isPost ? await saveUnsentForm(context, request, returnPath) : null;
    const canReturn = !isPost || outcome === "stored" || referrer !== null;
    throw redirectDocument(await buildSignInPathWithOutcome(context, canReturn ? returnPath : null, outcome));
  }
  const response = await next();
  if (response.status === HTTP_STATUS.unauthorized)
    throw redirectDocument(appendRedirectParameter("/login", returnPath));
  if (isPost && url.pathname !== KEEPALIVE_PATH && response.status < 500)
    await discardUnsentForm(context, request, returnPath);
  return response;
};

/** Guards the page at `path`, which is also available to an administrator who has yet to set up the second factor. */
export function allowSecondFactorSetup(path: string): MiddlewareFunction<Response> {
  return async ({ context }, next) => {
    const response = getPersonForSecondFactorSetup(context) && (await next());
    if (!response || response.status === HTTP_STATUS.unauthorized)
      throw redirectDocument(appendRedirectParameter("/login", path));
    return response;
  };
}

/** Redirects the administrator to her own dashboard, because booking is for families. */
export const familyOnlyMiddleware: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  if (!requirePerson(context).isAdmin) return next();
  if (request.method === "GET" || request.method === "HEAD") throw redirect("/dashboard");
  throw forbiddenResponse();
};

export const adminOnlyMiddleware: MiddlewareFunction<Response> = async ({ context }, next) => {
  if (requirePerson(context).isAdmin) return next();
  throw forbiddenResponse();
};

function forbiddenResponse(): Response {
  return new Response("You don't have access to this page.", { status: 403, statusText: "Forbidden" });
}

/**
 * Returns the page to open after a sign-in: the one page of a restricted session, otherwise `path` if it belongs to
 * this site.
 */
export function resolveSignInRedirect(context: Readonly<RouterContextProvider>, path: string | null): string {
  const restriction = getPossiblyRestrictedSession(context)?.restriction;
  return restriction ? ALLOWED_PATH_BY_RESTRICTION[restriction] : sanitizeRedirectPath(path);
}
