-- CreateTable
CREATE TABLE "visit_answers" (
    "appointmentId" INTEGER NOT NULL PRIMARY KEY,
    "important" TEXT,
    "change" TEXT,
    "pages" TEXT,
    "updatedAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "visit_answers_appointmentId_fkey" FOREIGN KEY ("appointmentId") REFERENCES "appointments" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
