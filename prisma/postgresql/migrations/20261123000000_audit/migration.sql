-- Who did what to which record (docs/decisions/0020-the-audit-trail.md).
CREATE TABLE "audit_entries" (
    "sequence" INTEGER NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,
    "actorId" INTEGER,
    "familyId" INTEGER,
    "action" TEXT NOT NULL,
    "objectType" TEXT,
    "objectId" INTEGER,
    "network" TEXT,
    "hash" TEXT NOT NULL,

    CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("sequence")
);
CREATE INDEX "audit_entries_familyId_sequence_idx" ON "audit_entries"("familyId", "sequence");
CREATE INDEX "audit_entries_action_sequence_idx" ON "audit_entries"("action", "sequence");
CREATE INDEX "audit_entries_at_idx" ON "audit_entries"("at");

CREATE TABLE "audit_heads" (
    "id" INTEGER NOT NULL,
    "firstSequence" INTEGER NOT NULL,
    "baseHash" TEXT NOT NULL,
    "lastSequence" INTEGER NOT NULL,
    "lastHash" TEXT NOT NULL,
    "signature" TEXT NOT NULL,

    CONSTRAINT "audit_heads_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "audit_heads_one" CHECK ("id" = 1)
);

CREATE FUNCTION "audit_entries_stay"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'audit_entries_stay';
END
$$;

-- Retention first moves the beginning of the chain forward; only what lies before it can be deleted.
CREATE FUNCTION "audit_entries_expired"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD."sequence" < (SELECT "firstSequence" FROM "audit_heads") THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'audit_entries_stay';
END
$$;

CREATE FUNCTION "audit_heads_stay"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'audit_heads_stay';
END
$$;

CREATE TRIGGER "audit_entries_unchanged" BEFORE UPDATE ON "audit_entries"
FOR EACH ROW EXECUTE FUNCTION "audit_entries_stay"();
CREATE TRIGGER "audit_entries_stay" BEFORE DELETE ON "audit_entries"
FOR EACH ROW EXECUTE FUNCTION "audit_entries_expired"();
CREATE TRIGGER "audit_entries_not_emptied" BEFORE TRUNCATE ON "audit_entries"
FOR EACH STATEMENT EXECUTE FUNCTION "audit_entries_stay"();
CREATE TRIGGER "audit_heads_forward" BEFORE UPDATE ON "audit_heads"
FOR EACH ROW WHEN (NEW."lastSequence" < OLD."lastSequence" OR NEW."firstSequence" < OLD."firstSequence")
EXECUTE FUNCTION "audit_heads_stay"();
CREATE TRIGGER "audit_heads_stay" BEFORE DELETE ON "audit_heads"
FOR EACH ROW EXECUTE FUNCTION "audit_heads_stay"();
CREATE TRIGGER "audit_heads_not_emptied" BEFORE TRUNCATE ON "audit_heads"
FOR EACH STATEMENT EXECUTE FUNCTION "audit_heads_stay"();
