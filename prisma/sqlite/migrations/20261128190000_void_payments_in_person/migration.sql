-- A payment that was recorded by mistake as taken in person, and of which nothing was refunded, may be voided.
DROP TRIGGER "payments_transition";

CREATE TRIGGER "payments_transition" BEFORE UPDATE OF "state" ON "payments"
WHEN NEW."state" <> OLD."state" AND NOT (
    (OLD."state" = 'started' AND NEW."state" IN ('authorized', 'waiting', 'declined', 'voiding')) OR
    (OLD."state" = 'authorized' AND NEW."state" IN ('booked', 'voiding')) OR
    (OLD."state" = 'booked' AND NEW."state" IN ('paid', 'voided', 'voiding')) OR
    (OLD."state" = 'waiting' AND NEW."state" IN ('booked', 'paid', 'closing', 'voided', 'voiding')) OR
    (OLD."state" = 'closing' AND NEW."state" IN ('paid', 'voided', 'voiding')) OR
    (OLD."state" = 'voiding' AND NEW."state" IN ('voided', 'paid')) OR
    (OLD."state" = 'declined' AND NEW."state" IN ('voiding')) OR
    (OLD."state" = 'voided' AND NEW."state" IN ('voiding')) OR
    (OLD."state" = 'paid' AND NEW."state" = 'voided' AND OLD."method" IN ('cash', 'check', 'other')
        AND OLD."provider" IS NULL AND OLD."refundedCents" = 0)
)
BEGIN
  SELECT RAISE(ABORT, 'payments_transition');
END;
