-- AlterTable
ALTER TABLE "documents" ADD COLUMN "reviewedAt" DATETIME;
ALTER TABLE "intake_forms" ADD COLUMN "reviewedAt" DATETIME;

-- What is there already counts as opened: nothing of it is new.
UPDATE "documents" SET "reviewedAt" = "uploadedAt";
UPDATE "intake_forms" SET "reviewedAt" = "updatedAt";

-- CreateIndex
CREATE INDEX "documents_reviewedAt_uploadedAt_idx" ON "documents"("reviewedAt", "uploadedAt");
CREATE INDEX "intake_forms_reviewedAt_updatedAt_idx" ON "intake_forms"("reviewedAt", "updatedAt");
