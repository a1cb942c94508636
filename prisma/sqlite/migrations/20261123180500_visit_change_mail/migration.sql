-- SQLite can't alter a CHECK: the table is made again.
CREATE TABLE "new_mail_opt_outs" (
    "userId" INTEGER NOT NULL,
    "topic" TEXT NOT NULL CHECK ("topic" IN ('reminders', 'follow-ups', 'documents', 'receipts', 'visits')),
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,

    PRIMARY KEY ("userId", "topic"),
    CONSTRAINT "mail_opt_outs_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO "new_mail_opt_outs" ("userId", "topic", "createdAt")
SELECT "userId", "topic", "createdAt" FROM "mail_opt_outs";
DROP TABLE "mail_opt_outs";
ALTER TABLE "new_mail_opt_outs" RENAME TO "mail_opt_outs";
