-- AlterTable: null where a visit is not cancelled, or was before this was recorded.
ALTER TABLE "appointments" ADD COLUMN "cancelledBy" TEXT CONSTRAINT "appointments_cancelledBy_known" CHECK ("cancelledBy" IN ('family', 'practice'));
ALTER TABLE "appointments" ADD COLUMN "cancelReason" TEXT;
