-- AlterTable
ALTER TABLE "appointments" ADD COLUMN "callEndedAt" TIMESTAMP(3);

-- CreateTable
CREATE TABLE "call_presences" (
    "id" TEXT NOT NULL,
    "appointmentId" INTEGER NOT NULL,
    "role" TEXT NOT NULL,
    "page" TEXT,
    "seat" TEXT,
    "process" TEXT NOT NULL,
    "seenAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "call_presences_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "call_presences_role" CHECK ("role" IN ('client', 'admin'))
);

-- CreateTable
CREATE TABLE "call_signals" (
    "id" SERIAL NOT NULL,
    "process" TEXT NOT NULL,
    "news" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "call_signals_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "call_presences_seat_key" ON "call_presences"("seat");

-- CreateIndex
CREATE INDEX "call_presences_appointmentId_idx" ON "call_presences"("appointmentId");

-- CreateIndex
CREATE INDEX "call_presences_process_idx" ON "call_presences"("process");

-- CreateIndex
CREATE INDEX "call_signals_process_id_idx" ON "call_signals"("process", "id");

-- Wakes the process that the row is for. A notification ends at 8,000 bytes, so it carries the row's id alone.
CREATE FUNCTION call_signals_wake() RETURNS trigger AS $$
BEGIN
    PERFORM pg_notify('call_' || NEW."process", NEW."id"::text);
    RETURN NULL;
END
$$ LANGUAGE plpgsql;

CREATE TRIGGER call_signals_wake AFTER INSERT ON "call_signals" FOR EACH ROW EXECUTE FUNCTION call_signals_wake();
