import { env } from "../env.server.ts";

/** Matches the video call page in every spelling that the router accepts. */
const VIDEO_CALL_PATH = /^\/video-call\/[^/]+\/?$/i;

/** Matches the pages that request a passkey. `NEW_PASSKEY_PATH` matches the page that adds one. */
const PASSKEY_PATHS = /^\/(login|login\/code|login\/passkey|confirm-identity)\/?$/i;
const NEW_PASSKEY_PATH = /^\/passkeys\/?$/i;

/**
 * Returns the headers of every response. Only the pages that need the camera, microphone or passkeys are permitted to
 * use them.
 */
export function commonHeaders(path: string): Readonly<Record<string, string>> {
  if (PASSKEY_PATHS.test(path)) return PASSKEY_HEADERS;
  if (NEW_PASSKEY_PATH.test(path)) return NEW_PASSKEY_HEADERS;
  return VIDEO_CALL_PATH.test(path) ? VIDEO_CALL_HEADERS : COMMON_HEADERS;
}

export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  "X-Content-Type-Options": "nosniff",
  // `no-referrer` would make browsers send `Origin: null` with this site's own forms.
  "Referrer-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "X-Frame-Options": "DENY",
  "Permissions-Policy": permissionsPolicy(),
  ...(env.isPublic ? { "Strict-Transport-Security": "max-age=63072000; includeSubDomains" } : {}),
};
const VIDEO_CALL_HEADERS = {
  ...COMMON_HEADERS,
  "Permissions-Policy": permissionsPolicy("camera", "microphone"),
};
const PASSKEY_HEADERS = { ...COMMON_HEADERS, "Permissions-Policy": permissionsPolicy("publickey-credentials-get") };
const NEW_PASSKEY_HEADERS = {
  ...COMMON_HEADERS,
  "Permissions-Policy": permissionsPolicy("publickey-credentials-create"),
};

/**
 * Returns the additional CSP sources of the video call page: its WebSocket, which older browsers don't include in
 * `'self'`.
 */
export function videoCallCspSources(): Record<string, string[]> {
  return { "connect-src": [env.origin.replace(/^http/, "ws")] };
}

/** CSP of responses that are not HTML: nothing may run or load. */
export const NON_HTML_CSP = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'";

/** Builds the CSP of a page. Without a nonce, inline scripts may not run. `extraSources` adds sources by directive. */
export function pageCsp(nonce?: string, extraSources: Readonly<Record<string, string[]>> = {}): string {
  // In development, Vite uses inline scripts and a WebSocket.
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

function permissionsPolicy(...allowedFeatures: string[]): string {
  const features = [
    "camera",
    "microphone",
    "publickey-credentials-get",
    "publickey-credentials-create",
    "geolocation",
    "payment",
    "usb",
    "display-capture",
    "browsing-topics",
  ];
  return features.map((feature) => `${feature}=${allowedFeatures.includes(feature) ? "(self)" : "()"}`).join(", ");
}
