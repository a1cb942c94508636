// The full runs of what npm test does in small. Starts on any Node from 18 on.
//   npm run faults -- documents
//   npm run faults -- frames [COUNT]
//   npm run faults -- mail [COUNT] [sqlite|postgresql|both] [SEED]
//   npm run faults -- payments [COUNT] [sqlite|postgresql|both] [SEED]
//   npm run faults -- processes [COUNT]
//   npm run faults -- requests [COUNT] [sqlite|postgresql|both] [SEED] [MINUTES]
//   npm run faults -- tests [COUNT] [SEED] [--in=PATH] [--database=…] [--processes=N] [--minutes=N] [--files=N]
import { spawnSync } from "node:child_process";
import path from "node:path";
import { NODE_EXECUTABLE, ROOT, buildIfOutdated, generatePrismaClients, installPackages } from "../bin/prepare.js";

const [what = "", ...more] = process.argv.slice(2);
const payments = "const { payments } = await import('./tests/faults/full-payment-run.ts');";
const vitest = path.join(ROOT, "node_modules/vitest/vitest.mjs");
const [count, kind = "both", seed, minutes] = more;
const databases = ["sqlite", "postgresql"].filter((each) => kind === "both" || kind === each);
/** @param {string} file */
const onDatabases = (file) => [
  vitest,
  "run",
  "--testTimeout=0",
  "--silent=false",
  "--retry=0",
  "--no-file-parallelism",
  ...databases.map((each) => `--project=${each}`),
  file,
];
const COMMANDS = {
  documents: [vitest, "run", "tests/documents/upload-faults.test.ts", "tests/documents/damaged-files.test.ts"],
  frames: [vitest, "run", "--testTimeout=0", "--silent=false", "tests/video/frame-fuzzing.test.ts"],
  mail: onDatabases("tests/mail/simulated-week.test.ts"),
  payments: [
    "--input-type=module",
    "--eval",
    `${payments} process.exit((await payments(process.argv.slice(1))) ? 0 : 1);`,
    ...more,
  ],
  processes: [vitest, "run", "--project=postgresql", "tests/process/three-processes.postgresql.test.ts"],
  requests: onDatabases("tests/http/request-fuzzing.test.ts"),
  tests: ["tests/faults/mutation/run.ts", ...more],
};

if (!Object.hasOwn(COMMANDS, what)) {
  console.error(`Use: npm run faults -- ${Object.keys(COMMANDS).join(" | ")}`);
  process.exit(1);
}
await installPackages();
await generatePrismaClients();
await buildIfOutdated();
const env = {
  ...process.env,
  PATH: `${path.dirname(NODE_EXECUTABLE)}${path.delimiter}${process.env.PATH}`,
  TZ: "UTC",
  FAULTS: "full",
  ...(what === "frames" && { FRAMES: count ?? "1000000" }),
  ...(what === "mail" && { MAIL_VISITS: count ?? "1000", MAIL_SEED: seed ?? String(Date.now() % 1_000_000) }),
  ...(what === "requests" && {
    REQUESTS: count ?? "1000000",
    REQUESTS_SEED: seed ?? String(Date.now() % 1_000_000),
    ...(minutes && { REQUESTS_MINUTES: minutes }),
  }),
};
const command = COMMANDS[/** @type {keyof typeof COMMANDS} */ (what)];
const runs = what === "processes" ? Number(count ?? 100) : 1;
for (let run = 1; run <= runs; run += 1) {
  if (runs > 1) console.log(`Run ${run} of ${runs}`);
  const { status } = spawnSync(NODE_EXECUTABLE, command, { cwd: ROOT, stdio: "inherit", env });
  if (status !== 0) process.exit(status ?? 1);
}
