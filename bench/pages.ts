// Goals 1, 2 and 8: pages from memory, pages that must render, and the time from start to first answer.
import { writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { temporaryFolder } from "../tests/support/temporary.ts";
import { writeElements } from "./markup.ts";
import { type Running, startFloor, startProduct, startTemplate } from "./processes.ts";
import { isQuick, median, race, ratio } from "./race.ts";
import { type Finding, ofRace } from "./report.ts";
import { buildTemplate } from "./template.ts";

/** Kept for signed-out visitors; a query string bypasses the kept copy. */
export const KEPT = [
  "/",
  "/login",
  "/register",
  "/hipaa-compliance",
  "/privacy-policy",
  "/terms-of-service",
  "/accessibility",
];
const KEPT_TRIES = 100;
const KEPT_PAUSE_MS = 100;
const BYPASS = "?unkept=1";
const STARTS = isQuick ? 3 : 7;
/** React writes the same elements in another order of head tags and with fewer comments. */
const MARKUP_TOLERANCE = 0.03;

export async function pages(): Promise<Finding[]> {
  const folder = await buildTemplate();
  const product = await startProduct();
  const template = await startTemplate(folder);
  const running: Running[] = [product, template];
  try {
    const kept = await readKept(product);
    const bare = await startFloor("bytes", kept.file, "text/html; charset=utf-8");
    const rendered = await text(`${product.origin}/${BYPASS}`);
    const alone = await startFloor("react", writeElements(rendered));
    running.push(bare, alone);
    checkMarkup(rendered, await text(`${alone.origin}/`));

    const same = (body: string) => expect(body === kept.html, "not the bytes of the kept page");
    const whole = (mark: string) => (body: string) =>
      expect(body.includes(mark) && body.endsWith("</html>"), `no whole page with ${mark}`);
    const rates = await race([
      { name: "bare", at: bare, paths: ["/"], check: same },
      { name: "kept", at: product, paths: ["/"], check: same },
      { name: "template", at: template, paths: ["/"], check: whole("Hello from the server") },
      { name: "sign-in", at: product, paths: [`/login${BYPASS}`], check: whole('name="password"') },
      {
        name: "home",
        at: product,
        paths: [`/${BYPASS}`],
        check: (body) => expect(body.length > 0.97 * kept.html.length, "a shorter home page"),
      },
      { name: "alone", at: alone, paths: ["/"], check: whole("<h1") },
    ]);
    const compare = (one: string, other: string) => ratio(rates[one]!, rates[other]!);
    return [
      ofRace("1", "kept page / bare Node http, same bytes", 0.7, compare("kept", "bare")),
      ofRace("1", "kept page / framework's template", 40, compare("kept", "template")),
      ofRace("2", "sign-in rendered / framework's template", 2.5, compare("sign-in", "template")),
      ofRace("2", "home rendered / React alone", 0.25, compare("home", "alone")),
      ...(await starts(folder)),
    ];
  } finally {
    await Promise.all(running.map((each) => each.stop()));
  }
}

/** Built, database present: each is started in turn, and the first answer to GET / ends the time. */
async function starts(templateFolder: string): Promise<Finding[]> {
  const data = temporaryFolder("bench");
  await (await startProduct({}, data)).stop();
  const ratios: number[] = [];
  for (let round = 0; round < STARTS; round += 1) {
    const product = await startProduct({}, data);
    await product.stop();
    const template = await startTemplate(templateFolder);
    await template.stop();
    ratios.push(product.startedInMs / template.startedInMs);
  }
  const note = `starts ${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`;
  return [
    { goal: "8", what: "start to first answer / framework's template", value: median(ratios), atMost: 1.6, note },
  ];
}

/** Writes the kept home page, as compressed for visitors, to a file; every public page must be kept alike. */
async function readKept({ origin }: Running) {
  for (const page of KEPT) {
    // The product answers before it has kept its pages.
    let isKept = false;
    for (let tries = 0; tries < KEPT_TRIES && !isKept; tries += 1) {
      if (tries > 0) await sleep(KEPT_PAUSE_MS);
      const answer = await fetch(origin + page);
      await answer.text();
      isKept = answer.status === 200 && answer.headers.has("etag");
    }
    expect(isKept, `${page} is not kept`);
  }
  const { request } = await import("node:http");
  const bytes = await new Promise<Buffer>((resolve, reject) => {
    const asked = request(`${origin}/`, { headers: { "Accept-Encoding": "br" } }, (answer) => {
      expect(answer.headers["content-encoding"] === "br", "the kept page is not sent as brotli");
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part)).on("end", () => resolve(Buffer.concat(parts)));
    });
    asked.on("error", reject).end();
  });
  const file = path.join(temporaryFolder("kept"), "home.br");
  writeFileSync(file, bytes);
  return { file, html: await text(`${origin}/`) };
}

function checkMarkup(ours: string, alone: string) {
  const bare = (html: string) => html.replace(/<!--.*?-->/g, "");
  const off = Math.abs(bare(alone).length / bare(ours).length - 1);
  expect(off < MARKUP_TOLERANCE, `React alone renders other markup (${(off * 100).toFixed(1)} % off)`);
}

async function text(url: string): Promise<string> {
  return (await fetch(url)).text();
}

function expect(isTrue: boolean, otherwise: string): void {
  if (!isTrue) throw new Error(otherwise);
}
