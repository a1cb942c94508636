import { type ComponentType, lazy } from "react";

/** The URL of the document that the server rendered. */
const initialUrl = typeof location === "undefined" ? "" : location.href;

/**
 * Creates a component in a separate chunk, which is loaded when it is first rendered. Needs a `<Suspense>`. When
 * loading fails, the server's HTML stays and works as without JavaScript. A page that was not rendered by the server is
 * loaded as a document.
 */
// oxlint-disable-next-line no-explicit-any
export function lazyComponent<Component extends ComponentType<any>>(load: () => Promise<Component>) {
  return lazy(async () => ({ default: await load().catch(reloadOrSuspendOnLoadError) }));
}

function reloadOrSuspendOnLoadError(error: unknown): Promise<never> {
  if (typeof location === "undefined") throw error;
  if (location.href !== initialUrl) location.reload();
  return new Promise(() => {});
}
