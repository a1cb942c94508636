// Writes docs/openapi.json and docs/api.md from the endpoints of the built application: npm run api-docs
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { renderApiReference } from "./api-reference.js";
import { ROOT, prepareAndRunOnPinnedNode } from "./prepare.js";

await prepareAndRunOnPinnedNode(["bin/api-docs.js"]);

// The description is the same for every practice, so this reads neither the settings nor the data.
const folder = mkdtempSync(path.join(tmpdir(), "api-docs-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const settings = { DATA_DIR: folder, DATABASE_URL: `file:${folder}/app.db`, APP_ORIGIN: "http://localhost:3000" };
Object.assign(process.env, settings);
const build = await import(path.join(ROOT, "build/server/index.js"));
const openApiDocument = build.entry.module.commands.buildOpenApiDocument();
writeFileSync(path.join(ROOT, "docs/openapi.json"), `${JSON.stringify(openApiDocument, null, 2)}\n`);
writeFileSync(path.join(ROOT, "docs/api.md"), renderApiReference(openApiDocument));
console.log("docs/openapi.json and docs/api.md are written.");
process.exit(0);
