// Goal 5: bytes that a browser transfers. Counted, not timed: the same on every machine, so tests may assert them too.
import { readFileSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync } from "node:zlib";
import { chromium } from "playwright";
import { ensureChromium } from "../tests/support/browser/chromium.js";
import type { TestClient } from "../tests/support/http-client.ts";
import { createPeople } from "../tests/support/people.ts";
import { bookVideoAppointment } from "../tests/support/video-appointment.ts";
import { type RunningServer, startProduct, startTemplate } from "./processes.ts";
import type { Finding } from "./report.ts";
import { buildTemplate } from "./starter-app.ts";
import { type PageWeight, sum, measurePageWeights } from "./page-weight.ts";

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
/** `:id` is the family's video appointment, whose room is open. */
const SIGNED_IN_PAGES = {
  family: [
    "/dashboard",
    "/dashboard/settings",
    "/dashboard/intake-form",
    "/dashboard/intake-form?step=child",
    "/appointments",
    "/appointments/new",
    "/appointments/intake-form",
    "/appointments/:id/cancel",
    "/appointments/:id/documents",
    "/documents",
    "/documents/new",
    "/documents/intake-form",
  ],
  consultant: [
    "/dashboard",
    "/dashboard/reset-link",
    "/dashboard/calendar",
    "/dashboard/appointments/:id",
    "/dashboard/appointments/:id/payment",
    "/dashboard/appointments/:id/reschedule",
    "/calendar/hours",
    "/requests",
    "/families",
    "/documents",
    "/documents/new",
  ],
};
const CALL_PAGE = "/video-call/:id";

export async function pageBytes(): Promise<Finding[]> {
  const running: RunningServer[] = [];
  const browser = await chromium.launch(launchOptions());
  try {
    const product = await startProduct();
    running.push(product);
    const signedOut = await measurePageWeights(await browser.newContext(), product.origin, PUBLIC_PAGES);

    const folder = await buildTemplate();
    const template = await startTemplate(folder);
    running.push(template);
    const [framework] = await measurePageWeights(await browser.newContext(), template.origin, ["/"]);
    const baselineBytes = sum(
      (framework?.scripts ?? []).map((script) => compressedSize(path.join(folder, "build/client", script))),
    );

    const visit = await bookVideoAppointment(createPeople(product.origin));
    const measureAs = async (client: TestClient, pages: string[]) => {
      const context = await browser.newContext();
      await context.addCookies([...client.cookies].map(([name, value]) => ({ name, value, url: product.origin })));
      return measurePageWeights(
        context,
        product.origin,
        pages.map((page) => page.replace(":id", String(visit.id))),
      );
    };
    const signedIn = [
      ...(await measureAs(visit.family, SIGNED_IN_PAGES.family)),
      ...(await measureAs(visit.consultant, SIGNED_IN_PAGES.consultant)),
    ];
    const call = await measureAs(visit.family, [CALL_PAGE]);
    return [
      ...publicPageFindings(signedOut),
      signedInFinding("signed-in pages", signedIn, baselineBytes, 15_000),
      signedInFinding("the call page", call, baselineBytes, 35_000),
    ];
  } finally {
    await browser.close();
    await Promise.all(running.map((each) => each.stop()));
  }
}

/** Findings for the byte budgets of public pages. */
export function publicPageFindings(weights: PageWeight[]): Finding[] {
  const script = weights.map(({ page, scriptBytes, inlineScriptBytes }) => ({
    page,
    total: scriptBytes + inlineScriptBytes,
  }));
  const heaviest = script.reduce((one, other) => (other.total > one.total ? other : one));
  const note = `maximum of ${weights.length} pages: ${heaviest.page}`;
  const home = weights.find(({ page }) => page === "/");
  return [
    {
      goal: "5",
      label: "script on public pages, compressed",
      value: heaviest.total,
      atMost: 10_000,
      unit: "bytes",
      isCounted: true,
      note,
    },
    {
      goal: "5",
      label: "home, requests",
      value: home?.requests ?? Number.NaN,
      atMost: 12,
      unit: "requests",
      isCounted: true,
    },
    {
      goal: "5",
      label: "home, all transfers with response headers",
      value: home?.bytes ?? Number.NaN,
      atMost: 80_000,
      unit: "bytes",
      isCounted: true,
    },
  ];
}

/** Script that hydrated pages add to the framework's own, both compressed alike. */
function signedInFinding(pages: string, weights: PageWeight[], baselineBytes: number, atMost: number): Finding {
  const heaviest = weights.reduce((one, other) => (other.scriptBytes > one.scriptBytes ? other : one));
  const note = `maximum of ${weights.length} pages: ${heaviest.page}; the template's own are ${baselineBytes.toLocaleString("en-US")}`;
  return {
    goal: "5",
    label: `script on ${pages}, over the template's`,
    value: heaviest.scriptBytes - baselineBytes,
    atMost,
    unit: "bytes",
    isCounted: true,
    note,
  };
}

function launchOptions() {
  const isRoot = process.getuid?.() === 0;
  const quietFlags = ["--disable-background-networking", "--disable-component-update"];
  return { executablePath: ensureChromium(), args: [...quietFlags, ...(isRoot ? ["--no-sandbox"] : [])] };
}

function compressedSize(file: string): number {
  return brotliCompressSync(readFileSync(file)).length;
}
