-- A payment changes its state only as app/checkout/payment-transitions.ts lists it, whatever process writes.
CREATE FUNCTION "payments_transition"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'payments_transition';
END
$$;

CREATE TRIGGER "payments_transition" BEFORE UPDATE OF "state" ON "payments"
FOR EACH ROW WHEN (NEW."state" <> OLD."state" AND NOT (
    (OLD."state" = 'started' AND NEW."state" IN ('authorized', 'waiting', 'declined', 'voiding')) OR
    (OLD."state" = 'authorized' AND NEW."state" IN ('booked', 'voiding')) OR
    (OLD."state" = 'booked' AND NEW."state" IN ('paid', 'voided', 'voiding')) OR
    (OLD."state" = 'waiting' AND NEW."state" IN ('booked', 'paid', 'closing', 'voided', 'voiding')) OR
    (OLD."state" = 'closing' AND NEW."state" IN ('paid', 'voided', 'voiding')) OR
    (OLD."state" = 'voiding' AND NEW."state" IN ('voided', 'paid')) OR
    (OLD."state" = 'declined' AND NEW."state" IN ('voiding')) OR
    (OLD."state" = 'voided' AND NEW."state" IN ('voiding'))
)) EXECUTE FUNCTION "payments_transition"();
