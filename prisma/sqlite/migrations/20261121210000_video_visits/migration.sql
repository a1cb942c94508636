-- AlterTable
ALTER TABLE "appointments" ADD COLUMN "callEndedAt" DATETIME;

-- CreateTable
CREATE TABLE "call_presences" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "appointmentId" INTEGER NOT NULL,
    "role" TEXT NOT NULL,
    "page" TEXT,
    "seat" TEXT,
    "process" TEXT NOT NULL,
    "seenAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP
);

-- CreateTable
CREATE TABLE "call_signals" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "process" TEXT NOT NULL,
    "news" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP
);

-- CreateIndex
CREATE UNIQUE INDEX "call_presences_seat_key" ON "call_presences"("seat");

-- CreateIndex
CREATE INDEX "call_presences_appointmentId_idx" ON "call_presences"("appointmentId");

-- CreateIndex
CREATE INDEX "call_presences_process_idx" ON "call_presences"("process");

-- CreateIndex
CREATE INDEX "call_signals_process_id_idx" ON "call_signals"("process", "id");
