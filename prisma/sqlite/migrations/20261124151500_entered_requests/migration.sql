-- Requests that came by phone, which the consultant has entered.
ALTER TABLE "consultation_requests" ADD COLUMN "isEntered" BOOLEAN NOT NULL DEFAULT false;
