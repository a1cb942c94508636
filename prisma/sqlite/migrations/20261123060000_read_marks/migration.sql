-- AlterTable
ALTER TABLE "documents" ADD COLUMN "openedByFamilyAt" DATETIME;
ALTER TABLE "messages" ADD COLUMN "readAt" DATETIME;

-- Nobody comes back to a list in which everything is new.
UPDATE "documents" SET "openedByFamilyAt" = "uploadedAt";
UPDATE "messages" SET "readAt" = "createdAt";
