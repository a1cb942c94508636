import address from "./passkey-script.ts?worker&url";

/** The URL of the script of static pages with a passkey form; see ui/unhydrated-page-script-url.ts. */
export const passkeyScriptUrl = address;
