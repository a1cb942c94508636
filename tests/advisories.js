// npm run advisories: whether a package of the lock file has a known high or critical fault that nobody has waived.
// Ends with 1 if so, or if a waiver of .ci/advisory-waivers.json no longer counts; with 2 if the registry can't say.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { evaluateReport, readWaivers } from "./support/advisories.js";

const WAIVERS = ".ci/advisory-waivers.json";
const TIMEOUT_MS = 180_000;
const MAX_REPORT_BYTES = 50_000_000;

const { waivers, problems } = readWaivers(readFileSync(WAIVERS, "utf8"), new Date());
if (problems.length > 0) end(1, [`${WAIVERS}:`, ...problems]);
const verdict = evaluateReport(askNpm(), waivers);
if (verdict.unanswered) end(2, [`Nothing is known of advisories, so this says nothing. ${verdict.unanswered}`]);
if (verdict.problems.length > 0) end(1, verdict.problems);
const waived = waivers.map(({ advisory, until }) => ` ${advisory} is waived until ${until}.`).join("");
console.log(`No package has a high or critical advisory that counts.${waived}`);

/** What npm prints; it ends with 1 both for what it found and for what it could not ask. */
function askNpm() {
  const npm = process.env.npm_execpath;
  const [command = "", ...first] = npm?.endsWith("npm-cli.js") ? [process.execPath, npm] : ["npm"];
  const { stdout } = spawnSync(command, [...first, "audit", "--json"], {
    encoding: "utf8",
    timeout: TIMEOUT_MS,
    maxBuffer: MAX_REPORT_BYTES,
    stdio: ["ignore", "pipe", "inherit"],
  });
  return stdout ?? "";
}

/**
 * @param {number} code
 * @param {string[]} lines
 * @returns {never}
 */
function end(code, lines) {
  console.error(lines.join("\n"));
  process.exit(code);
}
