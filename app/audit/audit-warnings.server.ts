import { db } from "../db/database-client.server.ts";
import { isSignedHead } from "./audit-chain.server.ts";
import { getLastCommittedEntry, lacksEntry } from "./last-committed-entry.server.ts";

/**
 * Returns a warning for the administrator's dashboard if another program wrote the head of the access log, put an older
 * one in its place, or its key is lost.
 */
export async function auditWarnings(): Promise<string[]> {
  const known = getLastCommittedEntry();
  const head = await db.auditHead.findUnique({ where: { id: 1 }, omit: { id: true } });
  const isSigned = !head || isSignedHead(head);
  if (isSigned && !(await lacksEntry(db, head, known))) return [];
  return [
    "The access log may have been changed: ask the person who installed this site to verify it (npm run audit -- verify).",
  ];
}
