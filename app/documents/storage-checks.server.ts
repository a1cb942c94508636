import { db } from "../db/client.server.ts";
import { store } from "../files/store.server.ts";
import { damagedDocumentIds } from "./damaged-documents.server.ts";

const LOW_SPACE_SHARE = 0.1;

/** What the consultant should know of the documents' store: silent, nearly full, or a file that is not as it was sent. */
export async function storageWarnings(): Promise<string[]> {
  const damagedCount = await db.document.count({ where: { id: { in: damagedDocumentIds() } } });
  const damagedWarnings =
    damagedCount === 0
      ? []
      : [
          `${damagedCount} ${damagedCount === 1 ? "document is" : "documents are"} damaged or missing. Ask whoever runs this site: “npm run documents -- check” names ${damagedCount === 1 ? "it" : "them"}, and the last backup has ${damagedCount === 1 ? "it" : "them"} whole.`,
        ];
  if (!(await store.ping())) return ["Documents can't be reached just now. We keep trying.", ...damagedWarnings];
  const { freeBytes, totalBytes } = await store.diskSpace();
  const freeShare = totalBytes > 0 ? freeBytes / totalBytes : 1;
  const lowSpaceWarning = `Only ${Math.floor(freeShare * 100)} % of the space for documents is free. Ask whoever runs this site for more.`;
  return freeShare < LOW_SPACE_SHARE ? [lowSpaceWarning, ...damagedWarnings] : damagedWarnings;
}
