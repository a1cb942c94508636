// npm run bench [-- part …] [--quick]: measures the product against baselines built here and prints one table.
// Starts on any Node from 18 on; the measurements and the product run on the pinned version.
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { NODE_EXECUTABLE, buildIfOutdated, generatePrismaClients, installPackages } from "../bin/prepare.js";

const HERE = fileURLToPath(new URL(".", import.meta.url));

try {
  await installPackages();
  await generatePrismaClients();
  await buildIfOutdated();
  installTools();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

const child = spawn(NODE_EXECUTABLE, [path.join(HERE, "measure.ts"), ...process.argv.slice(2)], {
  stdio: "inherit",
  env: { ...process.env, TZ: "UTC", NODE_ENV: "production" },
});
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) process.on(signal, () => child.kill(signal));
child.on("exit", (code) => process.exit(code ?? 1));

/** The framework's server and Lighthouse: 200 MB that running or testing the product does not need. */
function installTools() {
  if (existsSync(path.join(HERE, "node_modules/.package-lock.json"))) return;
  console.log("Installing the tools of bench/ …");
  const npmArguments = ["ci", "--no-audit", "--no-fund", "--ignore-scripts"];
  const env = {
    ...process.env,
    NODE_ENV: "development",
    PATH: `${path.dirname(NODE_EXECUTABLE)}${path.delimiter}${process.env.PATH}`,
  };
  const { status, stderr } = spawnSync("npm", npmArguments, { cwd: HERE, env, encoding: "utf8" });
  if (status !== 0) throw new Error(`The tools of bench/ could not be installed.\n${stderr}`);
}
