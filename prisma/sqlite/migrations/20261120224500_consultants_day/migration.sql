-- CreateTable
CREATE TABLE "day_hours" (
    "day" TEXT NOT NULL PRIMARY KEY,
    "opens" INTEGER,
    "closes" INTEGER,
    "note" TEXT,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "day_hours_a_day" CHECK ("day" GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
    CONSTRAINT "day_hours_span" CHECK (("opens" IS NULL AND "closes" IS NULL) OR ("opens" IS NOT NULL AND "closes" IS NOT NULL AND 0 <= "opens" AND "opens" < "closes" AND "closes" <= 1440))
);

-- CreateTable
CREATE TABLE "family_notes" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "userId" INTEGER NOT NULL,
    "text" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "family_notes_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "family_notes_userId_createdAt_idx" ON "family_notes"("userId", "createdAt");

-- CreateIndex
CREATE INDEX "users_isAdmin_lastName_firstName_idx" ON "users"("isAdmin", "lastName", "firstName");
