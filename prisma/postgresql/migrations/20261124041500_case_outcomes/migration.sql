-- A case outlives its family, without its words: that it was, its kind, its days and how it ended.
ALTER TABLE "compliance_cases" ADD COLUMN "outcome" TEXT;
ALTER TABLE "compliance_cases" ADD CONSTRAINT "compliance_cases_outcome_known"
  CHECK ("outcome" IN ('answered', 'declined', 'notified', 'not-required', 'account-erased'));
ALTER TABLE "compliance_cases" DROP CONSTRAINT "compliance_cases_userId_fkey";
ALTER TABLE "compliance_cases" ADD CONSTRAINT "compliance_cases_userId_fkey"
  FOREIGN KEY ("userId") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;
