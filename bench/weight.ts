import type { BrowserContext, Request } from "playwright";

/** Bytes of bodies as transferred; inline scripts count as they stand in the page. */
export type Weight = {
  page: string;
  requests: number;
  bytes: number;
  scripts: string[];
  scriptBytes: number;
  inlineScriptBytes: number;
};

/** Opens each page with an empty cache, scrolls to its end and counts what came over the wire. */
export async function weigh(context: BrowserContext, origin: string, pages: string[]): Promise<Weight[]> {
  const weights: Weight[] = [];
  for (const page of pages) {
    const tab = await context.newPage();
    const session = await context.newCDPSession(tab);
    await session.send("Network.setCacheDisabled", { cacheDisabled: true });
    const requests: Request[] = [];
    tab.on("requestfinished", (request) => requests.push(request));
    await tab.goto(origin + page, { waitUntil: "networkidle" });
    await tab.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await tab.waitForLoadState("networkidle");
    const sizes = await Promise.all(requests.map(sizesOf));
    const external = sizes.filter(({ request }) => request.resourceType() === "script");
    weights.push({
      page,
      requests: requests.length,
      bytes: sum(sizes.map(({ bodySize, responseHeadersSize }) => bodySize + responseHeadersSize)),
      scripts: external.map(({ request }) => new URL(request.url()).pathname),
      scriptBytes: sum(external.map(({ bodySize }) => bodySize)),
      inlineScriptBytes: await inlineScript(tab.url(), context),
    });
    await tab.close();
  }
  return weights;
}

/**
 * What the answer's head says of its body, which is as the product sent it: the browser counts nothing for what an
 * earlier page brought, and a negative number for what was asked for ahead.
 */
async function sizesOf(request: Request) {
  const { responseBodySize, responseHeadersSize } = await request.sizes();
  const said = Number((await request.response())?.headers()["content-length"] ?? Number.NaN);
  const bodySize = Number.isNaN(said) ? responseBodySize : said;
  if (bodySize < 0) throw new Error(`Nobody knows how large ${request.url()} is.`);
  return { request, bodySize, responseHeadersSize };
}

async function inlineScript(url: string, context: BrowserContext): Promise<number> {
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
