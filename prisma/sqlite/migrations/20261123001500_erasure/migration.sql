-- AlterTable
ALTER TABLE "users" ADD COLUMN "eraseAfter" DATETIME;

-- CreateTable
CREATE TABLE "erased_accounts" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "accountId" INTEGER NOT NULL,
    "accountCreatedAt" DATETIME NOT NULL,
    "erasedAt" DATETIME NOT NULL
);

-- CreateIndex
CREATE INDEX "users_eraseAfter_idx" ON "users"("eraseAfter");

-- CreateIndex
CREATE UNIQUE INDEX "erased_accounts_accountId_accountCreatedAt_key" ON "erased_accounts"("accountId", "accountCreatedAt");
