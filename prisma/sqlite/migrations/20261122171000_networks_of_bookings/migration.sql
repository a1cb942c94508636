-- AlterTable
ALTER TABLE "appointments" ADD COLUMN "network" TEXT;
ALTER TABLE "appointments" ADD COLUMN "wideNetwork" TEXT;

-- AlterTable
ALTER TABLE "consultation_requests" ADD COLUMN "wideNetwork" TEXT;

-- AlterTable
ALTER TABLE "holds" ADD COLUMN "network" TEXT;
ALTER TABLE "holds" ADD COLUMN "wideNetwork" TEXT;

-- CreateIndex
CREATE INDEX "appointments_wideNetwork_idx" ON "appointments"("wideNetwork");

-- CreateIndex
CREATE INDEX "consultation_requests_wideNetwork_status_idx" ON "consultation_requests"("wideNetwork", "status");
