import address from "./unhydrated-page-script.ts?worker&url";

/**
 * The URL of the script of static pages. `?worker&url` makes Vite emit it as a plain script with a hash in its name.
 */
export const unhydratedPageScriptUrl = address;
