-- A time is also held for a family that has chosen it and not come to the payment yet: "paymentId" is null then. SQLite
-- can't drop NOT NULL, so the table is built anew, with its triggers and those that read it.
DROP TRIGGER "holds_no_overlap_insert";
DROP TRIGGER "holds_no_overlap_update";
DROP TRIGGER "appointments_no_hold_insert";
DROP TRIGGER "appointments_no_hold_update";

-- RedefineTables
CREATE TABLE "new_holds" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "userId" INTEGER NOT NULL,
    "paymentId" INTEGER,
    "chosenByUserId" INTEGER,
    "appointmentDate" DATETIME NOT NULL,
    "duration" INTEGER NOT NULL,
    "type" TEXT NOT NULL DEFAULT 'consultation',
    "heldSince" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" DATETIME NOT NULL,
    "network" TEXT,
    "wideNetwork" TEXT,
    CONSTRAINT "holds_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "holds_paymentId_fkey" FOREIGN KEY ("paymentId") REFERENCES "payments" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "holds_whole_minutes" CHECK (typeof("appointmentDate") = 'integer' AND "appointmentDate" % 60000 = 0),
    CONSTRAINT "holds_duration_range" CHECK (typeof("duration") = 'integer' AND "duration" BETWEEN 15 AND 240)
);
INSERT INTO "new_holds" ("id", "userId", "paymentId", "appointmentDate", "duration", "heldSince", "expiresAt", "network", "wideNetwork")
SELECT "id", "userId", "paymentId", "appointmentDate", "duration", "expiresAt" - 15 * 60000, "expiresAt", "network", "wideNetwork" FROM "holds";
DROP TABLE "holds";
ALTER TABLE "new_holds" RENAME TO "holds";

CREATE UNIQUE INDEX "holds_paymentId_key" ON "holds"("paymentId");
CREATE INDEX "holds_appointmentDate_duration_idx" ON "holds"("appointmentDate", "duration");
CREATE INDEX "holds_userId_idx" ON "holds"("userId");

-- One time for each family, besides those of its payments.
CREATE UNIQUE INDEX "holds_chosenByUserId_key" ON "holds"("chosenByUserId");

CREATE TRIGGER "holds_no_overlap_insert" BEFORE INSERT ON "holds"
BEGIN
  SELECT RAISE(ABORT, 'holds_and_appointments_no_overlap') WHERE EXISTS (
    SELECT 1 FROM "appointments"
    WHERE "appointmentDate" > NEW."appointmentDate" - 240 * 60000
      AND "appointmentDate" < NEW."appointmentDate" + NEW."duration" * 60000
      AND "appointmentDate" + "duration" * 60000 > NEW."appointmentDate"
      AND "status" <> 'cancelled'
  ) OR EXISTS (
    SELECT 1 FROM "holds"
    WHERE "appointmentDate" > NEW."appointmentDate" - 240 * 60000
      AND "appointmentDate" < NEW."appointmentDate" + NEW."duration" * 60000
      AND "appointmentDate" + "duration" * 60000 > NEW."appointmentDate"
  );
END;

CREATE TRIGGER "holds_no_overlap_update" BEFORE UPDATE OF "appointmentDate", "duration" ON "holds"
BEGIN
  SELECT RAISE(ABORT, 'holds_and_appointments_no_overlap') WHERE EXISTS (
    SELECT 1 FROM "appointments"
    WHERE "appointmentDate" > NEW."appointmentDate" - 240 * 60000
      AND "appointmentDate" < NEW."appointmentDate" + NEW."duration" * 60000
      AND "appointmentDate" + "duration" * 60000 > NEW."appointmentDate"
      AND "status" <> 'cancelled'
  ) OR EXISTS (
    SELECT 1 FROM "holds"
    WHERE "appointmentDate" > NEW."appointmentDate" - 240 * 60000
      AND "appointmentDate" < NEW."appointmentDate" + NEW."duration" * 60000
      AND "appointmentDate" + "duration" * 60000 > NEW."appointmentDate"
      AND "id" <> OLD."id"
  );
END;

CREATE TRIGGER "appointments_no_hold_insert" BEFORE INSERT ON "appointments"
WHEN NEW."status" <> 'cancelled'
BEGIN
  SELECT RAISE(ABORT, 'holds_and_appointments_no_overlap') WHERE EXISTS (
    SELECT 1 FROM "holds"
    WHERE "appointmentDate" > NEW."appointmentDate" - 240 * 60000
      AND "appointmentDate" < NEW."appointmentDate" + NEW."duration" * 60000
      AND "appointmentDate" + "duration" * 60000 > NEW."appointmentDate"
  );
END;

CREATE TRIGGER "appointments_no_hold_update" BEFORE UPDATE OF "appointmentDate", "duration", "status" ON "appointments"
WHEN NEW."status" <> 'cancelled'
BEGIN
  SELECT RAISE(ABORT, 'holds_and_appointments_no_overlap') WHERE EXISTS (
    SELECT 1 FROM "holds"
    WHERE "appointmentDate" > NEW."appointmentDate" - 240 * 60000
      AND "appointmentDate" < NEW."appointmentDate" + NEW."duration" * 60000
      AND "appointmentDate" + "duration" * 60000 > NEW."appointmentDate"
  );
END;
