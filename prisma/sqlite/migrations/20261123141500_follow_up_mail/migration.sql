-- Next steps are a kind of mail of their own. Whoever had turned off reminders goes on getting neither. SQLite can't change
-- a CHECK, so the table is built anew.
CREATE TABLE "new_mail_opt_outs" (
    "userId" INTEGER NOT NULL,
    "topic" TEXT NOT NULL CHECK ("topic" IN ('reminders', 'follow-ups', 'documents', 'receipts')),
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,

    PRIMARY KEY ("userId", "topic"),
    CONSTRAINT "mail_opt_outs_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO "new_mail_opt_outs" ("userId", "topic", "createdAt")
SELECT "userId", "topic", "createdAt" FROM "mail_opt_outs";
INSERT INTO "new_mail_opt_outs" ("userId", "topic", "createdAt")
SELECT "userId", 'follow-ups', "createdAt" FROM "mail_opt_outs" WHERE "topic" = 'reminders';
DROP TABLE "mail_opt_outs";
ALTER TABLE "new_mail_opt_outs" RENAME TO "mail_opt_outs";
