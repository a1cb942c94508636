-- When a scan of what is stored found what may be a virus in a document. Such a file is not handed out.
ALTER TABLE "documents" ADD COLUMN "virusFoundAt" TIMESTAMP(3);

-- What the last complete scan found, and one that was begun since.
UPDATE "documents" SET "virusFoundAt" = (
    SELECT max("at") FROM "audit_entries" WHERE "action" = 'infected-document-found' AND "objectId" = "documents"."id"
) WHERE "id" IN (
    SELECT "objectId" FROM "audit_entries" WHERE "action" = 'infected-document-found' AND "sequence" > coalesce(
        (SELECT "sequence" FROM "audit_entries" WHERE "action" = 'documents-scanned'
            ORDER BY "sequence" DESC LIMIT 1 OFFSET 1), 0));
