-- An entry before the beginning of the chain would be read by people and skipped by the verification.
CREATE FUNCTION "audit_entries_not_before_the_first"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW."sequence" < (SELECT "firstSequence" FROM "audit_heads") THEN
        RAISE EXCEPTION 'audit_entries_stay';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER "audit_entries_not_before_the_first" BEFORE INSERT ON "audit_entries"
FOR EACH ROW EXECUTE FUNCTION "audit_entries_not_before_the_first"();
