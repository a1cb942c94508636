// Goal 5: what a browser transfers. Counted, not timed: the same on every run and machine, so a test may ask it too.
import { readFileSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync } from "node:zlib";
import { chromium } from "playwright";
import { ensureChromium } from "../tests/support/chromium.js";
import { peopleAt } from "../tests/support/people.ts";
import { type Running, startProduct, startTemplate } from "./processes.ts";
import type { Finding } from "./report.ts";
import { buildTemplate } from "./template.ts";
import { type Weight, sum, weigh } from "./weight.ts";

export const PUBLIC_PAGES = [
  "/",
  "/login",
  "/register",
  "/request-consultation",
  "/hipaa-compliance",
  "/privacy-policy",
  "/terms-of-service",
  "/accessibility",
  "/no-such-page",
];
const SIGNED_IN_PAGES = {
  family: [
    "/dashboard",
    "/dashboard/settings",
    "/dashboard/intake-form",
    "/appointments",
    "/appointments/new",
    "/appointments/intake-form",
    "/documents",
  ],
  consultant: ["/dashboard", "/dashboard/reset-link", "/documents"],
};

export async function bytes(): Promise<Finding[]> {
  const running: Running[] = [];
  const browser = await chromium.launch(launchOptions());
  try {
    const product = await startProduct();
    running.push(product);
    const { family, consultant } = peopleAt(product.origin);
    const signedOut = await weigh(await browser.newContext(), product.origin, PUBLIC_PAGES);

    const folder = await buildTemplate();
    const template = await startTemplate(folder);
    running.push(template);
    const [framework] = await weigh(await browser.newContext(), template.origin, ["/"]);
    const floor = sum(
      (framework?.scripts ?? []).map((script) => compressedSize(path.join(folder, "build/client", script))),
    );

    const signedIn: Weight[] = [];
    for (const [who, client] of [
      ["family", await family({ intake: true })],
      ["consultant", await consultant()],
    ] as const) {
      const context = await browser.newContext();
      await context.addCookies([...client.cookies].map(([name, value]) => ({ name, value, url: product.origin })));
      signedIn.push(...(await weigh(context, product.origin, SIGNED_IN_PAGES[who])));
    }
    return [...publicFindings(signedOut), ...signedInFindings(signedIn, floor)];
  } finally {
    await browser.close();
    await Promise.all(running.map((each) => each.stop()));
  }
}

/** The budgets of pages that signed-out visitors see. */
export function publicFindings(weights: Weight[]): Finding[] {
  const script = weights.map(({ page, scriptBytes, inlineScriptBytes }) => ({
    page,
    total: scriptBytes + inlineScriptBytes,
  }));
  const most = script.reduce((one, other) => (other.total > one.total ? other : one));
  const note = `most of ${weights.length} pages: ${most.page}`;
  const home = weights.find(({ page }) => page === "/");
  return [
    {
      goal: "5",
      what: "script on public pages, compressed",
      value: most.total,
      atMost: 10_000,
      unit: "bytes",
      isCounted: true,
      note,
    },
    {
      goal: "5",
      what: "home, requests",
      value: home?.requests ?? Number.NaN,
      atMost: 12,
      unit: "requests",
      isCounted: true,
    },
    {
      goal: "5",
      what: "home, everything, heads included",
      value: home?.bytes ?? Number.NaN,
      atMost: 80_000,
      unit: "bytes",
      isCounted: true,
    },
  ];
}

/** Signed-in pages are hydrated: what they may add to the framework's own scripts, both as dense as ours. */
function signedInFindings(weights: Weight[], floor: number): Finding[] {
  const most = weights.reduce((one, other) => (other.scriptBytes > one.scriptBytes ? other : one));
  const note = `most of ${weights.length} pages: ${most.page}; the template's own are ${floor.toLocaleString("en-US")}`;
  const what = "script on signed-in pages, over the template's";
  return [{ goal: "5", what, value: most.scriptBytes - floor, atMost: 15_000, unit: "bytes", isCounted: true, note }];
}

function launchOptions() {
  const isRoot = process.getuid?.() === 0;
  const quiet = ["--disable-background-networking", "--disable-component-update"];
  return { executablePath: ensureChromium(), args: [...quiet, ...(isRoot ? ["--no-sandbox"] : [])] };
}

function compressedSize(file: string): number {
  return brotliCompressSync(readFileSync(file)).length;
}
