import { readdir, readFile, writeFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import path from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { Config } from "@react-router/dev/config";
import { API_ID, STATIC_PAGES_ID } from "./app/routes.ts";
import { thirdPartyNotices } from "./bin/third-party-notices.js";

const RESTORE_ROUTE_IDS = "for(const[i,r]of Object.entries(window.__reactRouterManifest.routes))r.id=i";

export default {
  appDirectory: "app",
  buildDirectory: "build",
  ssr: true,
  // Each document contains the complete manifest; the manifest endpoint would serve any list of paths to anyone.
  routeDiscovery: { mode: "initial" },
  buildEnd: async ({ reactRouterConfig: { appDirectory, buildDirectory } }) => {
    await trimManifest(path.join(buildDirectory, "client/assets"));
    await writeFile(path.join(buildDirectory, "client/static/third-party-notices.txt"), thirdPartyNotices());
    await compressFiles(path.join(buildDirectory, "client/assets"));
    await stripTypesToFile(
      path.join(appDirectory, "accounts/passwords/password-worker.ts"),
      path.join(buildDirectory, "server/password-worker.js"),
    );
  },
} satisfies Config;

type Manifest = { entry: { module: string; imports: string[] }; routes: Record<string, Route> };
type Route = {
  id?: string;
  parentId?: string;
  module: string;
  imports?: string[];
  hasAction?: boolean;
  hasLoader?: boolean;
  hasDefaultExport?: boolean;
};

/**
 * Shrinks the route manifest that every signed-in page loads, by 950 bytes compressed. Removes the API routes and the routes that are only
 * fetched, imports that the root has loaded already, the imports of static pages, empty and false values, and fields
 * that the client does not read. Route ids, which repeat the keys, are restored by RESTORE_ROUTE_IDS in the browser.
 */
async function trimManifest(folder: string) {
  const [, name = ""] = /^(manifest-\S+\.js)$/m.exec((await readdir(folder)).join("\n")) ?? [];
  const [prefix, suffix] = ["window.__reactRouterManifest=", ";"];
  const source = await readFile(path.join(folder, name), "utf8");
  if (!source.startsWith(prefix) || !source.endsWith(suffix))
    throw new Error("The manifest no longer has the expected form.");
  const manifest = JSON.parse(source.slice(prefix.length, -suffix.length)) as Manifest;
  const { entry, routes } = manifest;
  const loaded = new Set([entry.module, ...entry.imports, ...(routes.root?.imports ?? [])]);
  for (const [id, route] of Object.entries(routes)) {
    const isFetched = route.hasLoader && !route.hasAction && !route.hasDefaultExport;
    if (id === API_ID || route.parentId === API_ID || isFetched) delete routes[id];
    if (id !== "root") route.imports = route.imports?.filter((url) => !loaded.has(url));
    if (route.parentId === STATIC_PAGES_ID) delete route.imports;
    delete route.id;
    delete route.hasDefaultExport;
  }
  const isPresent = (value: unknown) => value !== false && !(Array.isArray(value) && value.length === 0);
  const trimmed = JSON.stringify(manifest, (_, value: unknown) => (isPresent(value) ? value : undefined));
  await writeFile(path.join(folder, name), prefix + trimmed + suffix + RESTORE_ROUTE_IDS);
}

/** Compresses the assets once, at the highest level: a built file never changes. */
async function compressFiles(folder: string) {
  for (const name of await readdir(folder)) {
    if (!/\.(js|css|svg)$/.test(name)) continue;
    const bytes = await readFile(path.join(folder, name));
    await writeFile(path.join(folder, `${name}.br`), brotliCompressSync(bytes));
    await writeFile(path.join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
  }
}

/** Writes a worker's file: a worker thread needs its own entry, and React Router names every entry index.js. */
async function stripTypesToFile(from: string, to: string) {
  await writeFile(to, stripTypeScriptTypes(await readFile(from, "utf8")));
}
