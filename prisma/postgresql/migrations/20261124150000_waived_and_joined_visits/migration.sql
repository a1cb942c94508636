ALTER TABLE "appointments" ADD COLUMN "familyJoinedAt" TIMESTAMP(3);
ALTER TABLE "appointments" ADD COLUMN "waivedAt" TIMESTAMP(3);
ALTER TABLE "appointments" ADD COLUMN "waiveReason" TEXT;
-- Who joined an earlier call was not recorded: of those that were ended or have a status, nobody is said to be absent.
UPDATE "appointments" SET "familyJoinedAt" = "appointmentDate"
WHERE "isLiveVideoCall" AND ("callEndedAt" IS NOT NULL OR "status" IN ('completed', 'no-show'));

CREATE INDEX "appointments_waivedAt_idx" ON "appointments"("waivedAt");
