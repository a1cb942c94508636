-- CreateTable
CREATE TABLE "holds" (
    "id" SERIAL NOT NULL,
    "userId" INTEGER NOT NULL,
    "paymentId" INTEGER NOT NULL,
    "appointmentDate" TIMESTAMP(3) NOT NULL,
    "duration" INTEGER NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "holds_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "payments" (
    "id" SERIAL NOT NULL,
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
    "leaseEndsAt" TIMESTAMP(3) NOT NULL,
    "providerPaymentId" TEXT,
    "checkoutId" TEXT,
    "checkoutUrl" TEXT,
    "orderId" TEXT,
    "refusal" TEXT,
    "note" TEXT,
    "takenById" INTEGER,
    "paidAt" TIMESTAMP(3),
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "payments_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "payment_steps" (
    "id" SERIAL NOT NULL,
    "paymentId" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "payment_steps_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "refunds" (
    "id" SERIAL NOT NULL,
    "paymentId" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "amountCents" INTEGER NOT NULL,
    "reason" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "providerRefundId" TEXT,
    "decidedById" INTEGER,
    "leaseEndsAt" TIMESTAMP(3) NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "refunds_pkey" PRIMARY KEY ("id")
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

-- AddForeignKey
ALTER TABLE "holds" ADD CONSTRAINT "holds_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "holds" ADD CONSTRAINT "holds_paymentId_fkey" FOREIGN KEY ("paymentId") REFERENCES "payments"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payments" ADD CONSTRAINT "payments_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payments" ADD CONSTRAINT "payments_appointmentId_fkey" FOREIGN KEY ("appointmentId") REFERENCES "appointments"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payment_steps" ADD CONSTRAINT "payment_steps_paymentId_fkey" FOREIGN KEY ("paymentId") REFERENCES "payments"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_paymentId_fkey" FOREIGN KEY ("paymentId") REFERENCES "payments"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Checks that the schema file can't say.
ALTER TABLE "holds" ADD CONSTRAINT "holds_whole_minutes" CHECK (date_trunc('minute', "appointmentDate") = "appointmentDate");
ALTER TABLE "holds" ADD CONSTRAINT "holds_duration_range" CHECK ("duration" BETWEEN 15 AND 240);
ALTER TABLE "payments" ADD CONSTRAINT "payments_method_known" CHECK ("method" IN ('card', 'hosted', 'cash', 'check', 'other'));
ALTER TABLE "payments" ADD CONSTRAINT "payments_state_known" CHECK ("state" IN ('started', 'waiting', 'authorized', 'booked', 'paid', 'voiding', 'closing', 'declined', 'voided'));
ALTER TABLE "payments" ADD CONSTRAINT "payments_amount" CHECK ("amountCents" > 0 AND "refundedCents" BETWEEN 0 AND "amountCents");
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_state_known" CHECK ("state" IN ('asked', 'accepted', 'done', 'failed'));
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_amount" CHECK ("amountCents" > 0);

-- A hold keeps its time for one family: it overlaps neither another hold nor an appointment; ends may touch.
ALTER TABLE "holds" ADD CONSTRAINT "holds_and_appointments_no_overlap"
    EXCLUDE USING gist (tsrange("appointmentDate", "appointmentDate" + make_interval(mins => "duration")) WITH &&);

-- The other table is read after the lock that all writers of the calendar take turns with. Each statement then sees what
-- the one before committed; that is so under READ COMMITTED alone, and under anything else nobody may write here.
CREATE FUNCTION "calendar_take_turns"() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'The calendar is written under READ COMMITTED only.';
    END IF;
    PERFORM pg_advisory_xact_lock(hashtext('appointments_no_overlap'));
END
$$;

CREATE OR REPLACE FUNCTION "appointments_take_turns"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM "calendar_take_turns"();
    IF EXISTS (
        SELECT 1 FROM "holds"
        WHERE tsrange("appointmentDate", "appointmentDate" + make_interval(mins => "duration"))
           && tsrange(NEW."appointmentDate", NEW."appointmentDate" + make_interval(mins => NEW."duration"))
    ) THEN
        RAISE EXCEPTION 'holds_and_appointments_no_overlap' USING ERRCODE = 'exclusion_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE FUNCTION "holds_take_turns"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM "calendar_take_turns"();
    IF EXISTS (
        SELECT 1 FROM "appointments"
        WHERE tsrange("appointmentDate", "appointmentDate" + make_interval(mins => "duration"))
           && tsrange(NEW."appointmentDate", NEW."appointmentDate" + make_interval(mins => NEW."duration"))
          AND "status" <> 'cancelled'
    ) THEN
        RAISE EXCEPTION 'holds_and_appointments_no_overlap' USING ERRCODE = 'exclusion_violation';
    END IF;
    RETURN NEW;
END
$$;

-- Ending a hold, too, is waited for by whoever wants its time: the lock comes first, before any row.
CREATE FUNCTION "holds_end_in_turn"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM "calendar_take_turns"();
    RETURN NULL;
END
$$;

CREATE TRIGGER "holds_end_in_turn" BEFORE DELETE ON "holds" FOR EACH STATEMENT EXECUTE FUNCTION "holds_end_in_turn"();

CREATE TRIGGER "holds_take_turns" BEFORE INSERT OR UPDATE OF "appointmentDate", "duration" ON "holds"
    FOR EACH ROW EXECUTE FUNCTION "holds_take_turns"();

-- What happened to money stays written down.
CREATE FUNCTION "money_stays"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '%_stay', TG_TABLE_NAME;
END
$$;

CREATE TRIGGER "payments_stay" BEFORE DELETE ON "payments" FOR EACH ROW EXECUTE FUNCTION "money_stays"();
CREATE TRIGGER "payment_steps_stay" BEFORE DELETE OR UPDATE ON "payment_steps" FOR EACH ROW EXECUTE FUNCTION "money_stays"();
CREATE TRIGGER "refunds_stay" BEFORE DELETE ON "refunds" FOR EACH ROW EXECUTE FUNCTION "money_stays"();
CREATE TRIGGER "payments_amount_unchanged" BEFORE UPDATE OF "key", "amountCents" ON "payments"
    FOR EACH ROW WHEN (NEW."key" <> OLD."key" OR NEW."amountCents" <> OLD."amountCents") EXECUTE FUNCTION "money_stays"();
CREATE TRIGGER "refunds_amount_unchanged" BEFORE UPDATE OF "key", "amountCents" ON "refunds"
    FOR EACH ROW WHEN (NEW."key" <> OLD."key" OR NEW."amountCents" <> OLD."amountCents") EXECUTE FUNCTION "money_stays"();
