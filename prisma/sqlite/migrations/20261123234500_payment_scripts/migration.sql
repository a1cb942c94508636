-- CreateTable
CREATE TABLE "payment_scripts" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "url" TEXT NOT NULL,
    "sha256" TEXT NOT NULL,
    "previousId" INTEGER NOT NULL,
    "firstSeenAt" DATETIME NOT NULL,
    "lastSeenAt" DATETIME NOT NULL,
    "acceptedAt" DATETIME
);

-- CreateIndex
CREATE UNIQUE INDEX "payment_scripts_url_previousId_key" ON "payment_scripts"("url", "previousId");
