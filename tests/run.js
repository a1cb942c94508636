// npm test: installs what is missing and proves everything, from types to a real browser.
// npm test -- booking: the tests of tests/booking and the browser's that have the word in their name, without the checks.
// Starts on any Node from 18 on with nothing installed; what it runs uses the pinned one.
import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import path from "node:path";
import {
  NODE_EXECUTABLE,
  NODE_ENVIRONMENT,
  ROOT,
  buildIfOutdated,
  generatePrismaClients,
  installPackages,
} from "../bin/prepare.js";

/** @typedef {{ name: string, passed: number, failed: number, output?: string }} Result */

/** Which tests, by folder or part of a file's name; all of them without any. */
const WORDS = process.argv.slice(2);

const MEMORY_FOLDER = "/dev/shm";
/** What the tests' files may take there, several times over. */
const MIN_FREE_BYTES = 8 * 1024 ** 3;

// Everything that a test leaves behind lies in here; PostgreSQL runs under another account and must get through.
const scratch = mkdtempSync(path.join(hasRoomInMemory() ? MEMORY_FOLDER : tmpdir(), "portal-tests-"));
chmodSync(scratch, 0o711);
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));

const results = await prove().catch((error) => {
  console.error(error instanceof Error ? error.message : error);
  return [{ name: "preparation", passed: 0, failed: 1 }];
});
const passed = sum(results.map((result) => result.passed));
const failed = sum(results.map((result) => result.failed));
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);

/** @returns {Promise<Result[]>} */
async function prove() {
  await installPackages();
  await generatePrismaClients();
  const { ensureHeadlessChromium } = await import("./support/browser/chromium.js");
  ensureHeadlessChromium();
  const { ensureCoturn } = await import("./support/servers/coturn.js");
  ensureCoturn();
  if (WORDS.length > 0) {
    const built = await check("build", buildIfOutdated);
    return built.failed > 0 ? [built] : [built, await testServer(), await testBrowser()];
  }
  const typegen = await check("route types", "@react-router/dev/bin.cjs", "typegen");
  const built = check("build", buildIfOutdated);
  const checks = await Promise.all([
    check("types", "typescript/bin/tsc"),
    check("lint", "oxlint/bin/oxlint", "--deny-warnings"),
    check("format", "oxfmt/bin/oxfmt", "--check"),
    built.then(() => check("unused code", "knip/bin/knip.js", "--no-progress")),
  ]);
  const first = [typegen, await built, ...checks];
  if ((await built).failed > 0) return first;
  return [...first, await testServer(), await testBrowser()];
}

async function testServer() {
  const report = path.join(scratch, "server.json");
  const reporters = ["default", "json", "./tests/support/vitest-reporter.js"].map((each) => `--reporter=${each}`);
  const filter = WORDS.length > 0 ? [...WORDS.map(folderOrWord), "--passWithNoTests"] : [];
  const command = ["vitest/vitest.mjs", "run", ...reporters, `--outputFile.json=${report}`, ...filter];
  return suite("rules and requests", command, {}, () => {
    const { numPassedTests, numTotalTests, testResults } = JSON.parse(readFileSync(report, "utf8"));
    const files = testResults.map((/** @type {{ assertionResults: object[] }} */ file) => file.assertionResults);
    const broken = files.filter((/** @type {object[]} */ tests) => tests.length === 0);
    return { passed: numPassedTests, failed: numTotalTests - numPassedTests + broken.length };
  });
}

async function testBrowser() {
  const report = path.join(scratch, "browser.json");
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: report };
  const reporters = "--reporter=dot,json,./tests/support/browser/playwright-reporter.js";
  const filter = WORDS.length > 0 ? [...WORDS.map((word) => `tests/browser/.*${word}`), "--pass-with-no-tests"] : [];
  return suite("browser", ["playwright/cli.js", "test", reporters, ...filter], env, () => {
    const { expected, unexpected, flaky, skipped } = JSON.parse(readFileSync(report, "utf8")).stats;
    return { passed: expected, failed: unexpected + flaky + skipped };
  });
}

/** In memory no commit waits for a disk: the tests of SQLite take an eighth less time. */
function hasRoomInMemory() {
  if (!existsSync(MEMORY_FOLDER)) return false;
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
  const available = process.availableMemory?.() ?? freemem();
  return Math.min(bavail * bsize, available) >= MIN_FREE_BYTES;
}

/** @param {string} word */
function folderOrWord(word) {
  return existsSync(path.join(ROOT, "tests", word)) ? `tests/${word}/` : word;
}

/**
 * One check of the whole: it passes or fails as one. Its words are shown when it fails.
 * @param {string} name
 * @param {string | (() => Promise<void>)} tool a script of node_modules, or a function
 * @param {string[]} parameters
 * @returns {Promise<Result>}
 */
async function check(name, tool, ...parameters) {
  const start = Date.now();
  const outcome =
    typeof tool === "string"
      ? await node([tool, ...parameters], {}, "pipe")
      : await tool().then(
          () => ({ code: 0, output: "" }),
          (error) => ({ code: 1, output: String(error.message) }),
        );
  const isFine = outcome.code === 0;
  report(name, start, isFine ? "passed" : `failed\n${outcome.output}`);
  return { name, passed: isFine ? 1 : 0, failed: isFine ? 0 : 1 };
}

/**
 * A suite that counts its own tests. One that ended badly without naming a failed test counts as one failure.
 * @param {string} name
 * @param {string[]} command
 * @param {NodeJS.ProcessEnv} env
 * @param {() => { passed: number, failed: number }} count
 * @returns {Promise<Result>}
 */
async function suite(name, command, env, count) {
  const start = Date.now();
  const { code, output } = await node(command, env, "inherit");
  if (output) console.error(output);
  let counted = { passed: 0, failed: 0 };
  try {
    counted = count();
  } catch (error) {
    console.error(`${name}: no report was written (${error instanceof Error ? error.message : error})`);
  }
  if (code !== 0 && counted.failed === 0) counted.failed = 1;
  report(name, start, `${counted.passed} tests passed and ${counted.failed} not`);
  return { name, ...counted };
}

/**
 * @param {string[]} command
 * @param {NodeJS.ProcessEnv} env
 * @param {"pipe" | "inherit"} output
 * @returns {Promise<{ code: number, output: string }>}
 */
function node([script = "", ...parameters], env, output) {
  const folder = path.dirname(NODE_EXECUTABLE);
  const child = spawn(NODE_EXECUTABLE, [path.join(ROOT, "node_modules", script), ...parameters], {
    cwd: ROOT,
    env: {
      ...process.env,
      ...NODE_ENVIRONMENT,
      PATH: `${folder}${path.delimiter}${process.env.PATH}`,
      TZ: "UTC",
      TMPDIR: scratch,
      NO_COLOR: "1",
      FORCE_COLOR: undefined,
      ...env,
    },
    stdio: ["ignore", output, output],
  });
  let heard = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (part) => (heard += part));
  return new Promise((resolve) => {
    child.on("error", (error) => resolve({ code: 1, output: error.message }));
    child.on("close", (code) => resolve({ code: code ?? 1, output: heard.trim() }));
  });
}

/**
 * @param {string} name
 * @param {number} start
 * @param {string} verdict
 */
function report(name, start, verdict) {
  console.log(`${name} (${((Date.now() - start) / 1000).toFixed(1)} s): ${verdict}`);
}

/** @param {number[]} numbers */
function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
