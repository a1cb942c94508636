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

-- One signature at a time under each document. Triggers instead of a partial unique index, which Prisma's schema engine
-- can't describe on SQLite.
CREATE TRIGGER "consents_userId_document_key" BEFORE INSERT ON "consents"
WHEN NEW."withdrawnAt" IS NULL AND EXISTS (
  SELECT 1 FROM "consents"
  WHERE "userId" = NEW."userId" AND "document" = NEW."document" AND "withdrawnAt" IS NULL
)
BEGIN
  SELECT RAISE(ABORT, 'unique: consents_userId_document_key');
END;

CREATE TRIGGER "consents_userId_document_key_update" BEFORE UPDATE ON "consents"
WHEN NEW."withdrawnAt" IS NULL AND EXISTS (
  SELECT 1 FROM "consents"
  WHERE "userId" = NEW."userId" AND "document" = NEW."document" AND "withdrawnAt" IS NULL AND "id" <> NEW."id"
)
BEGIN
  SELECT RAISE(ABORT, 'unique: consents_userId_document_key');
END;
