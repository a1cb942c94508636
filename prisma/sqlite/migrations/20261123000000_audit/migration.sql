-- Who did what to which record (docs/decisions/0020-the-audit-trail.md).
CREATE TABLE "audit_entries" (
    "sequence" INTEGER NOT NULL PRIMARY KEY,
    "at" DATETIME NOT NULL,
    "actorId" INTEGER,
    "familyId" INTEGER,
    "action" TEXT NOT NULL,
    "objectType" TEXT,
    "objectId" INTEGER,
    "network" TEXT,
    "hash" TEXT NOT NULL
);
CREATE INDEX "audit_entries_familyId_sequence_idx" ON "audit_entries"("familyId", "sequence");
CREATE INDEX "audit_entries_action_sequence_idx" ON "audit_entries"("action", "sequence");
CREATE INDEX "audit_entries_at_idx" ON "audit_entries"("at");

CREATE TABLE "audit_heads" (
    "id" INTEGER NOT NULL PRIMARY KEY,
    "firstSequence" INTEGER NOT NULL,
    "baseHash" TEXT NOT NULL,
    "lastSequence" INTEGER NOT NULL,
    "lastHash" TEXT NOT NULL,
    "signature" TEXT NOT NULL,
    CONSTRAINT "audit_heads_one" CHECK ("id" = 1)
);

CREATE TRIGGER "audit_entries_unchanged" BEFORE UPDATE ON "audit_entries"
BEGIN
  SELECT RAISE(ABORT, 'audit_entries_stay');
END;

-- Retention first moves the beginning of the chain forward; only what lies before it can be deleted.
CREATE TRIGGER "audit_entries_stay" BEFORE DELETE ON "audit_entries"
WHEN OLD."sequence" >= coalesce((SELECT "firstSequence" FROM "audit_heads"), 0)
BEGIN
  SELECT RAISE(ABORT, 'audit_entries_stay');
END;

CREATE TRIGGER "audit_heads_forward" BEFORE UPDATE ON "audit_heads"
WHEN NEW."lastSequence" < OLD."lastSequence" OR NEW."firstSequence" < OLD."firstSequence"
BEGIN
  SELECT RAISE(ABORT, 'audit_heads_stay');
END;

CREATE TRIGGER "audit_heads_stay" BEFORE DELETE ON "audit_heads"
BEGIN
  SELECT RAISE(ABORT, 'audit_heads_stay');
END;

-- INSERT OR REPLACE would replace a row without a word to the triggers above.
CREATE TRIGGER "audit_entries_not_replaced" BEFORE INSERT ON "audit_entries"
WHEN EXISTS (SELECT 1 FROM "audit_entries" WHERE "sequence" = NEW."sequence")
BEGIN
  SELECT RAISE(ABORT, 'audit_entries_stay');
END;

CREATE TRIGGER "audit_heads_not_replaced" BEFORE INSERT ON "audit_heads"
WHEN EXISTS (SELECT 1 FROM "audit_heads")
BEGIN
  SELECT RAISE(ABORT, 'audit_heads_stay');
END;
