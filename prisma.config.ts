import { copyFileSync, existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { defineConfig } from "prisma/config";

const root = import.meta.dirname;
const url = process.env.DATABASE_URL || `file:${path.resolve(process.env.DATA_DIR || "./data", "app.db")}`;
const folder = path.join(root, "prisma", url.startsWith("file:") ? "sqlite" : "postgresql");

// Both databases share the tables. A link between the folders would not survive a zip file or a Windows checkout.
const tables = path.join(root, "prisma/models.prisma");
const copy = path.join(folder, "models.prisma");
if (!existsSync(copy) || !readFileSync(copy).equals(readFileSync(tables))) copyFileSync(tables, copy);

// The command would download an engine; ours is an npm package behind a script, run by the pinned Node.
process.env.PRISMA_SCHEMA_ENGINE_BINARY = path.join(root, "bin/schema-engine.js");
process.env.PATH = path.join(root, "node_modules/.bin") + path.delimiter + process.env.PATH;
process.env.CHECKPOINT_DISABLE = "1";

export default defineConfig({
  schema: folder,
  migrations: { path: path.join(folder, "migrations") },
  datasource: { url },
});
