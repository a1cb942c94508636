import { log } from "./log.server.ts";
import { logError } from "./errors.server.ts";

/** Returns warnings for the administrator as full sentences. Returns an empty array when there are none. */
type WarningSource = () => Promise<string[]>;

const warningSources = new Map<string, WarningSource>();
let warnings: ReadonlyMap<string, readonly string[]> = new Map();

/** Registers a source whose warnings the administrator's dashboard shows. */
export function registerWarningSource(name: string, source: WarningSource): void {
  warningSources.set(name, source);
}

/** Returns the warnings of the latest run, at most a minute old. They never identify a family. */
export function currentWarnings(): readonly string[] {
  return [...warnings.values()].flat();
}

/** Returns the warnings of one source, by its registered name. */
export function warningsFromSource(name: string): readonly string[] {
  return warnings.get(name) ?? [];
}

/** Reads the warnings of all sources and logs the new ones for monitoring. */
export async function refreshWarnings(): Promise<void> {
  const results = await Promise.all(
    [...warningSources].map(async ([name, source]) => {
      const sourceWarnings = await source().catch((error: unknown) => {
        logError(error, `system check ${name}`);
        return [];
      });
      return [name, sourceWarnings] as const;
    }),
  );
  const previousWarnings = currentWarnings();
  warnings = new Map(results);
  for (const warning of currentWarnings())
    if (!previousWarnings.includes(warning)) log.warn({ warning }, "needs attention");
}
