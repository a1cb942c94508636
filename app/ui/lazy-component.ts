import { type ComponentType, lazy } from "react";

/** The address that the server drew. */
const initialUrl = typeof location === "undefined" ? "" : location.href;

/**
 * A component in a file of its own, loaded where it is first drawn; to stand in a `<Suspense>`. When that file is lost,
 * the server's page stays as it is, and works as without a script; a page that was not the server's is loaded whole.
 */
// oxlint-disable-next-line no-explicit-any
export function lazyComponent<Component extends ComponentType<any>>(load: () => Promise<Component>) {
  return lazy(async () => ({ default: await load().catch(handleLoadError) }));
}

function handleLoadError(error: unknown): Promise<never> {
  if (typeof location === "undefined") throw error;
  if (location.href !== initialUrl) location.reload();
  return new Promise(() => {});
}
