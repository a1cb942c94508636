-- CreateTable
CREATE TABLE "compliance_cases" (
    "id" SERIAL NOT NULL,
    "kind" TEXT NOT NULL,
    "userId" INTEGER,
    "name" TEXT,
    "email" TEXT,
    "phone" TEXT,
    "text" TEXT NOT NULL,
    "receivedDay" TEXT NOT NULL,
    "dueDay" TEXT NOT NULL,
    "closedAt" TIMESTAMP(3),
    "resolution" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "compliance_cases_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "compliance_cases_kind_known" CHECK ("kind" IN ('privacy', 'accessibility', 'incident')),
    CONSTRAINT "compliance_cases_days" CHECK ("receivedDay" ~ '^\d{4}-\d{2}-\d{2}$' AND "dueDay" ~ '^\d{4}-\d{2}-\d{2}$')
);

-- CreateIndex
CREATE INDEX "compliance_cases_closedAt_dueDay_idx" ON "compliance_cases"("closedAt", "dueDay");

-- CreateIndex
CREATE INDEX "compliance_cases_userId_idx" ON "compliance_cases"("userId");

-- AddForeignKey
ALTER TABLE "compliance_cases" ADD CONSTRAINT "compliance_cases_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
