// Goals 1, 2 and 8: rates of cached pages and of rendered pages, and the time from start to first response.
import { writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { temporaryFolder } from "../tests/support/temporary-folder.ts";
import { writePageModule } from "./react-markup.ts";
import { type RunningServer, startBaseline, startProduct, startTemplate } from "./processes.ts";
import { isQuick, median, compareRates, ratio } from "./compare-rates.ts";
import { type Finding, raceFinding } from "./report.ts";
import { buildTemplate } from "./starter-app.ts";

/** Served from the page cache to signed-out visitors; a query string bypasses the cache. */
export const CACHED_PAGES = [
  "/",
  "/login",
  "/register",
  "/hipaa-compliance",
  "/privacy-policy",
  "/terms-of-service",
  "/accessibility",
];
const CACHE_POLL_ATTEMPTS = 100;
const CACHE_POLL_INTERVAL_MS = 100;
const CACHE_BYPASS = "?uncached=1";
const START_COUNT = isQuick ? 3 : 7;
/** React alone renders the head tags in another order and with fewer comments. */
const MARKUP_TOLERANCE = 0.03;

export async function pageRates(): Promise<Finding[]> {
  const folder = await buildTemplate();
  const product = await startProduct();
  const template = await startTemplate(folder);
  const running: RunningServer[] = [product, template];
  try {
    const cached = await readCachedPages(product);
    const bareServer = await startBaseline("bytes", cached.file, "text/html; charset=utf-8");
    const rendered = await fetchText(`${product.origin}/${CACHE_BYPASS}`);
    const reactServer = await startBaseline("react", writePageModule(rendered));
    running.push(bareServer, reactServer);
    checkMarkup(rendered, await fetchText(`${reactServer.origin}/`));

    const expectCachedPage = (body: string) => assert(body === cached.html, "the bytes differ from the cached page");
    const expectPage = (marker: string) => (body: string) =>
      assert(body.includes(marker) && body.endsWith("</html>"), `not a complete page with ${marker}`);
    const rates = await compareRates([
      { name: "bare", server: bareServer, paths: ["/"], check: expectCachedPage },
      { name: "cached", server: product, paths: ["/"], check: expectCachedPage },
      { name: "template", server: template, paths: ["/"], check: expectPage("Hello from the server") },
      { name: "sign-in", server: product, paths: [`/login${CACHE_BYPASS}`], check: expectPage('name="password"') },
      {
        name: "home",
        server: product,
        paths: [`/${CACHE_BYPASS}`],
        check: (body) => assert(body.length > 0.97 * cached.html.length, "the home page is too short"),
      },
      { name: "alone", server: reactServer, paths: ["/"], check: expectPage("<h1") },
    ]);
    const compare = (one: string, other: string) => ratio(rates[one]!, rates[other]!);
    return [
      raceFinding("1", "cached page / bare Node http, same bytes", 0.7, compare("cached", "bare")),
      raceFinding("1", "cached page / framework's template", 40, compare("cached", "template")),
      raceFinding("2", "sign-in rendered / framework's template", 2.5, compare("sign-in", "template")),
      raceFinding("2", "home rendered / React alone", 0.25, compare("home", "alone")),
      ...(await measureStarts(folder)),
    ];
  } finally {
    await Promise.all(running.map((each) => each.stop()));
  }
}

/** Starts the built product, with an existing database, and the template in turn, until each responds to GET /. */
async function measureStarts(templateFolder: string): Promise<Finding[]> {
  const data = temporaryFolder("bench");
  await (await startProduct({}, data)).stop();
  const ratios: number[] = [];
  for (let round = 0; round < START_COUNT; round += 1) {
    const product = await startProduct({}, data);
    await product.stop();
    const template = await startTemplate(templateFolder);
    await template.stop();
    ratios.push(product.startedInMs / template.startedInMs);
  }
  const note = `starts ${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`;
  return [
    { goal: "8", label: "start to first response / framework's template", value: median(ratios), atMost: 1.6, note },
  ];
}

/** Waits until every public page is cached; writes the brotli bytes of the cached home page to a file. */
async function readCachedPages({ origin }: RunningServer) {
  for (const page of CACHED_PAGES) {
    // The product accepts requests before its page cache is warm.
    let isCached = false;
    for (let attempt = 0; attempt < CACHE_POLL_ATTEMPTS && !isCached; attempt += 1) {
      if (attempt > 0) await sleep(CACHE_POLL_INTERVAL_MS);
      const response = await fetch(origin + page);
      await response.text();
      isCached = response.status === 200 && response.headers.has("etag");
    }
    assert(isCached, `${page} is not cached`);
  }
  const { request } = await import("node:http");
  const bytes = await new Promise<Buffer>((resolve, reject) => {
    const clientRequest = request(`${origin}/`, { headers: { "Accept-Encoding": "br" } }, (response) => {
      assert(response.headers["content-encoding"] === "br", "the cached page is not sent as brotli");
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk)).on("end", () => resolve(Buffer.concat(chunks)));
    });
    clientRequest.on("error", reject).end();
  });
  const file = path.join(temporaryFolder("cached"), "home.br");
  writeFileSync(file, bytes);
  return { file, html: await fetchText(`${origin}/`) };
}

function checkMarkup(productHtml: string, reactHtml: string) {
  const withoutComments = (html: string) => html.replace(/<!--.*?-->/g, "");
  const deviation = Math.abs(withoutComments(reactHtml).length / withoutComments(productHtml).length - 1);
  assert(deviation < MARKUP_TOLERANCE, `React alone renders different markup (${(deviation * 100).toFixed(1)} % off)`);
}

async function fetchText(url: string): Promise<string> {
  return (await fetch(url)).text();
}

function assert(condition: boolean, message: string): void {
  if (!condition) throw new Error(message);
}
