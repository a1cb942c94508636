-- AlterTable
ALTER TABLE "email_confirmations" ADD COLUMN "isChange" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "email_changes" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "userId" INTEGER NOT NULL,
    "oldEmail" TEXT NOT NULL,
    "undoTokenHash" TEXT,
    "undoUntil" DATETIME NOT NULL,
    "changedAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "email_changes_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE UNIQUE INDEX "email_changes_undoTokenHash_key" ON "email_changes"("undoTokenHash");

-- CreateIndex
CREATE INDEX "email_changes_userId_idx" ON "email_changes"("userId");

-- CreateIndex
CREATE INDEX "email_changes_oldEmail_idx" ON "email_changes"("oldEmail");
