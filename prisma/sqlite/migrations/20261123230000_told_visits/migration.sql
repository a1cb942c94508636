-- When the consultant told a person without an account of a visit. What was cancelled before is not to be told any more.
ALTER TABLE "appointments" ADD COLUMN "toldAt" DATETIME;
UPDATE "appointments" SET "toldAt" = "updatedAt" WHERE "userId" IS NULL AND "status" = 'cancelled';
