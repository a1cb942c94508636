-- A shared follow-up that the family marked as done by itself.
ALTER TABLE "follow_ups" ADD COLUMN "isDoneByFamily" BOOLEAN NOT NULL DEFAULT false;
