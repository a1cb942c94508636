import { db } from "../db/database-client.server.ts";
import { fileStore } from "../files/configured-file-store.server.ts";
import { damagedDocumentIds, forgetDamagedDocuments, MAX_RECORDED_DOCUMENTS } from "./damaged-documents.server.ts";
import { lowSpaceWarnings } from "./low-space-warnings.ts";

/** Returns warnings for the administrator's dashboard: the storage is unavailable or nearly full. */
export async function storageWarnings(): Promise<string[]> {
  if (!(await fileStore.ping())) return ["Documents can't be reached right now. We keep trying."];
  return lowSpaceWarnings(await fileStore.diskSpace());
}

/**
 * Returns a warning with the number of documents that were found damaged or missing, if any, and how to find out which.
 */
export async function damagedDocumentWarnings(): Promise<string[]> {
  const recordedIds = damagedDocumentIds();
  const rows = await db.document.findMany({ where: { id: { in: recordedIds } }, select: { id: true } });
  const damagedIds = new Set(rows.map(({ id }) => id));
  forgetDamagedDocuments(recordedIds.filter((id) => !damagedIds.has(id)));
  if (damagedIds.size === 0) return [];
  const count = recordedIds.length < MAX_RECORDED_DOCUMENTS ? `${damagedIds.size}` : `At least ${damagedIds.size}`;
  const [documentsAre, them] = damagedIds.size === 1 ? ["document is", "it"] : ["documents are", "them"];
  return [
    `${count} ${documentsAre} damaged or missing. Ask the person who installed this site: ` +
      `“npm run documents -- check” names ${them}, and the last backup has ${them} whole.`,
  ];
}
