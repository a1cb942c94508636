-- AlterTable
ALTER TABLE "documents" ADD COLUMN "uploadedById" INTEGER CONSTRAINT "documents_uploadedById_fkey" REFERENCES "users" ("id") ON DELETE SET NULL ON UPDATE CASCADE;
ALTER TABLE "documents" ADD COLUMN "sha256" TEXT;
ALTER TABLE "documents" ADD COLUMN "fileKey" TEXT;
ALTER TABLE "documents" ADD COLUMN "keyId" TEXT;

-- CreateIndex
CREATE INDEX "documents_uploadedById_idx" ON "documents"("uploadedById");
