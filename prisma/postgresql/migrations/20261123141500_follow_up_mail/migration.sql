-- Next steps are a kind of mail of their own. Whoever had turned off reminders goes on getting neither.
ALTER TABLE "mail_opt_outs" DROP CONSTRAINT "mail_opt_outs_topic_check";
ALTER TABLE "mail_opt_outs" ADD CONSTRAINT "mail_opt_outs_topic_check"
  CHECK ("topic" IN ('reminders', 'follow-ups', 'documents', 'receipts'));
INSERT INTO "mail_opt_outs" ("userId", "topic", "createdAt")
SELECT "userId", 'follow-ups', "createdAt" FROM "mail_opt_outs" WHERE "topic" = 'reminders';
