-- CreateTable
CREATE TABLE "compliance_cases" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "kind" TEXT NOT NULL,
    "userId" INTEGER,
    "name" TEXT,
    "email" TEXT,
    "phone" TEXT,
    "text" TEXT NOT NULL,
    "receivedDay" TEXT NOT NULL,
    "dueDay" TEXT NOT NULL,
    "closedAt" DATETIME,
    "resolution" TEXT,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "compliance_cases_kind_known" CHECK ("kind" IN ('privacy', 'accessibility', 'incident')),
    CONSTRAINT "compliance_cases_days" CHECK ("receivedDay" GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]' AND "dueDay" GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
    CONSTRAINT "compliance_cases_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "compliance_cases_closedAt_dueDay_idx" ON "compliance_cases"("closedAt", "dueDay");

-- CreateIndex
CREATE INDEX "compliance_cases_userId_idx" ON "compliance_cases"("userId");
