-- CreateTable
CREATE TABLE "appointment_claims" (
    "appointmentId" INTEGER NOT NULL,
    "tokenHash" TEXT NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "appointment_claims_pkey" PRIMARY KEY ("appointmentId")
);

-- CreateIndex
CREATE UNIQUE INDEX "appointment_claims_tokenHash_key" ON "appointment_claims"("tokenHash");

-- AddForeignKey
ALTER TABLE "appointment_claims" ADD CONSTRAINT "appointment_claims_appointmentId_fkey" FOREIGN KEY ("appointmentId") REFERENCES "appointments"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AlterTable
ALTER TABLE "consultation_requests" ADD COLUMN "network" TEXT;

-- CreateIndex
CREATE INDEX "consultation_requests_network_createdAt_idx" ON "consultation_requests"("network", "createdAt");
