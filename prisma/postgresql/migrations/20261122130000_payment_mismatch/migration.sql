-- AlterTable
ALTER TABLE "payments" ADD COLUMN "mismatch" TEXT;
