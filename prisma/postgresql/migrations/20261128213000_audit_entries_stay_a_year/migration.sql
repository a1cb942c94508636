-- Entries are kept for a year at least (AUDIT_YEARS). Without this, moving the beginning of the chain forward was enough to
-- delete all of them. A day less than a year, because the clocks of application and database may differ.
CREATE TRIGGER "audit_entries_stay_a_year" BEFORE DELETE ON "audit_entries"
FOR EACH ROW WHEN (OLD."at" > (now() AT TIME ZONE 'UTC') - INTERVAL '364 days')
EXECUTE FUNCTION "audit_entries_stay"();

-- The beginning of the chain is at most right behind its end.
CREATE TRIGGER "audit_heads_begin_before_the_end" BEFORE UPDATE ON "audit_heads"
FOR EACH ROW WHEN (NEW."firstSequence" > NEW."lastSequence" + 1)
EXECUTE FUNCTION "audit_heads_stay"();
