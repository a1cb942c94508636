import { env } from "../env.server.ts";

/** The page of a video visit, in every spelling that leads there. */
const VIDEO_CALL_PATH = /^\/video-call\/[^/]+\/?$/i;

/** What every answer carries, pages and files and JSON alike. Camera and microphone are the call page's alone. */
export function commonHeaders(path: string): Readonly<Record<string, string>> {
  return VIDEO_CALL_PATH.test(path) ? VIDEO_CALL_HEADERS : COMMON_HEADERS;
}

export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  "X-Content-Type-Options": "nosniff",
  // Not `no-referrer`: with it browsers send `Origin: null` with our own forms.
  "Referrer-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "X-Frame-Options": "DENY",
  "Permissions-Policy": permissionsPolicy({ camera: "()", microphone: "()" }),
  ...(env.isPublic ? { "Strict-Transport-Security": "max-age=63072000; includeSubDomains" } : {}),
};
const VIDEO_CALL_HEADERS = {
  ...COMMON_HEADERS,
  "Permissions-Policy": permissionsPolicy({ camera: "(self)", microphone: "(self)" }),
};

/** What the call page reaches: our own socket, which older browsers don't count among `'self'`. */
export function videoCallCsp(): Record<string, string[]> {
  return { "connect-src": [env.origin.replace(/^http/, "ws")] };
}

/** For everything that is no page: nothing may run or load, wherever it is opened. */
export const NON_HTML_CSP = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'";

/**
 * The policy of a page: without a nonce no inline script runs at all. `more` names what one page may load from
 * elsewhere, by directive.
 */
export function pageCsp(nonce?: string, extraSources: Readonly<Record<string, string[]>> = {}): string {
  // Vite's own inline scripts and its socket, while developing.
  const scriptSources = env.isDevelopment ? "'self' 'unsafe-inline'" : nonce ? `'self' 'nonce-${nonce}'` : "'self'";
  const styleSources = env.isDevelopment ? "'self' 'unsafe-inline'" : "'self'";
  const directives: Record<string, string> = {
    "default-src": "'none'",
    "script-src": scriptSources,
    "style-src": styleSources,
    "img-src": "'self' data:",
    "font-src": "'self'",
    "connect-src": `'self'${env.isDevelopment ? " ws:" : ""}`,
    "manifest-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "object-src": "'none'",
    "frame-ancestors": "'none'",
    ...("frame-src" in extraSources ? { "frame-src": "" } : {}),
  };
  return Object.entries(directives)
    .map(([name, value]) => [name, value, ...(extraSources[name] ?? [])].filter(Boolean).join(" "))
    .join("; ");
}

function permissionsPolicy(allowed: Record<string, string>): string {
  const denied = { geolocation: "()", payment: "()", usb: "()", "display-capture": "()", "browsing-topics": "()" };
  return Object.entries({ ...allowed, ...denied })
    .map(([feature, allowlist]) => `${feature}=${allowlist}`)
    .join(", ");
}
