-- CreateTable
CREATE TABLE "terms_acceptances" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "userId" INTEGER NOT NULL,
    "version" TEXT NOT NULL,
    "acceptedAt" DATETIME NOT NULL,
    CONSTRAINT "terms_acceptances_version_a_day" CHECK ("version" GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
    CONSTRAINT "terms_acceptances_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "terms_acceptances_userId_idx" ON "terms_acceptances"("userId");

-- What was accepted until now: only the newest was kept.
INSERT INTO "terms_acceptances" ("userId", "version", "acceptedAt")
SELECT "id", "termsVersion", "termsAcceptedAt" FROM "users"
WHERE "termsVersion" IS NOT NULL AND "termsAcceptedAt" IS NOT NULL;
