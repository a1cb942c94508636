import { flushCompileCache } from "node:module";
import { createRequestHandler, type ServerBuild } from "react-router";
import { removeStaleBackupResources } from "../backup/stale-backup-resources.server.ts";
import { env } from "../env.server.ts";
import { restrictFileModesRecursively } from "../file-modes.server.ts";
import { logError } from "../http/errors.server.ts";
import { log } from "../http/log.server.ts";
import { warmPageCache } from "../http/page-cache.server.ts";
import type { PageHandle } from "../ui/page-handle.ts";

/**
 * Deletes the files that a killed backup left, and restricts, in the background, the modes of files from earlier
 * versions.
 */
export async function runStartupFileMaintenance(): Promise<void> {
  await removeStaleBackupResources().catch((error: unknown) => logError(error, "removing stale backup files"));
  void restrictStoredFileModes();
}

/**
 * Prints two lines that people and programs wait for. On a public site programs read the log, so they are log entries
 * there.
 */
export function logReady(signInHint: string): void {
  const print = (line: string) => (env.isPublic ? log.info(line) : console.log(line));
  print(`${env.practice.name} is ready at ${env.origin}`);
  print(signInHint);
}

/** Renders the public pages into memory, and writes the compile cache for the next start. Errors are logged. */
export async function warmCaches(build: ServerBuild): Promise<void> {
  const pathsWhere = (matches: (cache: PageHandle["cache"]) => boolean) =>
    Object.values(build.routes).flatMap((route) => {
      const handle = route?.module.handle as PageHandle | undefined;
      return matches(handle?.cache) ? [`/${route?.path ?? ""}`] : [];
    });
  const [paths, shortLived] = [pathsWhere(Boolean), pathsWhere((cache) => cache === "minute")];
  await warmPageCache(paths, createRequestHandler(build), shortLived).catch((error: unknown) =>
    logError(error, "warming the page cache"),
  );
  flushCompileCache();
}

async function restrictStoredFileModes(): Promise<void> {
  for (const folder of [env.files.folder, env.backups.folder]) await restrictFileModesRecursively(folder);
}
