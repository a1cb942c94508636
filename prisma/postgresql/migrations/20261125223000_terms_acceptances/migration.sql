-- CreateTable
CREATE TABLE "terms_acceptances" (
    "id" SERIAL NOT NULL,
    "userId" INTEGER NOT NULL,
    "version" TEXT NOT NULL,
    "acceptedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "terms_acceptances_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "terms_acceptances_version_a_day" CHECK ("version" ~ '^\d{4}-\d{2}-\d{2}$')
);

-- CreateIndex
CREATE INDEX "terms_acceptances_userId_idx" ON "terms_acceptances"("userId");

-- AddForeignKey
ALTER TABLE "terms_acceptances" ADD CONSTRAINT "terms_acceptances_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What was accepted until now: only the newest was kept.
INSERT INTO "terms_acceptances" ("userId", "version", "acceptedAt")
SELECT "id", "termsVersion", "termsAcceptedAt" FROM "users"
WHERE "termsVersion" IS NOT NULL AND "termsAcceptedAt" IS NOT NULL;
