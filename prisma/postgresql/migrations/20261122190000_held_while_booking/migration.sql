-- A time is also held for a family that has chosen it and not come to the payment yet: "paymentId" is null then.
ALTER TABLE "holds" ALTER COLUMN "paymentId" DROP NOT NULL;
ALTER TABLE "holds" ADD COLUMN "type" TEXT NOT NULL DEFAULT 'consultation';
ALTER TABLE "holds" ADD COLUMN "heldSince" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;
ALTER TABLE "holds" ADD COLUMN "chosenByUserId" INTEGER;

-- One time for each family, besides those of its payments.
CREATE UNIQUE INDEX "holds_chosenByUserId_key" ON "holds"("chosenByUserId");
