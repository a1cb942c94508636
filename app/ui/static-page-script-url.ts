import address from "./static-page-script.ts?worker&url";

/** Where the script of documents lies: a file of its own, named after its content. */
export const staticPageScriptUrl = address;
