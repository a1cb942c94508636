import { type Finding, isMet, printTable } from "./report.ts";
import { isQuick } from "./compare-rates.ts";

/** In the order of a full run. A part's module is loaded only when it runs. */
const parts: Record<string, () => Promise<Finding[]>> = {
  bytes: async () => (await import("./page-bytes.ts")).pageBytes(),
  lighthouse: async () => (await import("./lighthouse.ts")).lighthouse(),
  pages: async () => (await import("./page-rates.ts")).pageRates(),
  "family-dashboard": async () => (await import("./family-dashboard.ts")).familyDashboard(),
  availability: async () => (await import("./availability.ts")).availability(),
  "sign-ins": async () => (await import("./sign-ins.ts")).signIns(),
  "dashboard-polling": async () => (await import("./dashboard-polling.ts")).dashboardPolling(),
  "large-practice": async () => (await import("./large-practice.ts")).largePractice(),
  "concurrent-bookings": async () => (await import("./concurrent-bookings.ts")).concurrentBookings(),
  files: async () => (await import("./file-transfers.ts")).fileTransfers(),
  relay: async () => (await import("./signal-forwarding.ts")).signalForwarding(),
  memory: async () => (await import("./memory.ts")).memory(),
  audit: async () => (await import("./audit.ts")).audit(),
  scale: async () => (await import("./scale.ts")).scale(),
};

// Each child process is killed on exit (`killOnExit`), with one listener for each.
process.setMaxListeners(0);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));

const requestedParts = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const unknown = requestedParts.find((name) => !(name in parts));
if (unknown) {
  console.error(`There is no part "${unknown}". The parts are: ${Object.keys(parts).join(", ")}.`);
  process.exit(2);
}

const findings: Finding[] = [];
let failed = false;
for (const name of requestedParts.length > 0 ? requestedParts : Object.keys(parts)) {
  const start = performance.now();
  try {
    findings.push(...(await (parts[name] as () => Promise<Finding[]>)()));
  } catch (error) {
    failed = true;
    console.error(`${name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }
  console.log(`${name}: ${Math.round((performance.now() - start) / 1000)} s`);
}

console.log();
printTable(findings);
const met = findings.filter(isMet).length;
console.log(`\n${met} of ${findings.length} met${isQuick ? " (quick: the figures only show that the parts run)" : ""}`);
// Timed ratios are noisy: only an error or a missed counted goal fails the run.
process.exit(failed || findings.some((finding) => finding.isCounted && !isMet(finding)) ? 1 : 0);
