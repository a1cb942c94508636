import { log } from "./log.server.ts";
import { logError } from "./errors.server.ts";

/** Says in whole sentences, for the consultant, what is wrong with one part of the house; nothing while all is well. */
type SystemCheck = () => Promise<string[]>;

const CHECK_INTERVAL_MS = 60_000;

const checks = new Map<string, SystemCheck>();
let warnings: readonly string[] = [];

/** One more part that may need the consultant's attention. */
export function registerCheck(name: string, check: SystemCheck): void {
  checks.set(name, check);
}

/** What needed attention when it was last looked for, a minute ago at most. Never about a single family. */
export function currentWarnings(): readonly string[] {
  return warnings;
}

/** Looks at every part; what is new is logged, too, for whoever watches from outside. */
export async function runChecks(): Promise<void> {
  const results = await Promise.all(
    [...checks].map(async ([name, check]) =>
      check().catch((error: unknown) => {
        logError(error, `looking after ${name}`);
        return [];
      }),
    ),
  );
  const current = results.flat();
  for (const warning of current) if (!warnings.includes(warning)) log.warn({ trouble: warning }, "needs attention");
  warnings = current;
}

/** Looks now and every minute, until the returned function is called. */
export function startChecks(): () => void {
  void runChecks();
  const timer = setInterval(() => void runChecks(), CHECK_INTERVAL_MS).unref();
  return () => clearInterval(timer);
}
