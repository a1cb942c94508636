import type { BrowserContext, Request } from "playwright";

/** Transferred bytes of bodies; inline scripts are counted uncompressed. */
export type PageWeight = {
  page: string;
  requests: number;
  bytes: number;
  scripts: string[];
  scriptBytes: number;
  inlineScriptBytes: number;
};

/** Opens each page with an empty cache, scrolls to its end and counts the transferred bytes. */
export async function measurePageWeights(
  context: BrowserContext,
  origin: string,
  pages: string[],
): Promise<PageWeight[]> {
  const weights: PageWeight[] = [];
  for (const path of pages) {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send("Network.setCacheDisabled", { cacheDisabled: true });
    const requests: Request[] = [];
    page.on("requestfinished", (request) => requests.push(request));
    await page.goto(origin + path, { waitUntil: "networkidle" });
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await page.waitForLoadState("networkidle");
    const sizes = await Promise.all(requests.map(requestSizes));
    const scripts = sizes.filter(({ request }) => request.resourceType() === "script");
    weights.push({
      page: path,
      requests: requests.length,
      bytes: sum(sizes.map(({ bodySize, responseHeadersSize }) => bodySize + responseHeadersSize)),
      scripts: scripts.map(({ request }) => new URL(request.url()).pathname),
      scriptBytes: sum(scripts.map(({ bodySize }) => bodySize)),
      inlineScriptBytes: await inlineScriptBytes(page.url(), context),
    });
    await page.close();
  }
  return weights;
}

/**
 * Prefers the Content-Length of the response: the browser reports no bytes for a resource that an earlier page loaded,
 * and a negative number for a preloaded one.
 */
async function requestSizes(request: Request) {
  const { responseBodySize, responseHeadersSize } = await request.sizes();
  const contentLength = Number((await request.response())?.headers()["content-length"] ?? Number.NaN);
  const bodySize = Number.isNaN(contentLength) ? responseBodySize : contentLength;
  if (bodySize < 0) throw new Error(`The size of ${request.url()} is unknown.`);
  return { request, bodySize, responseHeadersSize };
}

async function inlineScriptBytes(url: string, context: BrowserContext): Promise<number> {
  const html = await (await context.request.get(url)).text();
  return sum(
    [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(([, code = ""]) =>
      Buffer.byteLength(code),
    ),
  );
}

export function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
