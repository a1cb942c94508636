import { readdir, readFile, writeFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import path from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { Config } from "@react-router/dev/config";
import { build } from "vite";
import { thirdPartyNotices } from "./bin/third-party-notices.js";

const API = "http/api-layout";
const STATIC_PAGES = "practice/public-layout";
const RESTORE_ROUTE_IDS = "for(const[i,r]of Object.entries(window.__reactRouterManifest.routes))r.id=i";

export default {
  appDirectory: "app",
  buildDirectory: "build",
  ssr: true,
  // Every document names the links it needs; the manifest endpoint would answer anyone with any list of paths.
  routeDiscovery: { mode: "initial" },
  buildEnd: async ({ reactRouterConfig: { appDirectory, buildDirectory } }) => {
    await trimManifest(path.join(buildDirectory, "client/assets"));
    await writeFile(path.join(buildDirectory, "client/static/third-party-notices.txt"), thirdPartyNotices());
    await compressFiles(path.join(buildDirectory, "client/assets"));
    await stripTypesToFile(
      path.join(appDirectory, "accounts/password-worker.ts"),
      path.join(buildDirectory, "server/password-worker.js"),
    );
    await bundleWorker(
      path.join(appDirectory, "files/crypto-worker.server.ts"),
      path.join(buildDirectory, "server/crypto-worker.js"),
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
 * What every signed-in page reads to know the others: without the doors of the API and the files and figures that are
 * fetched, where no page leads; what the first page has loaded already; what documents are made of; what is empty or
 * false or read by nobody; and each route's name said twice.
 */
async function trimManifest(folder: string) {
  const [, name = ""] = /^(manifest-\S+\.js)$/m.exec((await readdir(folder)).join("\n")) ?? [];
  const [begin, end] = ["window.__reactRouterManifest=", ";"];
  const whole = await readFile(path.join(folder, name), "utf8");
  if (!whole.startsWith(begin) || !whole.endsWith(end)) throw new Error("The manifest is not written as it was.");
  const manifest = JSON.parse(whole.slice(begin.length, -end.length)) as Manifest;
  const { entry, routes } = manifest;
  const loaded = new Set([entry.module, ...entry.imports, ...(routes.root?.imports ?? [])]);
  for (const [id, route] of Object.entries(routes)) {
    const isFetched = route.hasLoader && !route.hasAction && !route.hasDefaultExport;
    if (id === API || route.parentId === API || isFetched) delete routes[id];
    if (id !== "root") route.imports = route.imports?.filter((url) => !loaded.has(url));
    if (route.parentId === STATIC_PAGES) delete route.imports;
    delete route.id;
    delete route.hasDefaultExport;
  }
  const isSaid = (value: unknown) => value !== false && !(Array.isArray(value) && value.length === 0);
  const trimmed = JSON.stringify(manifest, (_, value: unknown) => (isSaid(value) ? value : undefined));
  await writeFile(path.join(folder, name), begin + trimmed + end + RESTORE_ROUTE_IDS);
}

/** Files of the build never change, so they are compressed once, as densely as possible. */
async function compressFiles(folder: string) {
  for (const name of await readdir(folder)) {
    if (!/\.(js|css|svg)$/.test(name)) continue;
    const bytes = await readFile(path.join(folder, name));
    await writeFile(path.join(folder, `${name}.br`), brotliCompressSync(bytes));
    await writeFile(path.join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
  }
}

/** A thread starts from a file of its own, which the bundle does not make: the framework names every entry index.js. */
async function stripTypesToFile(from: string, to: string) {
  await writeFile(to, stripTypeScriptTypes(await readFile(from, "utf8")));
}

/** The same for one that is made of several files. */
async function bundleWorker(from: string, to: string) {
  await build({
    configFile: false,
    logLevel: "warn",
    publicDir: false,
    build: {
      ssr: from,
      outDir: path.dirname(to),
      emptyOutDir: false,
      rolldownOptions: { output: { entryFileNames: path.basename(to), codeSplitting: false } },
    },
  });
}
