-- CreateTable
CREATE TABLE "waiting_list" (
    "id" SERIAL NOT NULL,
    "userId" INTEGER NOT NULL,
    "day" TEXT NOT NULL,
    "duration" INTEGER NOT NULL,
    "joinedAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "endedAt" TIMESTAMP(3),

    CONSTRAINT "waiting_list_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "waiting_list_a_day" CHECK ("day" ~ '^\d{4}-\d{2}-\d{2}$')
);

-- CreateTable
CREATE TABLE "waiting_list_offers" (
    "id" SERIAL NOT NULL,
    "entryId" INTEGER NOT NULL,
    "appointmentDate" TIMESTAMP(3) NOT NULL,
    "duration" INTEGER NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "waiting_list_offers_pkey" PRIMARY KEY ("id")
);

-- AlterTable
ALTER TABLE "holds" ADD COLUMN "offerId" INTEGER;

-- CreateIndex
CREATE INDEX "waiting_list_day_joinedAt_idx" ON "waiting_list"("day", "joinedAt");

-- CreateIndex
CREATE UNIQUE INDEX "waiting_list_userId_day_key" ON "waiting_list"("userId", "day");

-- CreateIndex
CREATE UNIQUE INDEX "waiting_list_offers_entryId_appointmentDate_key" ON "waiting_list_offers"("entryId", "appointmentDate");

-- CreateIndex
CREATE UNIQUE INDEX "holds_offerId_key" ON "holds"("offerId");

-- AddForeignKey
ALTER TABLE "waiting_list" ADD CONSTRAINT "waiting_list_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "waiting_list_offers" ADD CONSTRAINT "waiting_list_offers_entryId_fkey" FOREIGN KEY ("entryId") REFERENCES "waiting_list"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "holds" ADD CONSTRAINT "holds_offerId_fkey" FOREIGN KEY ("offerId") REFERENCES "waiting_list_offers"("id") ON DELETE SET NULL ON UPDATE CASCADE;
