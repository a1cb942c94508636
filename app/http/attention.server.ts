import { log } from "./log.server.ts";
import { logFailure } from "./failure.server.ts";

/** Says in whole sentences, for the consultant, what is wrong with one part of the house; nothing while all is well. */
type Look = () => Promise<string[]>;

const EVERY_MS = 60_000;

const looks = new Map<string, Look>();
let found: readonly string[] = [];

/** One more part that may need the consultant's attention. */
export function alsoLook(part: string, look: Look): void {
  looks.set(part, look);
}

/** What needed attention when it was last looked for, a minute ago at most. Never about a single family. */
export function troubles(): readonly string[] {
  return found;
}

/** Looks at every part; what is new is logged, too, for whoever watches from outside. */
export async function lookAround(): Promise<void> {
  const all = await Promise.all(
    [...looks].map(async ([part, look]) =>
      look().catch((error: unknown) => {
        logFailure(error, `looking after ${part}`);
        return [];
      }),
    ),
  );
  const now = all.flat();
  for (const trouble of now) if (!found.includes(trouble)) log.warn({ trouble }, "needs attention");
  found = now;
}

/** Looks now and every minute, until the returned function is called. */
export function keepLooking(): () => void {
  void lookAround();
  const timer = setInterval(() => void lookAround(), EVERY_MS).unref();
  return () => clearInterval(timer);
}
