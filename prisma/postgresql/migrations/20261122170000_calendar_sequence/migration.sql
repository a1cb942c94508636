-- AlterTable
ALTER TABLE "appointments" ADD COLUMN "calendarSequence" INTEGER NOT NULL DEFAULT 0;
