import { type MiddlewareFunction, redirect, redirectDocument, type RouterContextProvider } from "react-router";
import { forgetKeptForm, keepForm } from "./kept-form.server.ts";
import type { Person } from "./person.ts";
import { visitOf } from "./session.server.ts";

/** Says that someone is still there; nothing is sent from the page with it. */
const STAY = "/stay-signed-in";

/** A page's address grows threefold inside another; proxies and browsers drop answers whose headers exceed 16 KiB. */
const MAX_ADDRESS_CHARACTERS = 4096;

/** The signed-in person, or null for a visitor. */
export function visitorOf(context: Readonly<RouterContextProvider>): Person | null {
  return visitOf(context)?.person ?? null;
}

/** The same on the page of a failure: nobody where even the sign-in could not be looked up. */
export function visitorAsFarAsKnown(context: Readonly<RouterContextProvider>): Person | null {
  try {
    return visitorOf(context);
  } catch {
    return null;
  }
}

/** The signed-in person of a guarded route. */
export function personOf(context: Readonly<RouterContextProvider>): Person {
  const person = visitorOf(context);
  if (!person) throw new Error("This route has no guard.");
  return person;
}

/** Visitors are sent to sign in and come back to where they were going, with what they had typed. */
export const signedInOnly: MiddlewareFunction<Response> = async ({ request, context, url }, next) => {
  const sends = request.method === "POST";
  const referrer = sends ? referringPage(request, url) : null;
  const page = referrer ?? url.pathname + url.search;
  if (!visitorOf(context)) {
    const comesBack = !sends || (await keepForm(context, request, page)) || referrer !== null;
    const back = encodeURIComponent(page);
    const isSendable = back.length <= MAX_ADDRESS_CHARACTERS;
    throw redirectDocument(comesBack && isSendable ? `/login?redirectTo=${back}` : "/login");
  }
  const response = await next();
  if (sends && url.pathname !== STAY && response.status < 500) await forgetKeptForm(context, request, page);
  return response;
};

/** The page of ours that a form stands on, as far as the browser says so. */
function referringPage(request: Request, url: URL): string | null {
  const referrer = URL.parse(request.headers.get("referer") ?? "");
  return referrer?.host === url.host ? ownPath(referrer.pathname + referrer.search) : null;
}

/** Booking is the families' screen; the consultant has her own. */
export const clientOnly: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  if (!personOf(context).isAdmin) return next();
  if (request.method === "GET" || request.method === "HEAD") throw redirect("/dashboard");
  throw forbidden();
};

export const adminOnly: MiddlewareFunction<Response> = async ({ context }, next) => {
  if (personOf(context).isAdmin) return next();
  throw forbidden();
};

function forbidden(): Response {
  return new Response("You don't have access to this page.", { status: 403, statusText: "Forbidden" });
}

/** Where a person goes after signing in: a page of ours, never another site's. */
export function ownPath(path: string | null | undefined): string {
  if (!path || !/^\/(?![/\\])/.test(path) || /[\p{Cc}\\]/u.test(path)) return "/";
  const base = "https://own.invalid";
  const url = URL.canParse(path, base) ? new URL(path, base) : null;
  return url?.origin === base && !url.pathname.startsWith("//") ? url.pathname + url.search : "/";
}
