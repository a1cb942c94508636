-- Entries are kept for a year at least (AUDIT_YEARS). Without this, moving the beginning of the chain forward was enough to
-- delete all of them. A day less than a year, because the clocks of application and database may differ.
CREATE TRIGGER "audit_entries_stay_a_year" BEFORE DELETE ON "audit_entries"
WHEN OLD."at" > (CAST(strftime('%s', 'now') AS INTEGER) - 364 * 86400) * 1000
BEGIN
  SELECT RAISE(ABORT, 'audit_entries_stay');
END;

-- The beginning of the chain is at most right behind its end.
CREATE TRIGGER "audit_heads_begin_before_the_end" BEFORE UPDATE ON "audit_heads"
WHEN NEW."firstSequence" > NEW."lastSequence" + 1
BEGIN
  SELECT RAISE(ABORT, 'audit_heads_stay');
END;
