import { recordTextsListed } from "../audit/record-list-reads.server.ts";
import type { Person } from "../accounts/person.ts";
import { db } from "../db/database-client.server.ts";
import { readRowsWithinByteLimit } from "../db/byte-limited-list.server.ts";
import { readOptionalIdParameter } from "../http/field-schemas.ts";
import { accepted, type Outcome } from "../http/outcome.ts";
import { KeyedSerialQueue } from "../serial-queue.ts";
import {
  type Document,
  DOCUMENT_SELECT,
  documentNotFoundRefusal,
  findIntakeDocument,
  visibleDocumentsCondition,
} from "./documents.server.ts";

/** Maximum number of listed documents. Source: docs/product.md, Limits. */
export const MAX_LISTED_DOCUMENTS = 200;

/** Runs a person's list requests one after another, because long texts take a while to decrypt and to send. */
const listQueue = new KeyedSerialQueue<number>();

/**
 * Returns the documents that the person may see, newest first: 200, or fewer if their texts are long (see
 * `readRowsWithinByteLimit`). A family's intake form comes first. With `before`, the list starts after the document with that
 * id, and does not include the intake form. Refusals: malformed, notFound (the person may not see that document).
 */
export function listDocumentsForApi(person: Person, query: URLSearchParams): Promise<Outcome<Document[]>> {
  return listQueue.run(person.id, async () => {
    const lastListedOutcome = await findCursorDocument(person, query);
    if (!lastListedOutcome.ok) return lastListedOutcome;
    const positionCondition = lastListedOutcome.value ? listedAfterCondition(lastListedOutcome.value) : {};
    const [rows, intake] = await Promise.all([
      db.document.findMany({
        where: { ...visibleDocumentsCondition(person), ...positionCondition },
        orderBy: [{ uploadedAt: "desc" }, { id: "desc" }],
        select: { id: true },
        take: MAX_LISTED_DOCUMENTS,
      }),
      lastListedOutcome.value ? null : findIntakeDocument(person),
    ]);
    const documents = await readRowsWithinByteLimit(
      rows.map(({ id }) => id),
      (ids) =>
        db.document.findMany({
          where: { ...visibleDocumentsCondition(person), id: { in: ids } },
          select: DOCUMENT_SELECT,
        }),
      (document) => document,
    );
    if (person.isAdmin) await recordTextsListed(documents.map(({ userId }) => userId));
    return accepted([...(intake?.ok ? [intake.value.document] : []), ...documents]);
  });
}

type ListPosition = Pick<Document, "id" | "uploadedAt">;

/** Returns the document named by `?before=`, which may be given at most once; null without it. */
async function findCursorDocument(person: Person, query: URLSearchParams): Promise<Outcome<ListPosition | null>> {
  const before = readOptionalIdParameter(query, "before", "a document");
  if (!before.ok || before.value === null) return before.ok ? accepted(null) : before;
  const select = { id: true, uploadedAt: true } as const;
  const found = await db.document.findFirst({
    where: { ...visibleDocumentsCondition(person), id: before.value },
    select,
  });
  return found ? accepted(found) : documentNotFoundRefusal();
}

function listedAfterCondition({ id, uploadedAt }: ListPosition) {
  return { OR: [{ uploadedAt: { lt: uploadedAt } }, { uploadedAt, id: { lt: id } }] };
}
