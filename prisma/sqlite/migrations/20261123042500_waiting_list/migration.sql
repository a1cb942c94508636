-- CreateTable
CREATE TABLE "waiting_list" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "userId" INTEGER NOT NULL,
    "day" TEXT NOT NULL,
    "duration" INTEGER NOT NULL,
    "joinedAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "endedAt" DATETIME,
    CONSTRAINT "waiting_list_a_day" CHECK ("day" GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
    CONSTRAINT "waiting_list_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "waiting_list_offers" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "entryId" INTEGER NOT NULL,
    "appointmentDate" DATETIME NOT NULL,
    "duration" INTEGER NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "waiting_list_offers_entryId_fkey" FOREIGN KEY ("entryId") REFERENCES "waiting_list" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- AlterTable
ALTER TABLE "holds" ADD COLUMN "offerId" INTEGER REFERENCES "waiting_list_offers" ("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- CreateIndex
CREATE INDEX "waiting_list_day_joinedAt_idx" ON "waiting_list"("day", "joinedAt");

-- CreateIndex
CREATE UNIQUE INDEX "waiting_list_userId_day_key" ON "waiting_list"("userId", "day");

-- CreateIndex
CREATE UNIQUE INDEX "waiting_list_offers_entryId_appointmentDate_key" ON "waiting_list_offers"("entryId", "appointmentDate");

-- CreateIndex
CREATE UNIQUE INDEX "holds_offerId_key" ON "holds"("offerId");
