ALTER TABLE "mail_opt_outs" DROP CONSTRAINT "mail_opt_outs_topic_check";
ALTER TABLE "mail_opt_outs" ADD CONSTRAINT "mail_opt_outs_topic_check"
  CHECK ("topic" IN ('reminders', 'follow-ups', 'documents', 'receipts', 'visits'));
