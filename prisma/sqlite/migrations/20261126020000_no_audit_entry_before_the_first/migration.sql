-- An entry before the beginning of the chain would be read by people and skipped by the verification.
CREATE TRIGGER "audit_entries_not_before_the_first" BEFORE INSERT ON "audit_entries"
WHEN NEW."sequence" < coalesce((SELECT "firstSequence" FROM "audit_heads"), NEW."sequence")
BEGIN
  SELECT RAISE(ABORT, 'audit_entries_stay');
END;
