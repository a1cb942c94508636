-- CreateTable
CREATE TABLE "holds" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "userId" INTEGER NOT NULL,
    "paymentId" INTEGER NOT NULL,
    "appointmentDate" DATETIME NOT NULL,
    "duration" INTEGER NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    CONSTRAINT "holds_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "holds_paymentId_fkey" FOREIGN KEY ("paymentId") REFERENCES "payments" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "holds_whole_minutes" CHECK (typeof("appointmentDate") = 'integer' AND "appointmentDate" % 60000 = 0),
    CONSTRAINT "holds_duration_range" CHECK (typeof("duration") = 'integer' AND "duration" BETWEEN 15 AND 240)
);

-- CreateTable
CREATE TABLE "payments" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "userId" INTEGER,
    "appointmentId" INTEGER,
    "method" TEXT NOT NULL,
    "provider" TEXT,
    "key" TEXT NOT NULL,
    "callerKey" TEXT,
    "asked" TEXT,
    "booking" TEXT NOT NULL,
    "amountCents" INTEGER NOT NULL,
    "refundedCents" INTEGER NOT NULL DEFAULT 0,
    "state" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 0,
    "leaseEndsAt" DATETIME NOT NULL,
    "providerPaymentId" TEXT,
    "checkoutId" TEXT,
    "checkoutUrl" TEXT,
    "orderId" TEXT,
    "refusal" TEXT,
    "note" TEXT,
    "takenById" INTEGER,
    "paidAt" DATETIME,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "payments_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "payments_appointmentId_fkey" FOREIGN KEY ("appointmentId") REFERENCES "appointments" ("id") ON DELETE SET NULL ON UPDATE CASCADE,
    CONSTRAINT "payments_method_known" CHECK ("method" IN ('card', 'hosted', 'cash', 'check', 'other')),
    CONSTRAINT "payments_state_known" CHECK ("state" IN ('started', 'waiting', 'authorized', 'booked', 'paid', 'voiding', 'closing', 'declined', 'voided')),
    CONSTRAINT "payments_amount" CHECK ("amountCents" > 0 AND "refundedCents" BETWEEN 0 AND "amountCents")
);

-- CreateTable
CREATE TABLE "payment_steps" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "paymentId" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "at" DATETIME NOT NULL,
    CONSTRAINT "payment_steps_paymentId_fkey" FOREIGN KEY ("paymentId") REFERENCES "payments" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "refunds" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "paymentId" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "amountCents" INTEGER NOT NULL,
    "reason" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "providerRefundId" TEXT,
    "decidedById" INTEGER,
    "leaseEndsAt" DATETIME NOT NULL,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "refunds_paymentId_fkey" FOREIGN KEY ("paymentId") REFERENCES "payments" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "refunds_state_known" CHECK ("state" IN ('asked', 'accepted', 'done', 'failed')),
    CONSTRAINT "refunds_amount" CHECK ("amountCents" > 0)
);

-- CreateIndex
CREATE UNIQUE INDEX "holds_paymentId_key" ON "holds"("paymentId");

-- CreateIndex
CREATE INDEX "holds_appointmentDate_duration_idx" ON "holds"("appointmentDate", "duration");

-- CreateIndex
CREATE INDEX "holds_userId_idx" ON "holds"("userId");

-- CreateIndex
CREATE UNIQUE INDEX "payments_key_key" ON "payments"("key");

-- CreateIndex
CREATE UNIQUE INDEX "payments_providerPaymentId_key" ON "payments"("providerPaymentId");

-- CreateIndex
CREATE UNIQUE INDEX "payments_orderId_key" ON "payments"("orderId");

-- CreateIndex
CREATE INDEX "payments_state_leaseEndsAt_idx" ON "payments"("state", "leaseEndsAt");

-- CreateIndex
CREATE INDEX "payments_appointmentId_idx" ON "payments"("appointmentId");

-- CreateIndex
CREATE UNIQUE INDEX "payments_userId_callerKey_key" ON "payments"("userId", "callerKey");

-- CreateIndex
CREATE INDEX "payment_steps_paymentId_idx" ON "payment_steps"("paymentId");

-- CreateIndex
CREATE UNIQUE INDEX "refunds_key_key" ON "refunds"("key");

-- CreateIndex
CREATE UNIQUE INDEX "refunds_providerRefundId_key" ON "refunds"("providerRefundId");

-- CreateIndex
CREATE INDEX "refunds_paymentId_idx" ON "refunds"("paymentId");

-- CreateIndex
CREATE INDEX "refunds_state_leaseEndsAt_idx" ON "refunds"("state", "leaseEndsAt");

-- A hold keeps its time for one family: it overlaps neither an appointment nor another hold; ends may touch.
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

-- What happened to money stays written down.
CREATE TRIGGER "payments_stay" BEFORE DELETE ON "payments"
BEGIN
  SELECT RAISE(ABORT, 'payments_stay');
END;

CREATE TRIGGER "payment_steps_stay" BEFORE DELETE ON "payment_steps"
BEGIN
  SELECT RAISE(ABORT, 'payment_steps_stay');
END;

CREATE TRIGGER "refunds_stay" BEFORE DELETE ON "refunds"
BEGIN
  SELECT RAISE(ABORT, 'refunds_stay');
END;

CREATE TRIGGER "payment_steps_unchanged" BEFORE UPDATE ON "payment_steps"
BEGIN
  SELECT RAISE(ABORT, 'payment_steps_stay');
END;

CREATE TRIGGER "payments_amount_unchanged" BEFORE UPDATE OF "key", "amountCents" ON "payments"
WHEN NEW."key" <> OLD."key" OR NEW."amountCents" <> OLD."amountCents"
BEGIN
  SELECT RAISE(ABORT, 'payments_stay');
END;

CREATE TRIGGER "refunds_amount_unchanged" BEFORE UPDATE OF "key", "amountCents" ON "refunds"
WHEN NEW."key" <> OLD."key" OR NEW."amountCents" <> OLD."amountCents"
BEGIN
  SELECT RAISE(ABORT, 'refunds_stay');
END;
