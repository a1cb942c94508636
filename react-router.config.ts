import { readdir, readFile, writeFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import path from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { Config } from "@react-router/dev/config";
import { build } from "vite";

export default {
  appDirectory: "app",
  buildDirectory: "build",
  ssr: true,
  // Every document names the links it needs; the manifest endpoint would answer anyone with any list of paths.
  routeDiscovery: { mode: "initial" },
  buildEnd: async ({ reactRouterConfig: { appDirectory, buildDirectory } }) => {
    await compressFiles(path.join(buildDirectory, "client/assets"));
    await addWorker(
      path.join(appDirectory, "accounts/password-worker.ts"),
      path.join(buildDirectory, "server/password-worker.js"),
    );
    await bundleWorker(
      path.join(appDirectory, "documents/vault-thread.server.ts"),
      path.join(buildDirectory, "server/vault-thread.js"),
    );
  },
} satisfies Config;

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
async function addWorker(from: string, to: string) {
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
