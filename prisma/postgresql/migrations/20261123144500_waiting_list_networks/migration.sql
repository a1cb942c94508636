-- What the limits of new accounts count together on one day's list: keyed hashes, as in holds.
ALTER TABLE "waiting_list" ADD COLUMN "network" TEXT;
ALTER TABLE "waiting_list" ADD COLUMN "wideNetwork" TEXT;
