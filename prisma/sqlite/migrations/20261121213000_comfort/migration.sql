-- AlterTable
ALTER TABLE "users" ADD COLUMN "comfort" TEXT CONSTRAINT "users_comfort_known" CHECK ("comfort" IN ('', 'large', 'calm', 'still', 'large calm', 'large still', 'calm still', 'large calm still'));
