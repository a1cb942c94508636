import type { BrowserContext } from "playwright";
import type { TestClient } from "../http-client.ts";

/** Gives a browser the session of a person who is signed in at the site. */
export async function addSessionCookies(
  context: BrowserContext,
  { origin }: { origin: string },
  { cookies }: Pick<TestClient, "cookies">,
): Promise<void> {
  await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: origin })));
}
