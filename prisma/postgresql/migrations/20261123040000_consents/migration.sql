-- CreateTable
CREATE TABLE "consents" (
    "id" SERIAL NOT NULL,
    "userId" INTEGER NOT NULL,
    "document" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "signedName" TEXT NOT NULL,
    "details" TEXT,
    "signedAt" TIMESTAMP(3) NOT NULL,
    "withdrawnAt" TIMESTAMP(3),

    CONSTRAINT "consents_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "consents_version_a_day" CHECK ("version" ~ '^\d{4}-\d{2}-\d{2}$')
);

-- CreateIndex
CREATE INDEX "consents_userId_idx" ON "consents"("userId");

-- One signature at a time under each document; Prisma can't express the condition.
CREATE UNIQUE INDEX "consents_userId_document_key" ON "consents"("userId", "document") WHERE "withdrawnAt" IS NULL;

-- AddForeignKey
ALTER TABLE "consents" ADD CONSTRAINT "consents_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
