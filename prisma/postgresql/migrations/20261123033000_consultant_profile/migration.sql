-- What families read about the consultant, and her portrait.
ALTER TABLE "practice_settings" ADD COLUMN "consultantName" TEXT;
ALTER TABLE "practice_settings" ADD COLUMN "consultantBio" TEXT;
ALTER TABLE "practice_settings" ADD COLUMN "consultantLicense" TEXT;
ALTER TABLE "practice_settings" ADD COLUMN "portraitName" TEXT;
ALTER TABLE "practice_settings" ADD COLUMN "portraitBase64" TEXT;
