-- The address and tax number of invoices and receipts, and where families meet the consultant in person.
ALTER TABLE "practice_settings" ADD COLUMN "practiceAddress" TEXT;
ALTER TABLE "practice_settings" ADD COLUMN "taxId" TEXT;
ALTER TABLE "practice_settings" ADD COLUMN "meetingPlace" TEXT;
