// Goal 6: Lighthouse scores, mobile and throttled, compared with the framework's template.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { ensureChromium } from "../tests/support/browser/chromium.js";
import { temporaryFolder } from "../tests/support/temporary-folder.ts";
import { CACHED_PAGES } from "./page-rates.ts";
import { HERE, startProduct, startTemplate } from "./processes.ts";
import { isQuick, median } from "./compare-rates.ts";
import type { Finding } from "./report.ts";
import { buildTemplate } from "./starter-app.ts";

const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"];
const RUNS = isQuick ? 1 : 3;
const reportFile = path.join(temporaryFolder("lighthouse"), "report.json");
const LIGHTHOUSE_CLI = path.join(HERE, "node_modules/lighthouse/cli/index.js");

type Audit = { score: number | null; numericValue?: number; displayValue?: string; title: string };
type Report = {
  categories: Record<string, { score: number; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, Audit>;
};
type PageScores = {
  page: string;
  scores: Record<string, number>;
  lcp: number;
  cls: number;
  failedAudits: Record<string, string[]>;
};

export async function lighthouse(): Promise<Finding[]> {
  const product = await startProduct();
  const template = await startTemplate(await buildTemplate());
  try {
    // Pages and template alternate, so that both see the same load of the machine.
    const runs: PageScores[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      runs.push(await runLighthouse(`${template.origin}/`, "template"));
      for (const page of CACHED_PAGES) runs.push(await runLighthouse(product.origin + page, page));
    }
    const runsOf = (page: string) => runs.filter((each) => each.page === page);
    const lcp = (page: string) => median(runsOf(page).map((each) => each.lcp));
    const failedAudits = (page: string, category: string) =>
      [...new Set(runsOf(page).flatMap((each) => each.failedAudits[category] ?? []))].join("; ");
    const scores = CACHED_PAGES.flatMap((page) =>
      CATEGORIES.map((category): Finding => {
        const value = median(runsOf(page).map((each) => each.scores[category] ?? 0));
        const finding = {
          goal: "6",
          label: `${category}, ${page}`,
          value,
          atLeast: 100,
          unit: "points",
          note: failedAudits(page, category),
        } as const;
        return category === "performance" ? finding : { ...finding, isCounted: true };
      }),
    );
    const slowest = CACHED_PAGES.reduce((one, other) => (lcp(other) > lcp(one) ? other : one));
    const shifted = runs
      .filter(({ page }) => page !== "template")
      .reduce((one, other) => (other.cls > one.cls ? other : one));
    const note = `${slowest}: ${Math.round(lcp(slowest))} ms, the template ${Math.round(lcp("template"))} ms`;
    return [
      ...summarize(scores),
      {
        goal: "6",
        label: "largest contentful paint / template's",
        value: lcp(slowest) / lcp("template"),
        atMost: 1,
        note,
      },
      {
        goal: "6",
        label: "cumulative layout shift",
        value: shifted.cls,
        atMost: 0,
        unit: "shift",
        note: `maximum of all runs: ${shifted.page}`,
      },
    ];
  } finally {
    await Promise.all([product.stop(), template.stop()]);
  }
}

/** One finding when all scores are 100; otherwise one for each lower score. */
function summarize(scores: Finding[]): Finding[] {
  const low = scores.filter(({ value }) => value < 100);
  const lowest = Math.min(...scores.map(({ value }) => value));
  const all: Finding = {
    goal: "6",
    label: `${CATEGORIES.length} categories on ${CACHED_PAGES.length} pages, lowest`,
    value: lowest,
    atLeast: 100,
    unit: "points",
  };
  return low.length > 0 ? low : [all];
}

async function runLighthouse(url: string, page: string): Promise<PageScores> {
  const isRoot = process.getuid?.() === 0;
  const flags = [
    "--headless=new",
    "--disable-background-networking",
    "--disable-component-update",
    ...(isRoot ? ["--no-sandbox"] : []),
  ];
  const args = [
    url,
    "--quiet",
    "--output=json",
    `--output-path=${reportFile}`,
    `--only-categories=${CATEGORIES.join(",")}`,
  ];
  const command = [LIGHTHOUSE_CLI, ...args, "--no-enable-error-reporting", `--chrome-flags=${flags.join(" ")}`];
  // Lighthouse occasionally misses the start of navigation (NO_NAVSTART) and recommends another run.
  await spawnLighthouse(command).catch((error: unknown) =>
    String(error).includes("NO_NAVSTART") ? spawnLighthouse(command) : Promise.reject(error),
  );
  const { categories, audits } = JSON.parse(readFileSync(reportFile, "utf8")) as Report;
  const scores = Object.fromEntries(CATEGORIES.map((name) => [name, Math.round((categories[name]?.score ?? 0) * 100)]));
  const number = (id: string) => audits[id]?.numericValue ?? Number.NaN;
  const failedAuditsOf = (name: string) =>
    (categories[name]?.auditRefs ?? [])
      .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
      .map(({ id }) => `${audits[id]?.title ?? id}${audits[id]?.displayValue ? ` (${audits[id].displayValue})` : ""}`);
  const failedAudits = Object.fromEntries(CATEGORIES.map((name) => [name, failedAuditsOf(name)]));
  return {
    page,
    scores,
    lcp: number("largest-contentful-paint"),
    cls: number("cumulative-layout-shift"),
    failedAudits,
  };
}

async function spawnLighthouse(args: string[]) {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, CHROME_PATH: ensureChromium() },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const end = () => child.kill("SIGTERM");
  process.once("exit", end);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part: Buffer) => (output += part.toString()));
  const code = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  process.off("exit", end);
  if (code !== 0) throw new Error(`Lighthouse failed:\n${output.slice(-2000)}`);
}
