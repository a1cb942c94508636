// Goal 6: Lighthouse, mobile and throttled, beside the framework's template.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { ensureChromium } from "../tests/support/chromium.js";
import { temporaryFolder } from "../tests/support/temporary.ts";
import { KEPT } from "./pages.ts";
import { HERE, startProduct, startTemplate } from "./processes.ts";
import { isQuick, median } from "./race.ts";
import type { Finding } from "./report.ts";
import { buildTemplate } from "./template.ts";

const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"];
const RUNS = isQuick ? 1 : 3;
const file = path.join(temporaryFolder("lighthouse"), "report.json");
const COMMAND = path.join(HERE, "node_modules/lighthouse/cli/index.js");

type Audit = { score: number | null; numericValue?: number; displayValue?: string; title: string };
type Report = {
  categories: Record<string, { score: number; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, Audit>;
};
type Scores = {
  page: string;
  scores: Record<string, number>;
  lcp: number;
  cls: number;
  faults: Record<string, string[]>;
};

export async function lighthouse(): Promise<Finding[]> {
  const product = await startProduct();
  const template = await startTemplate(await buildTemplate());
  try {
    // In turns: the machine is the same for a page and the template, as nearly as can be.
    const runs: Scores[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      runs.push(await examine(`${template.origin}/`, "template"));
      for (const page of KEPT) runs.push(await examine(product.origin + page, page));
    }
    const of = (page: string) => runs.filter((each) => each.page === page);
    const lcp = (page: string) => median(of(page).map((each) => each.lcp));
    const faults = (page: string, category: string) =>
      [...new Set(of(page).flatMap((each) => each.faults[category] ?? []))].join("; ");
    const scores = KEPT.flatMap((page) =>
      CATEGORIES.map((category): Finding => {
        const value = median(of(page).map((each) => each.scores[category] ?? 0));
        const finding = {
          goal: "6",
          what: `${category}, ${page}`,
          value,
          atLeast: 100,
          unit: "points",
          note: faults(page, category),
        } as const;
        return category === "performance" ? finding : { ...finding, isCounted: true };
      }),
    );
    const slowest = KEPT.reduce((one, other) => (lcp(other) > lcp(one) ? other : one));
    const shifted = runs
      .filter(({ page }) => page !== "template")
      .reduce((one, other) => (other.cls > one.cls ? other : one));
    const note = `${slowest}: ${Math.round(lcp(slowest))} ms, the template ${Math.round(lcp("template"))} ms`;
    return [
      ...summed(scores),
      {
        goal: "6",
        what: "largest contentful paint / template's",
        value: lcp(slowest) / lcp("template"),
        atMost: 1,
        note,
      },
      {
        goal: "6",
        what: "cumulative layout shift",
        value: shifted.cls,
        atMost: 0,
        unit: "shift",
        note: `most of all runs: ${shifted.page}`,
      },
    ];
  } finally {
    await Promise.all([product.stop(), template.stop()]);
  }
}

/** One line where all is well; every score that is not 100 stands by itself. */
function summed(scores: Finding[]): Finding[] {
  const low = scores.filter(({ value }) => value < 100);
  const least = Math.min(...scores.map(({ value }) => value));
  const all: Finding = {
    goal: "6",
    what: `${CATEGORIES.length} categories on ${KEPT.length} pages, least`,
    value: least,
    atLeast: 100,
    unit: "points",
  };
  return low.length > 0 ? low : [all];
}

async function examine(url: string, page: string): Promise<Scores> {
  const isRoot = process.getuid?.() === 0;
  const flags = [
    "--headless=new",
    "--disable-background-networking",
    "--disable-component-update",
    ...(isRoot ? ["--no-sandbox"] : []),
  ];
  const words = [url, "--quiet", "--output=json", `--output-path=${file}`, `--only-categories=${CATEGORIES.join(",")}`];
  const command = [COMMAND, ...words, "--no-enable-error-reporting", `--chrome-flags=${flags.join(" ")}`];
  // Now and then its browser misses the start of a page (NO_NAVSTART), and it asks to be run again.
  await run(command).catch((error: unknown) =>
    String(error).includes("NO_NAVSTART") ? run(command) : Promise.reject(error),
  );
  const { categories, audits } = JSON.parse(readFileSync(file, "utf8")) as Report;
  const scores = Object.fromEntries(CATEGORIES.map((name) => [name, Math.round((categories[name]?.score ?? 0) * 100)]));
  const number = (id: string) => audits[id]?.numericValue ?? Number.NaN;
  const faultsOf = (name: string) =>
    (categories[name]?.auditRefs ?? [])
      .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
      .map(({ id }) => `${audits[id]?.title ?? id}${audits[id]?.displayValue ? ` (${audits[id].displayValue})` : ""}`);
  const faults = Object.fromEntries(CATEGORIES.map((name) => [name, faultsOf(name)]));
  return { page, scores, lcp: number("largest-contentful-paint"), cls: number("cumulative-layout-shift"), faults };
}

async function run(words: string[]) {
  const child = spawn(process.execPath, words, {
    env: { ...process.env, CHROME_PATH: ensureChromium() },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const end = () => child.kill("SIGTERM");
  process.once("exit", end);
  let heard = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part: Buffer) => (heard += part.toString()));
  const code = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  process.off("exit", end);
  if (code !== 0) throw new Error(`Lighthouse failed:\n${heard.slice(-2000)}`);
}
