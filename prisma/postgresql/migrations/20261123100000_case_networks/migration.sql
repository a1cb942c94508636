-- What rate limits count together among open requests: keyed hashes, as in consultation_requests.
ALTER TABLE "compliance_cases" ADD COLUMN "network" TEXT;
ALTER TABLE "compliance_cases" ADD COLUMN "wideNetwork" TEXT;
