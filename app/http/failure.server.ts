import { isUnreachable } from "../db.server.ts";
import { type Refusal, refused } from "./outcome.ts";

const RETRY_SECONDS = 10;

/** What a person is told when something of ours failed. The reason stays in the log, without what they typed. */
export function failure(error: unknown): Refusal | null {
  if (!isUnreachable(error)) return null;
  const refusal = refused(
    "unavailable",
    "We can't reach our records just now. Nothing was changed. Please try again in a minute.",
  );
  return { ...refusal, retryAfterSeconds: RETRY_SECONDS };
}

export function logFailure(error: unknown, where: string): void {
  console.error(JSON.stringify({ level: "error", time: new Date().toISOString(), where, error: describe(error) }));
}

/** Where it happened, but no message beyond its last line: the database's errors quote the values they were given. */
function describe(error: unknown) {
  if (!(error instanceof Error)) return { name: typeof error };
  const frames = error.stack?.split("\n").filter((line) => /^\s+at /.test(line)) ?? [];
  const isDatabase = error.name.startsWith("Prisma");
  const message = isDatabase ? error.message.trim().split("\n").at(-1) : error.message;
  return { name: error.name, code: (error as { code?: unknown }).code, message, frames };
}
