-- An agreement that the family took back and the consultant has not seen yet.
ALTER TABLE "consents" ADD COLUMN "isUnreviewedWithdrawal" BOOLEAN NOT NULL DEFAULT false;
CREATE INDEX "consents_isUnreviewedWithdrawal_withdrawnAt_idx" ON "consents"("isUnreviewedWithdrawal", "withdrawnAt");
