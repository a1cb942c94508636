-- AlterTable
ALTER TABLE "documents" ADD COLUMN "uploadedById" INTEGER,
ADD COLUMN "sha256" TEXT,
ADD COLUMN "fileKey" TEXT,
ADD COLUMN "keyId" TEXT;

-- CreateIndex
CREATE INDEX "documents_uploadedById_idx" ON "documents"("uploadedById");

-- AddForeignKey
ALTER TABLE "documents" ADD CONSTRAINT "documents_uploadedById_fkey" FOREIGN KEY ("uploadedById") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;
