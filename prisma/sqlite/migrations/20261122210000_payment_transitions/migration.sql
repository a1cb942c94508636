-- A payment changes its state only as app/checkout/payment-transitions.ts lists it, whatever process writes.
CREATE TRIGGER "payments_transition" BEFORE UPDATE OF "state" ON "payments"
WHEN NEW."state" <> OLD."state" AND NOT (
    (OLD."state" = 'started' AND NEW."state" IN ('authorized', 'waiting', 'declined', 'voiding')) OR
    (OLD."state" = 'authorized' AND NEW."state" IN ('booked', 'voiding')) OR
    (OLD."state" = 'booked' AND NEW."state" IN ('paid', 'voided', 'voiding')) OR
    (OLD."state" = 'waiting' AND NEW."state" IN ('booked', 'paid', 'closing', 'voided', 'voiding')) OR
    (OLD."state" = 'closing' AND NEW."state" IN ('paid', 'voided', 'voiding')) OR
    (OLD."state" = 'voiding' AND NEW."state" IN ('voided', 'paid')) OR
    (OLD."state" = 'declined' AND NEW."state" IN ('voiding')) OR
    (OLD."state" = 'voided' AND NEW."state" IN ('voiding'))
)
BEGIN
  SELECT RAISE(ABORT, 'payments_transition');
END;
