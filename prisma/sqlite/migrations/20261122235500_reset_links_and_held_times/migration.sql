-- A link that a visitor asked for leaves the consultant's in force, and an address without an account gets a row, too.
-- SQLite can't drop NOT NULL, so the table is built anew. Links from before count as the consultant's.
CREATE TABLE "new_password_resets" (
    "tokenHash" TEXT NOT NULL PRIMARY KEY,
    "userId" INTEGER,
    "isMailed" BOOLEAN NOT NULL DEFAULT false,
    "expiresAt" DATETIME NOT NULL,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "password_resets_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO "new_password_resets" ("tokenHash", "userId", "expiresAt", "createdAt")
SELECT "tokenHash", "userId", "expiresAt", "createdAt" FROM "password_resets";
DROP TABLE "password_resets";
ALTER TABLE "new_password_resets" RENAME TO "password_resets";
CREATE INDEX "password_resets_userId_idx" ON "password_resets"("userId");

-- CreateTable
CREATE TABLE "held_times" (
    "userId" INTEGER NOT NULL PRIMARY KEY,
    "since" DATETIME NOT NULL,
    "minutes" INTEGER NOT NULL,
    CONSTRAINT "held_times_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
