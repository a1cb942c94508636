-- AlterTable
ALTER TABLE "users" ADD COLUMN "closedAt" TIMESTAMP(3);
