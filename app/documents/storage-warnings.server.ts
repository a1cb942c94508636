import { db } from "../db/client.server.ts";
import { fileStore } from "../files/configured-store.server.ts";
import { damagedDocumentIds } from "./damaged-documents.server.ts";

const LOW_SPACE_SHARE = 0.1;

/**
 * Warnings about the storage for the administrator's dashboard: unreachable, nearly full, or with damaged documents.
 */
export async function storageWarnings(): Promise<string[]> {
  const damagedCount = await db.document.count({ where: { id: { in: damagedDocumentIds() } } });
  const [documentsAre, them] = damagedCount === 1 ? ["document is", "it"] : ["documents are", "them"];
  const damagedWarning =
    `${damagedCount} ${documentsAre} damaged or missing. Ask whoever runs this site: ` +
    `“npm run documents -- check” names ${them}, and the last backup has ${them} whole.`;
  const damagedWarnings = damagedCount === 0 ? [] : [damagedWarning];
  if (!(await fileStore.ping())) return ["Documents can't be reached just now. We keep trying.", ...damagedWarnings];
  const { freeBytes, totalBytes } = await fileStore.diskSpace();
  const freeShare = totalBytes > 0 ? freeBytes / totalBytes : 1;
  const lowSpaceWarning = `Only ${Math.floor(freeShare * 100)} % of the space for documents is free. Ask whoever runs this site for more.`;
  return freeShare < LOW_SPACE_SHARE ? [lowSpaceWarning, ...damagedWarnings] : damagedWarnings;
}
