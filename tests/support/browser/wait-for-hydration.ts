import type { Page } from "playwright/test";

/** Waits until all parts of the page are hydrated, their effects have run and the page's dialogs are modal. */
export async function waitForHydration(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    type Fiber = { memoizedState?: { dehydrated?: unknown }; child: Fiber | null; sibling: Fiber | null };
    if (document.querySelector("dialog[open]:not(:modal)")) return false;
    if (!document.querySelector("script[type=module]")) return true;
    const key = Object.keys(document).find((name) => name.startsWith("__reactContainer"));
    if (key === undefined) return false;
    const root = Reflect.get(document, key).stateNode.current as Fiber & { memoizedState: { isDehydrated: boolean } };
    if (root.memoizedState.isDehydrated) return false;
    const fibers: Fiber[] = [root];
    for (let fiber = fibers.pop(); fiber; fiber = fibers.pop()) {
      // A part whose code is loaded on demand is hydrated when that has come.
      if (fiber.memoizedState?.dehydrated) return false;
      for (const next of [fiber.child, fiber.sibling]) if (next) fibers.push(next);
    }
    return true;
  });
  // React runs effects in tasks of a message channel, which are not delayed by a fake clock.
  await page.evaluate(async () => {
    for (let task = 0; task < 3; task += 1)
      await new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.addEventListener("message", resolve, { once: true });
        port1.start();
        port2.postMessage(null);
      });
  });
}
