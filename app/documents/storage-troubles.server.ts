import { db } from "../db.server.ts";
import { store } from "./store.server.ts";
import { allInTrouble } from "./trouble.server.ts";

const LOW_SHARE = 0.1;

/** What the consultant should know of the documents' store: silent, nearly full, or a file that is not as it was sent. */
export async function storageTroubles(): Promise<string[]> {
  const broken = await db.document.count({ where: { id: { in: allInTrouble() } } });
  const damaged =
    broken === 0
      ? []
      : [
          `${broken} ${broken === 1 ? "document is" : "documents are"} damaged or missing. Ask whoever runs this site: “npm run documents -- check” names ${broken === 1 ? "it" : "them"}, and the last backup has ${broken === 1 ? "it" : "them"} whole.`,
        ];
  if (!(await store.answers())) return ["Documents can't be reached just now. We keep trying.", ...damaged];
  const { free, whole } = await store.space();
  const share = whole > 0 ? free / whole : 1;
  const low = `Only ${Math.floor(share * 100)} % of the space for documents is free. Ask whoever runs this site for more.`;
  return share < LOW_SHARE ? [low, ...damaged] : damaged;
}
