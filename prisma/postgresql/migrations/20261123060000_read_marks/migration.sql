-- AlterTable
ALTER TABLE "documents" ADD COLUMN "openedByFamilyAt" TIMESTAMP(3);
ALTER TABLE "messages" ADD COLUMN "readAt" TIMESTAMP(3);

-- Nobody comes back to a list in which everything is new.
UPDATE "documents" SET "openedByFamilyAt" = "uploadedAt";
UPDATE "messages" SET "readAt" = "createdAt";
