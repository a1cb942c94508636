-- CreateIndex
CREATE INDEX "payments_state_paidAt_idx" ON "payments"("state", "paidAt");

-- CreateIndex
CREATE INDEX "refunds_createdAt_idx" ON "refunds"("createdAt");
