-- A case outlives its family, without its words: that it was, its kind, its days and how it ended. SQLite can't alter a
-- foreign key: the table is made again.
CREATE TABLE "new_compliance_cases" (
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
    "outcome" TEXT,
    "resolution" TEXT,
    "network" TEXT,
    "wideNetwork" TEXT,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "compliance_cases_kind_known" CHECK ("kind" IN ('privacy', 'accessibility', 'incident')),
    CONSTRAINT "compliance_cases_outcome_known" CHECK ("outcome" IN ('answered', 'declined', 'notified', 'not-required', 'account-erased')),
    CONSTRAINT "compliance_cases_days" CHECK ("receivedDay" GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]' AND "dueDay" GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
    CONSTRAINT "compliance_cases_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users" ("id") ON DELETE SET NULL ON UPDATE CASCADE
);
INSERT INTO "new_compliance_cases" ("id", "kind", "userId", "name", "email", "phone", "text", "receivedDay", "dueDay", "closedAt", "resolution", "network", "wideNetwork", "createdAt")
SELECT "id", "kind", "userId", "name", "email", "phone", "text", "receivedDay", "dueDay", "closedAt", "resolution", "network", "wideNetwork", "createdAt" FROM "compliance_cases";
DROP TABLE "compliance_cases";
ALTER TABLE "new_compliance_cases" RENAME TO "compliance_cases";

CREATE INDEX "compliance_cases_closedAt_dueDay_idx" ON "compliance_cases"("closedAt", "dueDay");
CREATE INDEX "compliance_cases_userId_idx" ON "compliance_cases"("userId");
