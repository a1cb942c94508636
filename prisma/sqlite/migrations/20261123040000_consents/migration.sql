-- CreateTable
CREATE TABLE "consents" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "userId" INTEGER NOT NULL,
    "document" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "signedName" TEXT NOT NULL,
    "details" TEXT,
    "signedAt" DATETIME NOT NULL,
    "withdrawnAt" DATETIME,
    CONSTRAINT "consents_version_a_day" CHECK ("version" GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
    CONSTRAINT "consents_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "consents_userId_idx" ON "consents"("userId");

-- One signature at a time under each document; Prisma can't express the condition.
CREATE UNIQUE INDEX "consents_userId_document_key" ON "consents"("userId", "document") WHERE "withdrawnAt" IS NULL;
