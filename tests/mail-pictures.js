// npm run mail-pictures: every message as text and as pictures in both color schemes, in docs/mail.
import { spawnSync } from "node:child_process";
import { NODE_EXECUTABLE, ROOT, generatePrismaClients, installPackages } from "../bin/prepare.js";
import { ensureChromium } from "./support/browser/chromium.js";

await installPackages();
await generatePrismaClients();
const env = { ...process.env, TZ: "UTC", TEST_CHROMIUM: ensureChromium() };
const command = ["--disable-warning=ExperimentalWarning", "tests/mail/recorded/write-mail-pictures.ts"];
process.exit(spawnSync(NODE_EXECUTABLE, command, { cwd: ROOT, stdio: "inherit", env }).status ?? 1);
