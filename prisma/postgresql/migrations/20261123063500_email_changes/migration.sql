-- AlterTable
ALTER TABLE "email_confirmations" ADD COLUMN     "isChange" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "email_changes" (
    "id" SERIAL NOT NULL,
    "userId" INTEGER NOT NULL,
    "oldEmail" TEXT NOT NULL,
    "undoTokenHash" TEXT,
    "undoUntil" TIMESTAMP(3) NOT NULL,
    "changedAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "email_changes_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "email_changes_undoTokenHash_key" ON "email_changes"("undoTokenHash");

-- CreateIndex
CREATE INDEX "email_changes_userId_idx" ON "email_changes"("userId");

-- CreateIndex
CREATE INDEX "email_changes_oldEmail_idx" ON "email_changes"("oldEmail");

-- AddForeignKey
ALTER TABLE "email_changes" ADD CONSTRAINT "email_changes_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
