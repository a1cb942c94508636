import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright/test";
import { findOffscreenElements } from "./page-checks.ts";

export const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** All that another scheme can change. */
export const COLOR_RULES = ["color-contrast", "link-in-text-block"];

const builder = createRequire(import.meta.url).resolve("@axe-core/playwright");
export const axeSource = readFileSync(createRequire(builder).resolve("axe-core/axe.min.js"), "utf8");

type AxeRun = { violations: { id: string; nodes: { html: string }[] }[] };
declare const axe: { run: (root: Document, options: object) => Promise<AxeRun> };

/** What breaks a rule in an HTML document that is no page of the product, such as a mail, in both color schemes. */
export async function auditDocument(page: Page, html: string): Promise<string[]> {
  await page.emulateMedia({ colorScheme: "light" });
  await page.setContent(html);
  await page.evaluate(axeSource);
  const wide = await page.evaluate(findOffscreenElements);
  const light = await axeViolations(page, TAGS);
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await axeViolations(page, COLOR_RULES, "rule");
  return [...light, ...wide, ...dark.map((problem) => `dark: ${problem}`)];
}

export async function axeViolations(page: Page, values: string[], type = "tag"): Promise<string[]> {
  const run = async (options: object) =>
    (await axe.run(document, options)).violations.map(({ id, nodes }) => ({
      id,
      html: nodes.map((node) => node.html),
    }));
  const found = await page.evaluate(run, { runOnly: { type, values }, resultTypes: ["violations"] });
  return found.map(
    ({ id, html }) =>
      `${id}: ${html
        .slice(0, 3)
        .map((one) => one.slice(0, 200))
        .join(" … ")}`,
  );
}
