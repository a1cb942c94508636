-- AlterTable
ALTER TABLE "users" ADD COLUMN "closedAt" DATETIME;
