-- AlterTable
ALTER TABLE "users" ADD COLUMN "termsVersion" TEXT;
ALTER TABLE "users" ADD COLUMN "termsAcceptedAt" DATETIME;
