-- AlterTable
ALTER TABLE "family_notes" ADD COLUMN "appointmentId" INTEGER;

-- CreateIndex
CREATE INDEX "family_notes_appointmentId_idx" ON "family_notes"("appointmentId");

-- AddForeignKey
ALTER TABLE "family_notes" ADD CONSTRAINT "family_notes_appointmentId_fkey" FOREIGN KEY ("appointmentId") REFERENCES "appointments"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- CreateTable
CREATE TABLE "follow_ups" (
    "id" SERIAL NOT NULL,
    "userId" INTEGER NOT NULL,
    "appointmentId" INTEGER,
    "text" TEXT NOT NULL,
    "dueDay" TEXT NOT NULL,
    "isShared" BOOLEAN NOT NULL DEFAULT false,
    "doneAt" TIMESTAMP(3),
    "remindedAt" TIMESTAMP(3),
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "follow_ups_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "follow_ups_a_day" CHECK ("dueDay" ~ '^\d{4}-\d{2}-\d{2}$')
);

-- CreateIndex
CREATE INDEX "follow_ups_doneAt_dueDay_idx" ON "follow_ups"("doneAt", "dueDay");

-- CreateIndex
CREATE INDEX "follow_ups_userId_dueDay_idx" ON "follow_ups"("userId", "dueDay");

-- CreateIndex
CREATE INDEX "follow_ups_appointmentId_idx" ON "follow_ups"("appointmentId");

-- AddForeignKey
ALTER TABLE "follow_ups" ADD CONSTRAINT "follow_ups_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "follow_ups" ADD CONSTRAINT "follow_ups_appointmentId_fkey" FOREIGN KEY ("appointmentId") REFERENCES "appointments"("id") ON DELETE SET NULL ON UPDATE CASCADE;
