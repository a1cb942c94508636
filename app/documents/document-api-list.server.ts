import type { Person } from "../accounts/person.ts";
import { db } from "../db/client.server.ts";
import { parseId } from "../http/field-schemas.ts";
import { accepted, type Outcome, refused } from "../http/outcome.ts";
import { KeyedSerialQueue } from "../serial-queue.ts";
import { type Document, DOCUMENT_SELECT, documentNotFound, findIntakeDocument, visibleTo } from "./documents.server.ts";

/** Source: docs/product.md, Limits. */
export const MAX_LISTED = 200;
/** Size of the JSON. Names and descriptions of 200 documents can have 4 MB. */
const MAX_LISTED_BYTES = 500_000;

/** Long texts take a while to decrypt and to write: a person's lists are read one after another. */
const lists = new KeyedSerialQueue<number>();

/**
 * The documents that the person may see, newest first: 200, or fewer if their JSON would have over 500 kB, but one at
 * least. A family's intake form comes before them. With `before`, the list begins after the document of that id, without
 * the intake form. Refusals: malformed, notFound (the person may not see that document).
 */
export function listDocuments(person: Person, query: URLSearchParams): Promise<Outcome<Document[]>> {
  return lists.run(person.id, async () => {
    const last = await findLastListed(person, query);
    if (!last.ok) return last;
    const [rows, intake] = await Promise.all([
      db.document.findMany({
        where: { ...visibleTo(person), ...(last.value ? isAfter(last.value) : {}) },
        orderBy: [{ uploadedAt: "desc" }, { id: "desc" }],
        select: DOCUMENT_SELECT,
        take: MAX_LISTED,
      }),
      last.value ? null : findIntakeDocument(person),
    ]);
    return accepted([...(intake?.ok ? [intake.value.document] : []), ...firstWithinLimit(rows)]);
  });
}

type ListPosition = Pick<Document, "id" | "uploadedAt">;

/** The document of `?before=`, given at most once; null without. */
async function findLastListed(person: Person, query: URLSearchParams): Promise<Outcome<ListPosition | null>> {
  const values = query.getAll("before");
  if (values.length === 0) return accepted(null);
  const id = values.length === 1 ? parseId(values[0]) : null;
  if (id === null) return refused("malformed", "before must be the id of a document, given once.");
  const select = { id: true, uploadedAt: true } as const;
  const found = await db.document.findFirst({ where: { ...visibleTo(person), id }, select });
  return found ? accepted(found) : documentNotFound();
}

function isAfter({ id, uploadedAt }: ListPosition) {
  return { OR: [{ uploadedAt: { lt: uploadedAt } }, { uploadedAt, id: { lt: id } }] };
}

function firstWithinLimit(rows: Document[]): Document[] {
  let bytes = 0;
  const end = rows.findIndex((row, index) => {
    bytes += Buffer.byteLength(JSON.stringify(row));
    return index > 0 && bytes > MAX_LISTED_BYTES;
  });
  return end === -1 ? rows : rows.slice(0, end);
}
