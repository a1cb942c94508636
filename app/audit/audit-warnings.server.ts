import { db } from "../db/client.server.ts";
import { isSignedHead } from "./chain.server.ts";

/**
 * Returns a warning for the administrator's dashboard if another program wrote the head of the access log, or its key
 * is lost.
 */
export async function auditWarnings(): Promise<string[]> {
  const head = await db.auditHead.findUnique({ where: { id: 1 }, omit: { id: true } });
  if (!head || isSignedHead(head)) return [];
  return [
    "The access log may have been changed: ask the person who installed this site to verify it (npm run audit -- verify).",
  ];
}
