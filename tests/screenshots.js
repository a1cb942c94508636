// npm run screenshots [WORD]: every page and dialog as a picture, in three widths, two schemes and three roles, with
// one page to look them over: screenshots/index.html. With a word, only the states whose name holds it.
import { spawnSync } from "node:child_process";
import { NODE_EXECUTABLE, ROOT, buildIfOutdated, generatePrismaClients, installPackages } from "../bin/prepare.js";
import { ensureChromium } from "./support/browser/chromium.js";

await installPackages();
await generatePrismaClients();
await buildIfOutdated();
const env = { ...process.env, TZ: "UTC", NODE_ENV: "production", TEST_CHROMIUM: ensureChromium() };
const command = ["--disable-warning=ExperimentalWarning", "tests/screenshots/run.ts", ...process.argv.slice(2)];
process.exit(spawnSync(NODE_EXECUTABLE, command, { cwd: ROOT, stdio: "inherit", env }).status ?? 1);
