import { log } from "./log.server.ts";
import { logError } from "./errors.server.ts";

/** Returns warnings for the administrator in full sentences; empty if all is well. */
type WarningSource = () => Promise<string[]>;

const sources = new Map<string, WarningSource>();
let warnings: readonly string[] = [];

/** Registers a source whose warnings the administrator's dashboard shows. */
export function registerWarningSource(name: string, source: WarningSource): void {
  sources.set(name, source);
}

/** The warnings of the latest run, at most a minute old. They never identify a family. */
export function currentWarnings(): readonly string[] {
  return warnings;
}

/** Asks all sources. New warnings are also logged, for monitoring. */
export async function refreshWarnings(): Promise<void> {
  const results = await Promise.all(
    [...sources].map(async ([name, source]) =>
      source().catch((error: unknown) => {
        logError(error, `system check ${name}`);
        return [];
      }),
    ),
  );
  const current = results.flat();
  for (const warning of current) if (!warnings.includes(warning)) log.warn({ warning }, "needs attention");
  warnings = current;
}
