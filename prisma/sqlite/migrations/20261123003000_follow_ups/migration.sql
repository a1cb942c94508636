-- AlterTable
ALTER TABLE "family_notes" ADD COLUMN "appointmentId" INTEGER REFERENCES "appointments" ("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- CreateIndex
CREATE INDEX "family_notes_appointmentId_idx" ON "family_notes"("appointmentId");

-- CreateTable
CREATE TABLE "follow_ups" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "userId" INTEGER NOT NULL,
    "appointmentId" INTEGER,
    "text" TEXT NOT NULL,
    "dueDay" TEXT NOT NULL,
    "isShared" BOOLEAN NOT NULL DEFAULT false,
    "doneAt" DATETIME,
    "remindedAt" DATETIME,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "follow_ups_a_day" CHECK ("dueDay" GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
    CONSTRAINT "follow_ups_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "follow_ups_appointmentId_fkey" FOREIGN KEY ("appointmentId") REFERENCES "appointments" ("id") ON DELETE SET NULL ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "follow_ups_doneAt_dueDay_idx" ON "follow_ups"("doneAt", "dueDay");

-- CreateIndex
CREATE INDEX "follow_ups_userId_dueDay_idx" ON "follow_ups"("userId", "dueDay");

-- CreateIndex
CREATE INDEX "follow_ups_appointmentId_idx" ON "follow_ups"("appointmentId");
