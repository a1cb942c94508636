-- CreateTable
CREATE TABLE "payment_scripts" (
    "id" SERIAL NOT NULL,
    "url" TEXT NOT NULL,
    "sha256" TEXT NOT NULL,
    "previousId" INTEGER NOT NULL,
    "firstSeenAt" TIMESTAMP(3) NOT NULL,
    "lastSeenAt" TIMESTAMP(3) NOT NULL,
    "acceptedAt" TIMESTAMP(3),

    CONSTRAINT "payment_scripts_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "payment_scripts_url_previousId_key" ON "payment_scripts"("url", "previousId");
