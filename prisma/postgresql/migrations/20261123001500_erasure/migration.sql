-- AlterTable
ALTER TABLE "users" ADD COLUMN "eraseAfter" TIMESTAMP(3);

-- CreateTable
CREATE TABLE "erased_accounts" (
    "id" SERIAL NOT NULL,
    "accountId" INTEGER NOT NULL,
    "accountCreatedAt" TIMESTAMP(3) NOT NULL,
    "erasedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "erased_accounts_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "users_eraseAfter_idx" ON "users"("eraseAfter");

-- CreateIndex
CREATE UNIQUE INDEX "erased_accounts_accountId_accountCreatedAt_key" ON "erased_accounts"("accountId", "accountCreatedAt");
